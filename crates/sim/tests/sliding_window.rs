//! Go-back-N and selective repeat against the formulas of their utilisation.

use crate::validation;

use std::{collections::VecDeque, time::Duration};

use everypath_model::{
    LinkModel, Never, Node, NodeId, Protocol, Scenario, Start, Topology, WarmUp,
};
use everypath_sim::{Estimate, Limits, replicate};

/// Of 1000 bytes at 10 Mbit/s.
const FRAME: Duration = Duration::from_micros(800);
/// The delay of the link, in frames: the `a` of the formulas.
const DELAY: u32 = 4;
/// From the beginning of a frame to the end of its acknowledgement, which takes no time on the link.
const ROUND: u32 = 1 + 2 * DELAY;

/// Node 0 always has frames for node 1, of which some get lost; acknowledgements do not.
///
/// The formulas take a window for a share of the time that the sender may use: so it sends evenly, a frame
/// every `ROUND` / `window`, and not the whole window at once.
struct Sliding {
    window: u32,
    selective: bool,
}

/// What the sender knows; the receiver only uses `next`.
#[everypath_model::data]
#[derive(Default)]
struct State {
    /// Go-back-N: the oldest frame that is not acknowledged.
    base: u32,
    /// The frame to be sent, or received, next.
    next: u32,
    /// Selective repeat: the frames to be sent again.
    again: VecDeque<u32>,
    /// Selective repeat: how many are under way.
    under_way: u32,
}

#[everypath_model::data]
enum Message {
    Frame(u32),
    Acknowledgement(u32),
}

#[everypath_model::data]
enum Timer {
    Slot,
    TimeOut(u32),
}

impl Sliding {
    fn transmit(&self, state: &mut State, fx: &mut Start<'_, Self>) {
        let is_open = if self.selective {
            state.under_way < self.window
        } else {
            state.next < state.base + self.window
        };
        if is_open {
            let frame = state.again.pop_front().unwrap_or_else(|| {
                state.next += 1;
                state.next - 1
            });
            state.under_way += 1;
            fx.send(NodeId(1), Message::Frame(frame));
            fx.set_timer(Timer::TimeOut(frame), FRAME * ROUND);
        }
        fx.set_timer(Timer::Slot, FRAME * ROUND / self.window.min(ROUND));
    }
}

impl Protocol for Sliding {
    type State = State;
    type Message = Message;
    type Timer = Timer;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> State {
        let me = node.id;
        let (_, mut fx) = node.split();
        let fx = &mut fx;
        let mut state = State::default();
        if me == NodeId(0) {
            self.transmit(&mut state, fx);
        }
        state
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        match *message {
            Message::Frame(number) if self.selective || number == node.state.next => {
                node.state.next = number + 1;
                node.count("accepted");
                node.send(from, Message::Acknowledgement(number));
            }
            // Go-back-N takes them in order only.
            Message::Frame(_) => {}
            Message::Acknowledgement(number) => {
                node.state.base = number + 1;
                node.state.under_way -= 1;
                node.cancel_timer(&Timer::TimeOut(number));
            }
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &Timer) {
        let (state, mut fx) = node.split();
        let fx = &mut fx;
        match *timer {
            Timer::Slot => self.transmit(state, fx),
            Timer::TimeOut(number) if self.selective => {
                state.under_way -= 1;
                state.again.push_back(number);
            }
            Timer::TimeOut(number) => {
                assert_eq!(number, state.base, "the oldest one runs out of time first");
                for number in state.base..state.next {
                    fx.cancel_timer(&Timer::TimeOut(number));
                }
                state.under_way = 0;
                state.next = state.base;
            }
        }
    }
}

impl Sliding {
    fn message_bytes(&self, message: &Message) -> usize {
        match message {
            Message::Frame(_) => 1000,
            Message::Acknowledgement(_) => 0,
        }
    }
}

/// The share of the time in which the link carries frames that are accepted.
#[allow(clippy::cast_precision_loss)]
fn utilisation(window: u32, selective: bool, loss: f64) -> Estimate {
    let link = LinkModel::default().delay(FRAME * DELAY).loss(loss);
    let mut scenario =
        Scenario::new(Sliding { window, selective }, Topology::chain(2)).simulation(|run| {
            run.message_bytes(Sliding::message_bytes)
                .link(link)
                .warm_up(WarmUp::Until(Duration::from_secs(1)))
                .duration(Duration::from_secs(21))
                .measure("utilisation", "", |run| {
                    run.count("accepted") as f64 * FRAME.as_secs_f64() / run.elapsed_s()
                })
        });
    let back = link.bandwidth_bps(None).loss(0.0);
    scenario.simulation.links.push(((NodeId(1), NodeId(0)), back));
    let runs = replicate(&scenario, 1, 20, &Limits::default(), &mut ()).unwrap();
    runs.measure("utilisation").unwrap().clone()
}

fn hold(protocol: &str, found: &Estimate, expected: f64, (window, loss): (u32, f64)) {
    let what = format!("{protocol}, window {window}, loss {loss:.2}: utilisation");
    if loss == 0.0 {
        // No chance in it: only a frame more or less at the ends of the run.
        validation::against_approximation(&what, found, expected, 1e-3);
    } else {
        validation::against_formula(&what, found, expected, 0.01);
    }
}

/// Windows that are smaller than, as large as and larger than what is under way in a round.
const WINDOWS: [u32; 4] = [1, 3, 9, 20];
const LOSSES: [f64; 4] = [0.0, 0.01, 0.1, 0.3];

#[test]
fn go_back_n() {
    for window in WINDOWS {
        for loss in LOSSES {
            let (round, wide) = (f64::from(ROUND), f64::from(window));
            let expected = if window >= ROUND {
                (1.0 - loss) / (1.0 + 2.0 * f64::from(DELAY) * loss)
            } else {
                wide * (1.0 - loss) / (round * (1.0 - loss + wide * loss))
            };
            hold("go-back-N", &utilisation(window, false, loss), expected, (window, loss));
        }
    }
}

#[test]
fn selective_repeat() {
    for window in WINDOWS {
        for loss in LOSSES {
            let share = (f64::from(window) / f64::from(ROUND)).min(1.0);
            let expected = share * (1.0 - loss);
            hold("selective repeat", &utilisation(window, true, loss), expected, (window, loss));
        }
    }
}
