//! The plain engine, in the place of the general-purpose checker with which Sobeih's thesis compares.

use crate::reproduce::{
    laboratory::{Halt, Laboratory, by_plain_engine},
    measured::Measured,
};

/// Makes searches again, with the plain engine.
pub(super) fn by_plain(
    laboratory: &mut Laboratory<'_>,
    searches: &[String],
    usual: &[Measured],
) -> Result<Vec<Measured>, Halt> {
    let words: Vec<String> = searches.iter().map(|words| by_plain_engine(words)).collect();
    let plain = laboratory.searches(&words)?;
    for ((usual, plain), words) in usual.iter().zip(&plain).zip(searches) {
        usual.ensure_same(plain, words);
    }
    Ok(plain)
}
