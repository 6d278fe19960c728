use std::collections::BTreeMap;

use everypath::history::{Counter, CounterAnswer, CounterOperation};
use everypath::prelude::*;

#[data]
pub enum Message {
    Ask { request: u8 },
    Ticket { request: u8, number: i64 },
}
use Message::*;

const OFFICE: NodeId = NodeId(0);
const RETRY: Duration = Duration::from_millis(10);

#[roles]
pub struct Tickets {
    office: Office,
    client: Client,
}

impl Tickets {
    fn role_of(&self, me: NodeId) -> TicketsRole {
        if me == OFFICE { TicketsRole::Office } else { TicketsRole::Client }
    }
}

pub struct Office {
    forget: Duration,
}

#[data]
pub struct Roll {
    next: i64,
    /// The last request of each client, and the ticket that it was sold.
    sold: BTreeMap<NodeId, (u8, i64)>,
}

#[data]
pub struct Forget(NodeId);

impl Protocol for Office {
    type State = Roll;
    type Message = Message;
    type Timer = Forget;
    type Command = Never;

    fn start(&self, _: &mut Start<'_, Self>) -> Roll {
        Roll { next: 0, sold: BTreeMap::new() }
    }

    fn restart(&self, node: &mut Start<'_, Self>, before: &Roll) -> Roll {
        for client in before.sold.keys() {
            node.set_timer(Forget(*client), self.forget);
        }
        before.clone()
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, Forget(client): &Forget) {
        node.state.sold.remove(client);
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        if let Ask { request } = *message {
            let sold = node.state.sold.get(&from).copied();
            let number = match sold {
                Some((last, number)) if last == request => number,
                Some((last, _)) if last > request => return,
                _ => node.state.next,
            };
            node.state.sold.insert(from, (request, number));
            node.state.next = node.state.next.max(number + 1);
            node.send(from, Ticket { request, number });
            node.set_timer(Forget(from), self.forget);
        }
    }
}

pub struct Client;

#[data]
pub struct Buyer {
    /// The number of the last request.
    request: u8,
    waits: bool,
    /// The last ticket.
    ticket: Option<i64>,
}

#[data]
pub struct Retry;

#[data]
pub struct Buy;

impl Protocol for Client {
    type State = Buyer;
    type Message = Message;
    type Timer = Retry;
    type Command = Buy;

    fn start(&self, _: &mut Start<'_, Self>) -> Buyer {
        Buyer { request: 0, waits: false, ticket: None }
    }

    fn restart(&self, _: &mut Start<'_, Self>, before: &Buyer) -> Buyer {
        Buyer { waits: false, ..before.clone() }
    }

    fn commands(&self, _: NodeId, buyer: &Buyer) -> Vec<Buy> {
        if buyer.waits || buyer.request == 2 { vec![] } else { vec![Buy] }
    }

    fn on_command(&self, node: &mut Node<'_, Self>, _: &Buy) {
        node.state.request += 1;
        node.state.waits = true;
        ask(node);
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, _: &Retry) {
        ask(node);
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, message: &Message) {
        if let Ticket { request, number } = *message
            && node.state.waits
            && request == node.state.request
        {
            node.state.waits = false;
            node.state.ticket = Some(number);
            node.cancel_timer(&Retry);
        }
    }
}

fn ask(node: &mut Node<'_, Client>) {
    let request = node.state.request;
    node.send(OFFICE, Ask { request });
    node.set_timer(Retry, RETRY);
}

pub fn tickets(parameters: &mut Parameters) -> Scenario<Tickets> {
    let reboot = parameters.budget("reboot", Budget::AtMost(1), "how often a node reboots");
    let timely = parameters.flag("timely", true, "whether clients are forgotten late enough");
    let loss = parameters.budget("loss", Budget::Unlimited, "how many packets are lost");
    let capacity = parameters.capacity("capacity", 1.into(), "how many packets a link holds");
    let about = "after which time the office forgets a client";
    let forget = parameters.duration("forget", Duration::from_millis(15), about);
    Scenario::new(Tickets { office: Office { forget }, client: Client }, Topology::star(3))
        .about("An office sells numbered tickets")
        .role_names(|_, node| ["office", "alice", "bob"][node.index()])
        .loss(loss)
        .packet_time(Duration::from_millis(1), Duration::from_millis(2))
        .capacity(capacity)
        .reboot(reboot)
        .assume("clients are forgotten late enough", move |world, event| match event {
            Event::Timer { timer: TicketsTimer::Office(Forget(client)), .. } if timely => {
                let waits = world.node(*client).client().is_some_and(|buyer| buyer.waits);
                !waits && world.packets().all(|packet| packet.from != *client)
            }
            _ => true,
        })
        .history("tickets", Counter(0), |record, step| {
            let node = step.event.node();
            if let Event::Reboot { .. } = step.event {
                return record.give_up(node);
            }
            let (before, after) = (step.before.node(node).client(), step.after.node(node).client());
            if let (Some(before), Some(after)) = (before, after) {
                match (before.waits, after.waits, after.ticket) {
                    (false, true, _) => record.invoke(node, CounterOperation::Next),
                    (true, false, Some(number)) => {
                        record.answer(node, CounterAnswer::Value(number))
                    }
                    _ => {}
                }
            }
        })
        .assert_linearizable("tickets are sold one by one")
}

#[cfg(test)]
mod tests {
    use super::*;
    use everypath::testing::check;

    const ONE_BY_ONE: &str = "tickets are sold one by one";

    #[test]
    fn tickets_are_sold_one_by_one() {
        check(tickets).assert_holds();
    }

    #[test]
    fn after_one_loss_clients_are_forgotten_late_enough() {
        let tickets = check(tickets).timed().set("timely", false).set("loss", 1);
        tickets.set("reboot", "off").set("capacity", "unlimited").assert_holds();
    }

    #[test]
    fn but_not_after_eight_milliseconds() {
        let tickets = check(tickets).timed().set("timely", false).set("loss", 1);
        let tickets = tickets.set("reboot", "off").set("capacity", "unlimited");
        tickets.set("forget", "8ms").assert_violates(ONE_BY_ONE);
    }
}
