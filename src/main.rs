//! The command `everypath`, with the protocols that come with it.

use everypath::protocols::arq::{arq, arq_erroneous};

everypath::main!(arq, arq_erroneous);
