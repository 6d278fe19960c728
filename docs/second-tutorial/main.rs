everypath::main!(ticket_office::tickets);
