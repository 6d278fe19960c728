//! All that a node of `raftbare` knows, as plain data.
//!
//! A state must be comparable and writable to a file, and a `raftbare::Node` is neither. Term, vote, log and how far it is
//! committed can be asked of a node; votes, followers and the number of its last message cannot, but a node prints
//! them. So they are read from there. The way back is in `rebuild.rs`.
//!
//! One thing is left out: which nodes a leader counts to the majority, of those that have equally much of its log. It decides
//! nothing, as only the least index in the majority is ever asked for, and that follows from how much each node has.

use std::collections::BTreeSet;

use everypath::prelude::*;
use raftbare::Node;

use crate::log::{Entry, entries_of};

/// What a running node knows.
#[data]
pub struct Replica {
    /// The latest term it has heard of.
    pub term: u64,
    /// For whom it has voted in this term, or whom it follows.
    pub vote: Option<u32>,
    /// Its log.
    pub log: Vec<Entry>,
    /// How much of the log it knows to be committed.
    pub commit: u64,
    /// The number of the last message that began an exchange.
    pub seqno: u64,
    /// What it is in this term.
    pub role: Role,
}

/// What a node is in a term.
#[data]
pub enum Role {
    /// It does what a leader says.
    Follower,
    /// It wants to lead.
    Candidate {
        /// Who has voted for it.
        votes: BTreeSet<u32>,
    },
    /// It leads.
    Leader {
        /// What it knows of the others.
        followers: Vec<Progress>,
    },
}

/// What a leader knows of another node.
#[data]
#[derive(Copy)]
pub struct Progress {
    /// Which node.
    pub node: u32,
    /// Up to where its log is known to be the leader's.
    pub matched: u64,
    /// The number of the last message that it has answered.
    pub seqno: u64,
}

impl Replica {
    /// What a node knows. All that it wanted to be done must have been taken from it.
    ///
    /// # Panics
    /// If it prints itself in another way than version 0.2.2 does.
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
            assert!(role.starts_with("Follower"), "{role} is no role");
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

    /// Whether it leads.
    #[must_use]
    pub fn leads(&self) -> bool {
        matches!(self.role, Role::Leader { .. })
    }
}

/// The numbers in a text.
fn numbers(text: &str) -> impl Iterator<Item = u64> + '_ {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok())
}
