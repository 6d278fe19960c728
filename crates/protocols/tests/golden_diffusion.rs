//! Directed diffusion explored: the published numbers, exactly.

#[path = "published/diffusion.rs"]
mod published;

use everypath_explore::Add;
use published::{Search, rows, setting};

#[test]
fn rows_of_the_published_tables() {
    let rows = rows();
    assert_eq!(rows.len(), 24);
    for row in rows {
        assert_eq!(row.found(), row.published, "{row}");
    }
}

/// The runs of the thesis's figures C.1 and C.2, event by event.
#[test]
fn the_published_runs() {
    let (_, first) = setting(1, 4, 15, Search::Bfs(Add::Current)).explore(|options| options);
    assert_eq!(
        first,
        [
            "command Ask(A at (3,0)) at n0 (sink)",
            "INTEREST A at (3,0) from n0 (sink) arrives at n1",
            "INTEREST A at (3,0) from n1 arrives at n2",
            "INTEREST A at (3,0) from n2 arrives at n1",
            "INTEREST A at (3,0) from n2 arrives at n3 (source)",
            "DATA A n3/0 exploratory from n3 (source) arrives at n2",
            "DATA A n3/0 exploratory from n2 arrives at n1",
            "DATA A n3/0 exploratory from n1 arrives at n0 (sink)",
            "POSREINFORCE A of n3 from n0 (sink) arrives at n1",
            "timer Forget(A n3/0, exploratory) fires at n2",
            "DATA A n3/0 exploratory from n1 arrives at n2",
            "POSREINFORCE A of n3 from n1 arrives at n2",
            "POSREINFORCE A of n3 from n2 arrives at n1",
        ]
    );
    let (_, second) = setting(2, 4, 20, Search::Best(1, Add::Current)).explore(|options| options);
    assert_eq!(
        second,
        [
            "command Ask(A at (3,0)) at n0 (sink)",
            "INTEREST A at (3,0) from n0 (sink) arrives at n1",
            "INTEREST A at (3,0) from n1 arrives at n2",
            "INTEREST A at (3,0) from n2 arrives at n3 (source)",
            "INTEREST A at (3,0) from n3 (source) arrives at n2",
            "command Ask(A at (3,0)) at n0 (sink)",
            "n1 reboots",
            "INTEREST A at (3,0) from n0 (sink) arrives at n1",
            "INTEREST A at (3,0) from n2 arrives at n1",
            "DATA A n3/0 exploratory from n3 (source) arrives at n2",
            "timer Expire(A at (3,0), n1) fires at n2",
            "n2 reboots",
            "INTEREST A at (3,0) from n1 arrives at n2",
            "DATA A n3/0 exploratory from n2 arrives at n1",
            "DATA A n3/0 exploratory from n1 arrives at n2",
            "DATA A n3/0 exploratory from n1 arrives at n0 (sink)",
            "POSREINFORCE A of n3 from n0 (sink) arrives at n1",
            "POSREINFORCE A of n3 from n1 arrives at n2",
            "POSREINFORCE A of n3 from n2 arrives at n1",
        ]
    );
}
