//! Checkpoints as bytes.

use std::{
    io::{self, Write},
    time::Duration,
};

use serde::{Deserialize, Serialize};

use crate::{Checksummed, Guided, Identity, Options, RankingPart, Related, Saved, Stop, Strategy};

/// The head of a checkpoint.
#[derive(Serialize, Deserialize)]
pub(crate) struct Head {
    pub(crate) identity: Identity,
    /// Time that has passed.
    pub(crate) elapsed: Duration,
}

/// The options that must be equal in a resumed search: all that decide what it does, but not its
/// limits and measurements. The space compares the model itself.
pub(crate) fn identity(options: &Options, space: &(impl Guided + Related)) -> Identity {
    let Options { strategy, add, shuffle, store, relation, .. } = options;
    let or_none = |value: Option<String>| value.unwrap_or_else(|| "none".to_owned());
    let number = |number: Option<u64>| or_none(number.map(|number| number.to_string()));
    let part = |part: &RankingPart| match part {
        RankingPart::Named(ranking) => space.rankings().swap_remove(*ranking),
        RankingPart::Novelty => "novelty".to_owned(),
        RankingPart::Learnt(learnt) => format!("learnt from {:016x}", learnt.digest()),
    };
    let ranking = strategy.rank_by().map(|rank_by| rank_by.0.iter().map(part).collect::<Vec<_>>());
    let width = match strategy {
        Strategy::Beam { width, .. } => Some(*width as u64),
        _ => None,
    };
    let required = options.required_on_path.as_ref().map(ToString::to_string);
    let ties = options.ties_used().map(|ties| ties.name().to_owned());
    let facts = [
        ("strategy", strategy.name().to_owned()),
        ("ranking", or_none(ranking.map(|names| names.join(",")))),
        ("ties", or_none(ties)),
        ("width", number(width)),
        ("add", format!("{add:?}").to_lowercase()),
        ("shuffle", number(*shuffle)),
        ("seed", options.seed.to_string()),
        ("store", format!("{store:?}")),
        ("relation", or_none(relation.map(|relation| space.relations().swap_remove(relation)))),
        ("event required on the path", or_none(required)),
        ("max-depth", number(options.max_depth.map(u64::from))),
        ("each-assertion", (options.stop == Stop::Each).to_string()),
        ("keep-going", (options.stop == Stop::Never).to_string()),
        ("semantics", format!("{:?}", options.semantics).to_lowercase()),
    ];
    facts.map(|(what, said)| (what.to_owned(), said)).into()
}

/// Writes a checkpoint: the state of the search, the content of the space, and the checksum of
/// both.
pub(crate) fn write(
    out: &mut dyn Write,
    options: &Options,
    elapsed: Duration,
    state: &impl Serialize,
    space: &(impl Guided + Related + Saved),
) -> io::Result<()> {
    let mut out = Checksummed::new(out);
    let head = Head { identity: identity(options, space), elapsed };
    let head = postcard::to_stdvec(&head).map_err(io::Error::other)?;
    write_value(&mut out, &head.len())?;
    out.write_all(&head)?;
    write_value(&mut out, state)?;
    space.save(&mut out)?;
    let sum = out.sum();
    out.beyond().write_all(&sum.to_le_bytes())
}

fn write_value(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    postcard::to_io(value, out).map(drop).map_err(io::Error::other)
}
