use everypath::prelude::*;

#[data]
pub enum State {
    // Of the server:
    Free,
    Taken(NodeId, u32),
    // Of a client:
    Resting(u32),
    Waiting(u32),
    Holding(u32),
}
use State::*;

#[data]
pub enum Message {
    Ask(u32),
    Grant(u32),
    Release(u32),
}
use Message::*;

#[data]
pub struct Wake;

const SERVER: NodeId = NodeId(0);
const REST: Duration = Duration::from_millis(20);
const HOLD: Duration = Duration::from_millis(5);

pub struct Lock {
    retry: Duration,
}

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
        Resting(1)
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, _: &Wake) {
        if let Resting(_) = node.state {
            node.begin("waiting time", node.id.0.into());
        }
        match *node.state {
            Resting(turn) | Waiting(turn) => {
                *node.state = Waiting(turn);
                node.send(SERVER, Ask(turn));
                node.set_timer(Wake, self.retry);
                node.count("asks");
            }
            Holding(turn) => {
                *node.state = Resting(turn + 1);
                node.send(SERVER, Release(turn));
                node.set_timer(Wake, REST);
            }
            Free | Taken(..) => unreachable!("the server sets no timer"),
        }
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        match (&*node.state, message) {
            (Free, Ask(turn)) => {
                *node.state = Taken(from, *turn);
                node.send(from, Grant(*turn));
            }
            (Taken(owner, taken), Ask(turn)) if *owner == from && taken <= turn => {
                *node.state = Taken(from, *turn);
                node.send(from, Grant(*turn));
            }
            (Taken(owner, taken), Release(turn)) if *owner == from && taken == turn => {
                *node.state = Free;
            }
            (Waiting(turn), Grant(granted)) if turn == granted => {
                *node.state = Holding(*turn);
                node.set_timer(Wake, HOLD);
                node.end("waiting time", node.id.0.into());
                node.count("turns");
            }
            _ => {}
        }
    }
}

pub fn lock(parameters: &mut Parameters) -> Scenario<Lock> {
    let network =
        parameters.network("network", NetworkKind::FifoPerLink, "in which order messages arrive");
    let loss = parameters.budget("loss", Budget::Unlimited, "how often a message is lost");
    let clients = parameters.number("clients", 2, 1..=32, "how many want the lock");
    let four = Duration::from_millis(4);
    let retry = parameters.duration("retry", four, "how long a client waits for an answer");
    let rate = parameters.number("loss-rate", 0.0, 0.0..=1.0, "the share that links lose");
    Scenario::new(Lock { retry }, Topology::star(1 + clients))
        .about("A server gives a lock to one client at a time")
        .network(network)
        .loss(loss)
        .assert_always("at most one client holds the lock", |world| {
            world.nodes().filter(|(_, state)| matches!(state, Holding(_))).count() <= 1
        })
        .max_depth(16)
        .simulation(|run| {
            run.link(LinkModel::default().loss(rate))
                .duration(Duration::from_secs(100))
                .measure("waiting time", "s", |run| run.mean("waiting time"))
                .measure("asks per turn", "", |run| {
                    run.count("asks") as f64 / run.count("turns") as f64
                })
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use everypath::testing::{Net, check, replay, simulate};

    #[test]
    fn one_client_at_a_time() {
        check(lock).assert_holds();
    }

    #[test]
    fn an_old_grant_is_ignored() {
        replay(lock)
            .steps([
                "timer Wake fires at n2",
                "timer Wake fires at n2",
                "Ask(1) from n2 arrives at n0",
                "Ask(1) from n2 arrives at n0",
                "Grant(1) from n0 arrives at n2",
                "timer Wake fires at n2",
                "Release(1) from n2 arrives at n0",
                "timer Wake fires at n1",
                "timer Wake fires at n2",
                "Ask(1) from n1 arrives at n0",
                "Grant(1) from n0 arrives at n1",
                "Grant(1) from n0 arrives at n2",
            ])
            .assert_holds();
    }

    #[test]
    fn a_lost_grant_is_given_again() {
        let mut net = Net::of(lock);
        net.advance(REST);
        net.expect(1, 0, &Ask(1)).deliver();
        net.expect(2, 0, &Ask(1)).lose();
        net.expect(0, 1, &Grant(1)).lose();
        net.expect_silence().fire(1, &Wake);
        net.expect(1, 0, &Ask(1)).deliver();
        net.expect(0, 1, &Grant(1)).deliver();
        assert_eq!(*net.state(1), Holding(1));
        assert_eq!(*net.state(2), Waiting(1));
    }

    #[test]
    fn one_client_at_a_time_in_any_order() {
        check(lock).set("network", "unordered").assert_holds();
    }

    #[test]
    fn an_old_release_is_ignored() {
        replay(lock)
            .set("network", "unordered")
            .steps([
                "timer Wake fires at n1",
                "Ask(1) from n1 arrives at n0",
                "Grant(1) from n0 arrives at n1",
                "timer Wake fires at n1",
                "timer Wake fires at n1",
                "Ask(2) from n1 arrives at n0",
                "timer Wake fires at n2",
                "Release(1) from n1 arrives at n0",
                "Ask(1) from n2 arrives at n0",
                "Grant(1) from n0 arrives at n2",
                "Grant(2) from n0 arrives at n1",
            ])
            .assert_holds();
    }

    #[test]
    fn a_lone_client_waits_for_two_hops() {
        simulate(lock).set("clients", 1).measure("waiting time").assert_between(0.002, 0.0022);
    }
}
