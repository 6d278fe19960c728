use everypath::prelude::*;

#[data]
enum State {
    // Of the server:
    Free,
    Taken(NodeId),
    // Of a client:
    Resting,
    Waiting,
    Holding,
}
use State::*;

#[data]
enum Message {
    Ask,
    Grant,
    Release,
}
use Message::*;

#[data]
struct Wake;

const SERVER: NodeId = NodeId(0);
const REST: Duration = Duration::from_millis(20);
const HOLD: Duration = Duration::from_millis(5);
const RETRY: Duration = Duration::from_millis(4);

struct Lock;

impl Protocol for Lock {
    type State = State;
    type Message = Message;
    type Timer = Wake;
    type Command = Never;

    fn start(&self, me: NodeId, fx: &mut impl Effects<Self>) -> State {
        if me == SERVER {
            return Free;
        }
        fx.set_timer(Wake, REST);
        Resting
    }

    fn on_timer(&self, _: NodeId, state: &mut State, _: &Wake, fx: &mut impl Effects<Self>) {
        match *state {
            Resting | Waiting => {
                *state = Waiting;
                fx.send(SERVER, Ask);
                fx.set_timer(Wake, RETRY);
            }
            Holding => {
                *state = Resting;
                fx.send(SERVER, Release);
                fx.set_timer(Wake, REST);
            }
            Free | Taken(_) => unreachable!("the server sets no timer"),
        }
    }

    fn on_message(
        &self,
        _: NodeId,
        state: &mut State,
        from: NodeId,
        message: &Message,
        fx: &mut impl Effects<Self>,
    ) {
        match (&*state, message) {
            (Free, Ask) => {
                *state = Taken(from);
                fx.send(from, Grant);
            }
            (Taken(owner), Ask) if *owner == from => fx.send(from, Grant),
            (Taken(owner), Release) if *owner == from => *state = Free,
            (Waiting, Grant) => {
                *state = Holding;
                fx.set_timer(Wake, HOLD);
            }
            _ => {}
        }
    }
}

fn lock(_: &mut Parameters) -> Scenario<Lock> {
    Scenario::new(Lock, Topology::star(3))
        .about("A server gives a lock to one client at a time")
        .network(NetworkKind::FifoPerLink)
        .assertion("at most one client holds the lock", |world| {
            world.nodes().filter(|(_, state)| **state == Holding).count() <= 1
        })
        .max_depth(16)
}

everypath::main!(lock);
