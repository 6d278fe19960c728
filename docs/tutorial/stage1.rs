use everypath::prelude::*;

#[data]
pub enum State {
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
pub enum Message {
    Ask,
    Grant,
    Release,
}
use Message::*;

#[data]
pub struct Wake;

const SERVER: NodeId = NodeId(0);
const REST: Duration = Duration::from_millis(20);
const HOLD: Duration = Duration::from_millis(5);
const RETRY: Duration = Duration::from_millis(4);

pub struct Lock;

impl Protocol for Lock {
    type State = State;
    type Message = Message;
    type Timer = Wake;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> State {
        if node.id == SERVER {
            return Free;
        }
        node.set_timer(Wake, REST);
        Resting
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, _: &Wake) {
        match *node.state {
            Resting | Waiting => {
                *node.state = Waiting;
                node.send(SERVER, Ask);
                node.set_timer(Wake, RETRY);
            }
            Holding => {
                *node.state = Resting;
                node.send(SERVER, Release);
                node.set_timer(Wake, REST);
            }
            Free | Taken(_) => unreachable!("the server sets no timer"),
        }
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        match (&*node.state, message) {
            (Free, Ask) => {
                *node.state = Taken(from);
                node.send(from, Grant);
            }
            (Taken(owner), Ask) if *owner == from => node.send(from, Grant),
            (Taken(owner), Release) if *owner == from => *node.state = Free,
            (Waiting, Grant) => {
                *node.state = Holding;
                node.set_timer(Wake, HOLD);
            }
            _ => {}
        }
    }
}

pub fn lock(_: &mut Parameters) -> Scenario<Lock> {
    Scenario::new(Lock, Topology::star(3))
        .about("A server gives a lock to one client at a time")
        .network(NetworkKind::FifoPerLink)
        .assert_always("at most one client holds the lock", |world| {
            world.nodes().filter(|(_, state)| **state == Holding).count() <= 1
        })
        .max_depth(16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use everypath::testing::check;

    #[test]
    fn one_client_at_a_time() {
        check(lock).assert_holds();
    }
}
