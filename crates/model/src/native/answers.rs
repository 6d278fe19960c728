//! What the world answers to a handler: noted at its first execution, and given again later.

use std::{cell::Cell, time::Duration};

use serde::{Deserialize, Serialize};

use crate::{Actor, Effects, NodeId, Record};

/// The answers that one execution of a handler got.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Answers {
    choices: Box<[u32]>,
    /// The neighbours, if the handler asked for them.
    neighbours: Option<Box<[NodeId]>>,
}

/// Effects that happen, and note the answers.
pub(super) struct Noting<'a, A: Actor> {
    effects: &'a mut dyn Effects<A>,
    choices: Vec<u32>,
    asked: Cell<bool>,
}

impl<'a, A: Actor> Noting<'a, A> {
    pub(super) fn new(effects: &'a mut dyn Effects<A>) -> Self {
        Self { effects, choices: Vec::new(), asked: Cell::new(false) }
    }

    pub(super) fn answers(self) -> Answers {
        let neighbours = self.asked.get().then(|| self.effects.neighbours().into());
        Answers { choices: self.choices.into(), neighbours }
    }
}

impl<A: Actor> Effects<A> for Noting<'_, A> {
    #[track_caller]
    fn emit(&mut self, output: A::Output) {
        self.effects.emit(output);
    }

    fn set_timer(&mut self, timer: A::Timer, after: Duration) {
        self.effects.set_timer(timer, after);
    }

    fn prolong_timer(&mut self, timer: A::Timer, after: Duration) {
        self.effects.prolong_timer(timer, after);
    }

    fn cancel_timer(&mut self, timer: &A::Timer) {
        self.effects.cancel_timer(timer);
    }

    fn time_left(&self, timer: &A::Timer) -> Option<Duration> {
        self.effects.time_left(timer)
    }

    #[track_caller]
    fn choose(&mut self, options: u32) -> u32 {
        let choice = self.effects.choose(options);
        self.choices.push(choice);
        choice
    }

    fn record(&mut self, record: Record) {
        self.effects.record(record);
    }

    fn neighbours(&self) -> &[NodeId] {
        self.asked.set(true);
        self.effects.neighbours()
    }
}

/// Effects that do not happen again, with the answers of the first execution.
pub(super) struct Repeating<'a> {
    answers: &'a Answers,
    asked: usize,
}

impl<'a> Repeating<'a> {
    pub(super) fn new(answers: &'a Answers) -> Self {
        Self { answers, asked: 0 }
    }
}

impl<A: Actor> Effects<A> for Repeating<'_> {
    fn emit(&mut self, _: A::Output) {}

    fn set_timer(&mut self, _: A::Timer, _: Duration) {}

    fn cancel_timer(&mut self, _: &A::Timer) {}

    #[track_caller]
    fn choose(&mut self, options: u32) -> u32 {
        let choice = self.answers.choices.get(self.asked).copied();
        self.asked += 1;
        let choice = choice.filter(|choice| *choice < options);
        choice.expect("a handler that is executed again chooses as it did the first time")
    }

    fn record(&mut self, _: Record) {}

    fn neighbours(&self) -> &[NodeId] {
        let neighbours = self.answers.neighbours.as_deref();
        neighbours.expect("a handler that is executed again asks for what it asked the first time")
    }
}
