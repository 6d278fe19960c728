//! Chapters 4 to 6 of Sobeih's thesis (`docs/references.md`). Chapter 8 has a folder of its own.

mod aodv;
mod arq;
mod diffusion;
mod engines;
mod figures;
mod operations;
mod published;
mod runs;
mod searches;
mod simulated;
mod tables;

use super::listed::Listed;

/// The tables of these chapters.
pub(super) const TABLES: &[&[Listed]] = &[
    aodv::TABLES,
    operations::TABLES,
    engines::FIGURES,
    diffusion::TABLES,
    arq::TABLES,
    simulated::FIGURES,
    figures::FIGURES,
];
