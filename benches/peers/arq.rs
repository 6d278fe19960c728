//! ARQ by hand, as small and as fast as it can be written: a whole state is one number.
//!
//! It is what the scenario `arq` is with the network of the thesis profile: one list of packets in
//! the order of their sending, from which the first data packet or the first acknowledgement is
//! delivered or lost.

/// A state. From the lowest bit: the packets in flight, two bits each, the oldest first, with a 1
/// behind the last (48 bits); how many packets the sender has handed down and the receiver has
/// delivered (6 bits each); the bit of the packet under way; the bit that the receiver expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State(u64);

/// What can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    DataArrives,
    AckArrives,
    Timeout,
    DataIsLost,
    AckIsLost,
}

/// The depth to which the packets in flight fit into their bits.
pub const DEPTH_MOST: u32 = 45;

const PACKETS: u64 = (1 << 48) - 1;
const HANDED_DOWN: u64 = 1 << 48;
const DELIVERED: u64 = 1 << 54;
const COUNT: u64 = (1 << 6) - 1;
const UNDER_WAY: u64 = 1 << 60;
const EXPECTED: u64 = 1 << 61;

/// The lower bit of a packet: whether it is an acknowledgement. The upper one is its number.
const ACK: u64 = 0b01;
const NUMBER: u64 = 0b10;
/// The lower bit of every packet.
const KINDS: u64 = 0x5555_5555_5555;

impl State {
    /// The first packet is under way.
    pub const INITIAL: Self = Self(HANDED_DOWN | 0b1_00);

    /// What the assertion demands.
    pub fn at_most_two_ahead(self) -> bool {
        let handed_down = (self.0 / HANDED_DOWN) & COUNT;
        let delivered = (self.0 / DELIVERED) & COUNT;
        handed_down <= delivered + 2
    }

    /// What can happen, in the order of the published model.
    pub fn enabled(self) -> impl Iterator<Item = Event> {
        let data = self.data() != 0;
        let ack = self.acks() != 0;
        let events = [
            (ack, Event::AckArrives),
            (!data, Event::Timeout),
            (ack, Event::AckIsLost),
            (data, Event::DataArrives),
            (data, Event::DataIsLost),
        ];
        events.into_iter().filter_map(|(enabled, event)| enabled.then_some(event))
    }

    /// What an enabled event leads to.
    pub fn after(self, event: Event) -> Self {
        match event {
            Event::DataArrives => {
                let (rest, number) = self.take(self.data());
                let next = if number == rest.is(EXPECTED) { rest.deliver() } else { rest };
                next.append(ACK | (NUMBER * u64::from(next.is(EXPECTED))))
            }
            Event::AckArrives => {
                let (rest, number) = self.take(self.acks());
                let next = if number == rest.is(UNDER_WAY) { rest } else { rest.hand_down() };
                next.transmit()
            }
            Event::Timeout => self.transmit(),
            Event::DataIsLost => self.take(self.data()).0,
            Event::AckIsLost => self.take(self.acks()).0,
        }
    }

    fn is(self, bit: u64) -> bool {
        self.0 & bit != 0
    }

    fn deliver(self) -> Self {
        Self((self.0 + DELIVERED) ^ EXPECTED)
    }

    fn hand_down(self) -> Self {
        Self((self.0 + HANDED_DOWN) ^ UNDER_WAY)
    }

    fn transmit(self) -> Self {
        self.append(NUMBER * u64::from(self.is(UNDER_WAY)))
    }

    /// The 1 behind the last packet.
    fn end(self) -> u64 {
        1 << (self.0 & PACKETS).ilog2()
    }

    /// The lower bits of all acknowledgements.
    fn acks(self) -> u64 {
        self.0 & KINDS & (self.end() - 1)
    }

    /// The lower bits of all data packets.
    fn data(self) -> u64 {
        !self.0 & KINDS & (self.end() - 1)
    }

    fn append(self, packet: u64) -> Self {
        let end = self.end();
        Self((self.0 ^ end) | ((packet | 0b1_00) * end))
    }

    /// Takes out the oldest of some packets; its number.
    fn take(self, some: u64) -> (Self, bool) {
        let place = some & some.wrapping_neg();
        let older = place - 1;
        let packets = self.0 & PACKETS;
        let rest = (packets & older) | ((packets >> 2) & !older);
        (Self((self.0 & !PACKETS) | rest), self.is(place * NUMBER))
    }
}
