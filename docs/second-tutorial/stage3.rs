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

pub struct Office;

#[data]
pub struct Roll {
    next: i64,
    /// The last request of each client, and the ticket that it was sold.
    sold: BTreeMap<NodeId, (u8, i64)>,
}

impl Protocol for Office {
    type State = Roll;
    type Message = Message;
    type Timer = Never;
    type Command = Never;

    fn start(&self, _: &mut Start<'_, Self>) -> Roll {
        Roll { next: 0, sold: BTreeMap::new() }
    }

    fn restart(&self, _: &mut Start<'_, Self>, before: &Roll) -> Roll {
        before.clone()
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
    let reboot = parameters.budget("reboot", Budget::AtMost(1), "how often the office reboots");
    Scenario::new(Tickets { office: Office, client: Client }, Topology::star(3))
        .about("An office sells numbered tickets")
        .role_names(|_, node| ["office", "alice", "bob"][node.index()])
        .loss(Budget::Unlimited)
        .capacity(1)
        .reboot(reboot)
        .reboot_of([OFFICE])
        .history("tickets", Counter(0), |record, step| {
            let node = step.event.node();
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
