use everypath::prelude::*;

#[data]
pub enum Message {
    Ask(u32),
    Grant(u32),
    Release(u32),
}
use Message::*;

const SERVER: NodeId = NodeId(0);
const LEASE: Duration = Duration::from_millis(50);
const RETRY: Duration = Duration::from_millis(4);

#[roles]
pub struct Lock {
    server: Server,
    client: Client,
}

impl Lock {
    fn role_of(&self, me: NodeId) -> LockRole {
        if me == SERVER { LockRole::Server } else { LockRole::Client }
    }
}

pub struct Server;

/// Who has the lock, and for which turn.
#[data]
pub struct Holder(Option<(NodeId, u32)>);

#[data]
pub struct Expire;

impl Protocol for Server {
    type State = Holder;
    type Message = Message;
    type Timer = Expire;
    type Command = Never;

    fn start(&self, _: &mut Start<'_, Self>) -> Holder {
        Holder(None)
    }

    fn restart(&self, node: &mut Start<'_, Self>, before: &Holder) -> Holder {
        node.set_timer(Expire, LEASE);
        before.clone()
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, _: &Expire) {
        *node.state = Holder(None);
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        let Holder(holder) = *node.state;
        match message {
            Ask(turn) if holder.is_none_or(|(owner, taken)| owner == from && taken <= *turn) => {
                *node.state = Holder(Some((from, *turn)));
                node.send(from, Grant(*turn));
                node.set_timer(Expire, LEASE);
            }
            Release(turn) if holder == Some((from, *turn)) => {
                *node.state = Holder(None);
                node.cancel_timer(&Expire);
            }
            _ => {}
        }
    }
}

pub struct Client;

#[data]
pub enum Turn {
    Idle(u32),
    Waiting(u32),
    Holding(u32),
}
use Turn::*;

#[data]
pub struct Retry;

#[data]
pub enum Wish {
    Lock,
    Unlock,
}

impl Protocol for Client {
    type State = Turn;
    type Message = Message;
    type Timer = Retry;
    type Command = Wish;

    fn start(&self, _: &mut Start<'_, Self>) -> Turn {
        Idle(1)
    }

    fn restart(&self, _: &mut Start<'_, Self>, before: &Turn) -> Turn {
        let (Idle(turn) | Waiting(turn) | Holding(turn)) = before;
        Idle(turn + 1)
    }

    fn commands(&self, _: NodeId, state: &Turn) -> Vec<Wish> {
        match state {
            Idle(_) => vec![Wish::Lock],
            Waiting(_) => vec![],
            Holding(_) => vec![Wish::Unlock],
        }
    }

    fn on_command(&self, node: &mut Node<'_, Self>, wish: &Wish) {
        match (wish, node.state.clone()) {
            (Wish::Lock, Idle(turn)) => {
                *node.state = Waiting(turn);
                node.send(SERVER, Ask(turn));
                node.set_timer(Retry, RETRY);
            }
            (Wish::Unlock, Holding(turn)) => {
                *node.state = Idle(turn + 1);
                node.send(SERVER, Release(turn));
            }
            _ => {}
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, _: &Retry) {
        if let Waiting(turn) = *node.state {
            node.send(SERVER, Ask(turn));
            node.set_timer(Retry, RETRY);
        }
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, message: &Message) {
        if let (Waiting(turn), Grant(granted)) = (node.state.clone(), message)
            && turn == *granted
        {
            *node.state = Holding(turn);
            node.cancel_timer(&Retry);
        }
    }
}

pub fn lock(parameters: &mut Parameters) -> Scenario<Lock> {
    let timely = parameters.flag("timely", true, "whether a lease outlasts its use");
    let reboot = parameters.budget("reboot", Budget::AtMost(1), "how often a node reboots");
    let holds = |state: &LockState| matches!(state.client(), Some(Holding(_)));
    Scenario::new(Lock { server: Server, client: Client }, Topology::star(3))
        .about("A server leases a lock to one client at a time")
        .role_names(|_, node| ["server", "alice", "bob"][node.index()])
        .loss(Budget::Unlimited)
        .reboot(reboot)
        .assume("a lease outlasts its use", move |world, event| match event {
            Event::Timer { node: SERVER, .. } if timely => {
                let granted = world.packets().any(|packet| matches!(packet.message, Grant(_)));
                !granted && !world.nodes().any(|(_, state)| holds(state))
            }
            _ => true,
        })
        .prune("more than three packets are in flight", |world| world.packets().count() > 3)
        .prune("a client has had two turns", |world| {
            world.nodes().any(|(_, state)| matches!(state.client(), Some(Idle(3..))))
        })
        .assert_always("at most one client holds the lock", move |world| {
            world.nodes().filter(|(_, state)| holds(state)).count() <= 1
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use everypath::testing::check;

    const ONE: &str = "at most one client holds the lock";

    #[test]
    fn one_client_at_a_time() {
        check(lock).assert_holds();
    }

    #[test]
    fn it_needs_timely_clients() {
        check(lock).set("timely", false).assert_violates(ONE).in_steps(7);
    }
}
