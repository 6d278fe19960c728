//! Worker threads that look states up while another thread expands.

use std::{
    sync::{
        Arc,
        mpsc::{Receiver, SyncSender, channel, sync_channel},
    },
    thread::Scope,
};

use super::exact_set::ExactSet;
use crate::StateId;

/// How many batches may wait for a thread: enough to keep it busy, few enough to stay in the cache.
const BATCHES_WAITING: usize = 8;

/// Worker threads, each with a part of the visited states: those with its upper halves.
///
/// Which states are new depends neither on the number of threads nor on their speed: each gets all
/// batches in order. Only the order of their answers differs.
pub(crate) struct Crew {
    orders: Vec<SyncSender<Arc<[StateId]>>>,
    answers: Receiver<Answer>,
    /// How many answers are outstanding.
    awaited: usize,
    /// By thread: the bytes of its part.
    bytes: Vec<usize>,
}

/// The new states that a thread found in a batch.
struct Answer {
    thread: usize,
    new: Vec<StateId>,
    bytes: usize,
}

impl Crew {
    pub(crate) fn start<'scope>(scope: &'scope Scope<'scope, '_>, threads: usize) -> Self {
        let (answer, answers) = channel();
        let orders = (0..threads).map(|thread| {
            let (order, batches) = sync_channel::<Arc<[StateId]>>(BATCHES_WAITING);
            let answer = answer.clone();
            scope.spawn(move || {
                let mut set = ExactSet::default();
                for batch in batches {
                    let new = insert_own(&mut set, &batch, thread, threads);
                    // There is no receiver if the search has panicked.
                    let _ = answer.send(Answer { thread, new, bytes: set.bytes() });
                }
            });
            order
        });
        Self { orders: orders.collect(), answers, awaited: 0, bytes: vec![0; threads] }
    }

    /// Sends states to the threads, to be looked up and stored.
    pub(crate) fn insert(&mut self, batch: &[StateId]) {
        let batch: Arc<[StateId]> = batch.into();
        for order in &self.orders {
            order.send(Arc::clone(&batch)).expect("worker threads outlive the crew");
        }
        self.awaited += self.orders.len();
    }

    /// Calls `give` with each new state: those known by now, or all.
    pub(crate) fn collect(&mut self, all: bool, mut give: impl FnMut(StateId)) {
        while self.awaited > 0 {
            let answer = if all { self.answers.recv().ok() } else { self.answers.try_recv().ok() };
            let Some(Answer { thread, new, bytes }) = answer else { return };
            self.awaited -= 1;
            self.bytes[thread] = bytes;
            new.into_iter().for_each(&mut give);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes.iter().sum()
    }
}

/// Inserts the states of a batch that belong to a thread. The result is the new ones.
fn insert_own(
    set: &mut ExactSet,
    batch: &[StateId],
    thread: usize,
    threads: usize,
) -> Vec<StateId> {
    let (thread, threads) = (thread as u64, threads as u64);
    let own = batch.iter().filter(|state| (state.0 >> 32) % threads == thread);
    own.copied()
        .filter(|&StateId(state)| {
            // Divided by the number of threads, the upper halves of one thread are dense again.
            let upper = (state >> 32) / threads;
            set.insert(StateId(upper << 32 | state & u64::from(u32::MAX)))
        })
        .collect()
}
