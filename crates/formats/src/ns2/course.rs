//! The path of one node, made of its commands.

use std::time::Duration;

use everypath_model::{Leg, Path, Position};

use super::statement::Command;

/// The commands to a node at one moment: first a jump, then a movement.
#[derive(Default)]
struct Moment {
    jump: Option<[Option<f64>; 3]>,
    go: Option<Command>,
}

/// The start of a node and its commands, in the order of time.
pub(super) fn path(start: Position, commands: &[(Duration, Command)]) -> Path {
    let mut walk = Walk { path: Path::at(start), here: start };
    for commands in commands.chunk_by(|a, b| a.0 == b.0) {
        let mut moment = Moment::default();
        for (_, command) in commands {
            match *command {
                Command::Set(axis, value) => {
                    moment.jump.get_or_insert_default()[axis as usize] = Some(value);
                    moment.go = None;
                }
                Command::SetDestination { .. } => moment.go = Some(*command),
            }
        }
        walk.obey(commands[0].0, &moment);
    }
    walk.path
}

/// A path, and the start of its last leg.
struct Walk {
    path: Path,
    here: Position,
}

impl Walk {
    fn obey(&mut self, time: Duration, moment: &Moment) {
        if let Some([x, y, z]) = moment.jump {
            let from = self.position(time);
            let to =
                Position { x: x.unwrap_or(from.x), y: y.unwrap_or(from.y), z: z.unwrap_or(from.z) };
            if time.is_zero() {
                (self.path.start, self.here) = (to, to);
            } else if from != to || self.is_under_way(time) {
                self.push(jump(from, to, time));
            }
        }
        if let Some(Command::SetDestination { x, y, z, speed }) = moment.go {
            let z = z.unwrap_or_else(|| self.position(time).z);
            self.push(Leg { begin: time, to: Position { x, y, z }, speed });
        }
    }

    /// The position of the node at a time during its last leg.
    fn position(&self, time: Duration) -> Position {
        let Some(leg) = self.path.legs.last() else {
            return self.here;
        };
        let (from, to) = (self.here, leg.to);
        let whole = from.distance(to);
        let walked = leg.speed * time.saturating_sub(leg.begin).as_secs_f64();
        if walked >= whole {
            return to;
        }
        let share = walked / whole;
        Position {
            x: from.x + (to.x - from.x) * share,
            y: from.y + (to.y - from.y) * share,
            z: from.z + (to.z - from.z) * share,
        }
    }

    fn is_under_way(&self, time: Duration) -> bool {
        self.path.legs.last().is_some_and(|leg| self.position(time) != leg.to)
    }

    fn push(&mut self, leg: Leg) {
        self.here = self.position(leg.begin);
        self.path.legs.push(leg);
    }
}

/// The leg of a node that jumps: it takes half of the last nanosecond before.
fn jump(from: Position, to: Position, at: Duration) -> Leg {
    let begin = at.saturating_sub(Duration::from_nanos(1));
    Leg { begin, to, speed: from.distance(to) * 2e9 }
}
