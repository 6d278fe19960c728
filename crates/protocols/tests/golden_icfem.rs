//! AODV explored by the procedure of the paper at ICFEM 2005: its numbers where they come out, ours elsewhere.

#[path = "published/icfem.rs"]
mod published;

use published::rows;

/// The others are off by less than one per cent, as the page says.
#[test]
fn rows_of_the_paper_come_out_exactly_or_nearly() {
    let off = |ours: u64, published: u64| ours.abs_diff(published) as f64 / published as f64;
    let mut exact = 0;
    for (row, ours) in rows() {
        assert_eq!(row.found(), ours, "{row}");
        exact += usize::from(ours == row.published);
        assert!(off(ours.0, row.published.0) < 0.01, "{row}");
        assert!(off(ours.1, row.published.1) < 0.01, "{row}");
    }
    assert_eq!(exact, 11, "of 26");
}
