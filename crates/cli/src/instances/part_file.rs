//! Part files: the answers of one share, sealed.

use std::{
    collections::BTreeMap,
    io::{self, Read},
    path::Path,
};

use everypath_report::{PART, SealedFileError, Trouble, open_any_sealed, write_sealed};
use serde::{Deserialize, Serialize};

use super::{
    answer::{Answers, Found},
    digests::{Digests, Seen},
};
use crate::{arguments::instances::Share, output::words};

/// What a share has answered so far.
#[derive(Debug, Deserialize)]
pub(super) struct Part {
    /// The number of the share, and how many there are.
    share: (u32, u32),
    /// The arguments with which it was run.
    pub(super) words: Vec<String>,
    pub(super) answers: Answers,
    /// Whether digests of states follow.
    has_digests: bool,
}

/// The same as it is written.
#[derive(Serialize)]
struct PartText<'a> {
    share: (u32, u32),
    words: Vec<String>,
    answers: &'a Answers,
    has_digests: bool,
}

/// Writes a part file, whole or not at all.
pub(super) fn write_part(
    path: &Path,
    identity: &BTreeMap<String, String>,
    share: Share,
    answers: &Answers,
) -> Result<u64, SealedFileError> {
    let text = PartText {
        share: (share.number, share.of),
        words: words().skip(1).collect(),
        answers,
        has_digests: answers.seen.is_some(),
    };
    write_sealed(&PART, path, identity, &|out| {
        let text = serde_json::to_vec(&text)?;
        out.write_all(&(text.len() as u64).to_le_bytes())?;
        out.write_all(&text)?;
        match &answers.seen {
            Some(Seen { expanded, waiting }) => {
                expanded.write(out)?;
                waiting.write(out)
            }
            None => Ok(()),
        }
    })
}

impl Part {
    pub(super) fn share(&self) -> Share {
        Share { number: self.share.0, of: self.share.1 }
    }

    /// Reads a file of any search: its identity, and its content.
    pub(super) fn read(path: &Path) -> Result<(BTreeMap<String, String>, Self), SealedFileError> {
        let (identity, mut content) = open_any_sealed(&PART, path)?;
        let part = Self::read_content(&mut content).and_then(|part| {
            let trouble = part.trouble();
            trouble.map_or(Ok(part), |what| Err(io::Error::other(what)))
        });
        let part = part.map_err(|error| SealedFileError {
            kind: &PART,
            path: path.to_owned(),
            trouble: Trouble::Content(error.to_string()),
        })?;
        Ok((identity, part))
    }

    fn read_content(input: &mut dyn Read) -> io::Result<Self> {
        let mut bytes = [0; 8];
        input.read_exact(&mut bytes)?;
        let len = u64::from_le_bytes(bytes);
        let mut text = Vec::new();
        input.take(len).read_to_end(&mut text)?;
        let mut part: Self = serde_json::from_slice(&text)?;
        if part.has_digests {
            let expanded = Digests::read(input)?;
            part.answers.seen = Some(Seen { expanded, waiting: Digests::read(input)? });
        }
        Ok(part)
    }

    /// What is impossible in it, if something is.
    fn trouble(&self) -> Option<&'static str> {
        let Share { number, of } = self.share();
        if !(1..=of).contains(&number) {
            return Some("it is not a share of anything");
        }
        let Answers { instances, answers, violations, goals, .. } = &self.answers;
        let exists = |place: usize| place < instances.len();
        if !answers.keys().all(|&place| exists(place) && self.share().has(place)) {
            return Some("it answers for an instance that is not in its share");
        }
        let fits = |found: &Found| match found.instance {
            Some(place) => answers.contains_key(&place) && found.start < instances[place].starts,
            None => true,
        };
        (!violations.iter().chain(goals).all(fits))
            .then_some("it has a run of an instance that it does not answer for")
    }
}
