//! Leases: a server grants one client at a time the use of a resource, for a while. A client that hears of its grant
//! uses the resource until its own clock says that the while is over. The server grants the next lease when its clock says
//! so, and a grace period later. Who is right is a question of time: of how long packets take, of the drift of
//! clocks, and of the moment from which a client counts: its request, or the arrival of the answer.
//!
//! cargo run --release --example lease -- check lease --timed
//! cargo run --release --example lease -- check lease --timed --set grace=8ms
//!
//! A packet takes 1 to 2 ms, and a timer of d fires between (1 − drift) d and (1 + drift) d. A client that counts from the
//! arrival uses the resource until at most 2 ms + (1 + drift) lease after the server has answered. The server waits at least
//! (1 − drift) (lease + grace), and its next answer takes 1 ms. So with a lease of 8 ms and a drift of a quarter, it is safe
//! with a grace of more than 6⅔ ms. With clients that count from their request, 2⅔ ms are enough. Without time, `check`
//! finds that no grace is enough.

use everypath::prelude::*;

#[derive(Clone)]
struct Lease {
    lease: Duration,
    grace: Duration,
    /// Whether clients count from their request.
    from_request: bool,
}

#[data]
enum State {
    Server {
        holder: Option<NodeId>,
    },
    Client {
        /// Whether it has asked and heard nothing yet.
        asks: bool,
        uses: bool,
    },
}

#[data]
#[derive(Copy)]
enum Message {
    Request,
    Grant,
}

#[data]
enum Timer {
    /// At the server: the lease and the grace period are over.
    Free,
    /// At a client: the lease is over.
    Over,
}

#[data]
struct Ask;

const SERVER: NodeId = NodeId(0);

impl Protocol for Lease {
    type State = State;
    type Message = Message;
    type Timer = Timer;
    type Command = Ask;

    fn start(&self, node: &mut Start<'_, Self>) -> State {
        match node.id {
            SERVER => State::Server { holder: None },
            _ => State::Client { asks: false, uses: false },
        }
    }

    fn commands(&self, _: NodeId, state: &State) -> Vec<Ask> {
        let is_idle = matches!(state, State::Client { asks: false, uses: false });
        is_idle.then_some(Ask).into_iter().collect()
    }

    fn on_command(&self, node: &mut Node<'_, Self>, _: &Ask) {
        node.send(SERVER, Message::Request);
        node.set_timer(Timer::Over, self.lease);
        *node.state = State::Client { asks: true, uses: false };
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        match (&mut *node.state, message) {
            (State::Server { holder: holder @ None }, Message::Request) => {
                *holder = Some(from);
                node.set_timer(Timer::Free, self.lease + self.grace);
                node.send(from, Message::Grant);
            }
            (State::Client { asks: true, .. }, Message::Grant) => {
                *node.state = State::Client { asks: false, uses: true };
                if !self.from_request {
                    node.set_timer(Timer::Over, self.lease);
                }
            }
            _ => {}
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &Timer) {
        *node.state = match timer {
            Timer::Free => State::Server { holder: None },
            Timer::Over => State::Client { asks: false, uses: false },
        };
    }
}

fn uses(state: &State) -> bool {
    matches!(state, State::Client { uses: true, .. })
}

fn lease(ask: &mut Parameters) -> Scenario<Lease> {
    let ms = Duration::from_millis;
    let clients = ask.number("clients", 2, 1..=4, "how many clients want the resource");
    let lease = ask.duration("lease", ms(8), "how long a client may use it");
    let grace = ask.duration("grace", ms(0), "how much longer the server waits");
    let from_request = ask.flag("from-request", false, "clients count from their request");
    let drift = ask.number("drift", 250_000, 0..=999_999, "the drift of clocks in millionths");
    let least = ask.duration("least", ms(1), "how long a packet takes at least");
    let most = ask.duration("most", ms(2), "how long a packet takes at most");
    Scenario::new(Lease { lease, grace, from_request }, Topology::star(clients + 1))
        .about("A server grants a lease to one client at a time, by its own clock")
        .loss(Budget::AtMost(1))
        .packet_time(least, most)
        .clock_drift_ppm(drift)
        .assert_always("at most one client uses the resource", |world| {
            world.nodes().filter(|(_, state)| uses(state)).count() <= 1
        })
        .assert_reachable("a client uses it", |world| world.nodes().any(|(_, state)| uses(state)))
        .simulation(|run| {
            let run = run.link(LinkModel::default().bandwidth_bps(None).delay(least));
            (1..=clients)
                .map(NodeId::from)
                .fold(run.duration(ms(1000)), |run, client| run.job(client, Ask, ms(0), ms(10)))
        })
}

everypath::main!(lease);
