//! ARQ by hand, as one writes it: a state is a structure, the network a list.

use crate::arq::Event;

/// A message in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Packet {
    Data(bool),
    Ack(bool),
}

/// A state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The bit of the packet under way.
    under_way: bool,
    /// The bit that the receiver expects.
    expected: bool,
    handed_down: u8,
    delivered: u8,
    /// The oldest first.
    network: Vec<Packet>,
}

impl State {
    /// The first packet is under way.
    pub fn initial() -> Self {
        let network = vec![Packet::Data(false)];
        Self { under_way: false, expected: false, handed_down: 1, delivered: 0, network }
    }

    /// What the assertion demands.
    pub fn at_most_two_ahead(&self) -> bool {
        self.handed_down <= self.delivered + 2
    }

    /// What can happen, in the order of the published model.
    pub fn enabled(&self, events: &mut Vec<Event>) {
        let data = self.first_data().is_some();
        let ack = self.first_ack().is_some();
        if ack {
            events.push(Event::AckArrives);
        }
        if !data {
            events.push(Event::Timeout);
        }
        if ack {
            events.push(Event::AckIsLost);
        }
        if data {
            events.extend([Event::DataArrives, Event::DataIsLost]);
        }
    }

    /// What an enabled event leads to.
    pub fn after(&self, event: Event) -> Self {
        let mut next = self.clone();
        match event {
            Event::DataArrives => {
                if next.take(self.first_data()) == Packet::Data(self.expected) {
                    next.expected = !self.expected;
                    next.delivered += 1;
                }
                next.network.push(Packet::Ack(next.expected));
            }
            Event::AckArrives => {
                if next.take(self.first_ack()) != Packet::Ack(self.under_way) {
                    next.under_way = !self.under_way;
                    next.handed_down += 1;
                }
                next.network.push(Packet::Data(next.under_way));
            }
            Event::Timeout => next.network.push(Packet::Data(self.under_way)),
            Event::DataIsLost => {
                next.take(self.first_data());
            }
            Event::AckIsLost => {
                next.take(self.first_ack());
            }
        }
        next
    }

    fn first_data(&self) -> Option<usize> {
        self.network.iter().position(|packet| matches!(packet, Packet::Data(_)))
    }

    fn first_ack(&self) -> Option<usize> {
        self.network.iter().position(|packet| matches!(packet, Packet::Ack(_)))
    }

    fn take(&mut self, place: Option<usize>) -> Packet {
        self.network.remove(place.expect("the event is enabled"))
    }
}
