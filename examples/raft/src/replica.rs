//! The knowledge of a `raftbare` node, as plain data.
//!
//! A state must be comparable and writable to a file, and a `raftbare::Node` is neither. Its term,
//! vote, log and committed index have getters. Votes, followers and the number of its last message
//! do not, but a node prints them, so they are parsed from there. There is no inverse: nodes are made
//! again by the events that led to them.
//!
//! One thing is missing: which of several nodes with equally much of the log a leader counts to the
//! majority. It has no effect, since only the least index in the majority is used, which follows
//! from the logs.

use std::collections::BTreeSet;

use everypath::prelude::*;
use raftbare::Node;

use crate::log::{Entry, entries_of};

/// The knowledge of a running node.
#[data]
pub struct Replica {
    /// The latest known term.
    pub term: u64,
    /// The node it has voted for in this term, or follows.
    pub vote: Option<u32>,
    /// Its log.
    pub log: Vec<Entry>,
    /// The index up to which it knows the log to be committed.
    pub commit: u64,
    /// The number of the last message that began an exchange.
    pub seqno: u64,
    /// Its role in this term.
    pub role: Role,
}

/// The role of a node in a term.
#[data]
pub enum Role {
    /// It follows a leader.
    Follower,
    /// It is a candidate.
    Candidate {
        /// The nodes that have voted for it.
        votes: BTreeSet<u32>,
    },
    /// It is the leader.
    Leader {
        /// Its knowledge of the others.
        followers: Vec<Progress>,
    },
}

/// A leader's knowledge of another node.
#[data]
#[derive(Copy)]
pub struct Progress {
    /// The node.
    pub node: u32,
    /// The index up to which its log equals the leader's.
    pub matched: u64,
    /// The number of the last message that it has answered.
    pub seqno: u64,
}

impl Replica {
    /// The knowledge of a node, whose actions must have been taken before.
    ///
    /// # Panics
    /// If its `Debug` output differs from version 0.2.2.
    pub(crate) fn of(node: &Node) -> Self {
        let printed = format!("{node:?}");
        let (_, after) = printed.split_once(", seqno: ").expect("a node prints its number");
        let (seqno, after) = after.split_once(", actions: ").expect("a node prints its actions");
        let (_, role) = after.rsplit_once(" role: ").expect("a node prints its role");
        let role = if let Some(candidate) = role.strip_prefix("Candidate {") {
            Role::Candidate { votes: numbers(candidate).map(|id| id as u32).collect() }
        } else if let Some(leader) = role.strip_prefix("Leader {") {
            let (followers, _) = leader.split_once(", quorum: ").expect("a leader has a quorum");
            let numbers: Vec<u64> = numbers(followers).collect();
            let followers = numbers.chunks_exact(3);
            let followers = followers
                .map(|it| Progress { node: it[0] as u32, matched: it[1], seqno: it[2] })
                .collect();
            Role::Leader { followers }
        } else {
            assert!(role.starts_with("Follower"), "{role} is not a role");
            Role::Follower
        };
        Self {
            term: node.current_term().get(),
            vote: node.voted_for().map(|id| id.get() as u32),
            log: entries_of(node.log().entries()),
            commit: node.commit_index().get(),
            seqno: numbers(seqno).next().expect("a number has digits"),
            role,
        }
    }

    /// Whether it is the leader.
    #[must_use]
    pub fn leads(&self) -> bool {
        matches!(self.role, Role::Leader { .. })
    }
}

/// The numbers in a text.
fn numbers(text: &str) -> impl Iterator<Item = u64> + '_ {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok())
}
