//! The rank of a state by several rankings, and by novelty.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::{Described, EventId, Guided, Learnt, RankBy, RankingPart, StateId, learnt::Followed};

/// Ranks states by several rankings, one after the other.
#[derive(Serialize, Deserialize)]
pub(crate) struct Ranker {
    #[serde(skip)]
    parts: Vec<RankingPart>,
    /// How often each part of a state was seen.
    seen: FxHashMap<u64, u64>,
    /// What happened of runs that are learnt from, for each such part.
    followed: Vec<Followed>,
    #[serde(skip)]
    scratch: Vec<u64>,
}

impl Ranker {
    pub(crate) fn new(rank_by: Option<&RankBy>) -> Self {
        let parts = rank_by.map_or(Vec::new(), |rank_by| rank_by.0.clone());
        let followed = learnt(&parts).map(|_| Followed::default()).collect();
        Self { parts, seen: FxHashMap::default(), followed, scratch: Vec::new() }
    }

    /// Takes over the rankings of another ranker, which are not saved.
    pub(crate) fn take_parts(&mut self, other: Self) {
        self.parts = other.parts;
    }

    /// Whether what was restored is whole.
    pub(crate) fn fits(&self) -> bool {
        self.followed.len() == learnt(&self.parts).count()
            && learnt(&self.parts).zip(&self.followed).all(|(learnt, it)| it.fits(learnt))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.followed.iter().map(Followed::bytes).sum()
    }

    /// The rank of a state that enters the frontier, and the step by which it was reached.
    pub(crate) fn rank(
        &mut self,
        space: &mut (impl Guided + Described),
        state: StateId,
        by: Option<(StateId, EventId)>,
        rank: &mut Vec<i64>,
    ) {
        rank.clear();
        let parts = std::mem::take(&mut self.parts);
        let mut lessons = 0;
        for part in &parts {
            match part {
                RankingPart::Named(ranking) => space.rank(state, *ranking, rank),
                RankingPart::Novelty => self.novelty(space, state, rank),
                RankingPart::Learnt(learnt) => {
                    rank.push(self.followed[lessons].rank(learnt, space, state, by));
                    lessons += 1;
                }
            }
        }
        self.parts = parts;
    }

    /// The rarest part of the state decides, then all parts together. Only orders of magnitude
    /// count, so there are few ranks: with exact numbers, a search takes 3 times as long on ARQ.
    fn novelty(&mut self, space: &impl Guided, state: StateId, rank: &mut Vec<i64>) {
        self.scratch.clear();
        space.parts(state, &mut self.scratch);
        let (mut rarest, mut sum) = (u64::MAX, 0_u64);
        for &part in &self.scratch {
            let times = self.seen.entry(part).or_default();
            rarest = rarest.min(*times);
            sum = sum.saturating_add(*times);
            *times = times.saturating_add(1);
        }
        let magnitude = |times: u64| i64::from(u64::BITS - times.leading_zeros());
        rank.extend([-magnitude(rarest), -magnitude(sum)]);
    }
}

/// What a ranking has learnt, part by part.
fn learnt(parts: &[RankingPart]) -> impl Iterator<Item = &Learnt> {
    parts.iter().filter_map(|part| match part {
        RankingPart::Learnt(learnt) => Some(learnt),
        _ => None,
    })
}
