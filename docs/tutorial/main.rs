everypath::main!(lock_server::lock);
