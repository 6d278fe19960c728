//! The command `everypath`, with the protocols that come with it.

use everypath::protocols::{
    arq::{arq, arq_erroneous},
    two_phase_commit::{two_phase_commit, two_phase_commit_impatient},
};

everypath::main!(arq, arq_erroneous, two_phase_commit, two_phase_commit_impatient);
