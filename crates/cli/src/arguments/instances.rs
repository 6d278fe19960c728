//! Options that cut an exploration into a trunk and instances.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

/// The options of instances.
#[derive(Args, Clone, Debug)]
#[command(
    next_help_heading = "Instances",
    group(ArgGroup::new("divided").args(["cut", "starts"])),
    group(ArgGroup::new("in_parts").args(["cut", "starts", "merge"]).multiple(true))
)]
pub(crate) struct InstanceArguments {
    /// Cut the exploration into a trunk and instances that run apart: depth:D for one instance per
    /// state of depth D, or a cut of the scenario (`show` lists them)
    #[arg(long, value_name = "CUT")]
    pub(crate) cut: Option<String>,
    /// Explore from starts that the scenario gives (`show` lists them) instead of its own start
    #[arg(long, value_name = "NAME")]
    pub(crate) starts: Option<String>,
    /// Deal the states of the cut into this many instances, by a digest of their content
    #[arg(long, value_name = "NUMBER", requires = "cut", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) parts: Option<u32>,
    /// Print a row for each instance
    #[arg(long, requires = "in_parts")]
    pub(crate) instances: bool,
    /// Run only instances whose name contains this text
    #[arg(long, value_name = "TEXT", requires = "divided")]
    pub(crate) instance: Option<String>,
    /// How many instances run at a time; the result does not depend on it [default: 1]
    #[arg(long, value_name = "THREADS", requires = "divided", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) jobs: Option<u32>,
    /// Run only every M-th instance, from the I-th, e.g. 1/3, and write the answer to a part file; an
    /// interrupted share goes on where its part file ends
    #[arg(long, value_name = "I/M", requires = "divided", value_parser = share_of, conflicts_with = "instance")]
    pub(crate) share: Option<Share>,
    /// The part file of --share [default: SCENARIO.part-I-of-M]
    #[arg(long, value_name = "FILE", requires = "share")]
    pub(crate) part: Option<PathBuf>,
    /// Run no further instance after the first that is violated
    #[arg(long, requires = "divided", conflicts_with_all = ["keep_going", "each_assertion"])]
    pub(crate) first: bool,
    /// Keep no digests of visited states: saves memory, but distinct states are not counted
    #[arg(long, requires = "divided")]
    pub(crate) no_union: bool,
    /// Join part files of --share into one answer; scenario and options are those of the files
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = DECIDED_BY_PARTS)]
    pub(crate) merge: Vec<PathBuf>,
}

/// What part files say themselves, or what no merge has.
const DECIDED_BY_PARTS: [&str; 37] = [
    "cut",
    "starts",
    "parts",
    "instance",
    "jobs",
    "share",
    "part",
    "first",
    "no_union",
    "set",
    "from_simulation",
    "max_depth",
    "max_states",
    "max_memory",
    "max_time",
    "workers",
    "checkpoint",
    "resume",
    "memo",
    "modified",
    "unmodified",
    "regressions",
    "neighbourhood",
    "require",
    "disable",
    "deadlock",
    "each_assertion",
    "keep_going",
    "verify_determinism",
    "trust_handlers",
    "strategy",
    "relation",
    "reduce",
    "native",
    "native_nodes",
    "profile",
    "graph",
];

impl InstanceArguments {
    /// Whether an exploration is cut, or its parts are merged.
    pub(crate) fn are_used(&self) -> bool {
        self.cut.is_some() || self.starts.is_some() || !self.merge.is_empty()
    }
}

/// A share of all instances: the `number`-th of `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Share {
    /// From 1.
    pub(crate) number: u32,
    pub(crate) of: u32,
}

impl Share {
    /// All instances.
    pub(crate) const ALL: Self = Self { number: 1, of: 1 };

    /// Whether the instance at a place belongs to the share.
    pub(crate) fn has(self, place: usize) -> bool {
        place % self.of as usize == self.number as usize - 1
    }
}

fn share_of(text: &str) -> Result<Share, String> {
    let (number, of) = text.split_once('/').unwrap_or_default();
    match (number.parse(), of.parse()) {
        (Ok(number), Ok(of)) if (1..=of).contains(&number) => Ok(Share { number, of }),
        _ => Err("write it as I/M with I from 1 to M, e.g. 1/3 for the first of three".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instance_belongs_to_one_share() {
        let shares = ["1/3", "2/3", "3/3"].map(|text| share_of(text).unwrap());
        for place in 0..20 {
            assert_eq!(shares.iter().filter(|share| share.has(place)).count(), 1);
            assert!(Share::ALL.has(place));
        }
        for wrong in ["", "1", "0/3", "4/3", "1/0", "a/b", "1/3/5", "-1/3"] {
            assert!(share_of(wrong).is_err(), "{wrong}");
        }
    }
}
