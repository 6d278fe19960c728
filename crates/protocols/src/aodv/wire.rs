//! The wire format of RFC 3561 (section 5), on UDP port 654.

use std::time::Duration;

use everypath_model::{Datagram, Ignored, NodeId};

use super::{Aodv, Data, Message, Reply, Request, SequenceNumber, Unreachable};

const PORT: u16 = 654;
/// The port of data packets, used by nothing else.
const DATA_PORT: u16 = 50_000;

const REQUEST: u8 = 1;
const REPLY: u8 = 2;
const UNREACHABLE: u8 = 3;
const ACKNOWLEDGEMENT: u8 = 4;

impl Aodv {
    /// The datagram of a message, from a node to another or to all.
    ///
    /// The source of a routing message is its sender; of a packet of data, its origin. An
    /// announcement has at most 255 destinations, the limit of its format.
    ///
    /// ```
    /// use everypath_model::NodeId;
    /// use everypath_protocols::aodv::{Aodv, Message, Rules};
    ///
    /// let aodv = Aodv::new(Rules::rfc3561());
    /// let datagram = aodv.datagram(NodeId(0), Some(NodeId(1)), &Message::Acknowledgement);
    /// assert_eq!((datagram.port, datagram.payload.as_slice()), (654, &[4, 0][..]));
    /// ```
    #[must_use]
    pub fn datagram(&self, from: NodeId, to: Option<NodeId>, message: &Message) -> Datagram {
        let control = |kind, ttl, payload: Vec<u8>| {
            Datagram::new(from, to, PORT, payload).ttl(ttl).traffic("AODV").kind(kind)
        };
        match message {
            Message::Request(request) => control("REQUEST", request.ttl, encode_request(request)),
            Message::Reply(reply) => {
                let ttl = reply.ttl.unwrap_or(self.times.net_diameter);
                control("REPLY", ttl, encode_reply(reply))
            }
            Message::Hello { number } => {
                let hello = Reply {
                    destination: from,
                    number: *number,
                    hops: 0,
                    origin: from,
                    acknowledge: false,
                    ttl: None,
                    lifetime: Ignored(self.times.neighbour_timeout()),
                };
                control("HELLO", 1, encode_reply(&hello))
            }
            Message::Unreachable(unreachable) => {
                control("ERROR", 1, encode_unreachable(unreachable))
            }
            Message::Acknowledgement => control("ACK", 1, vec![ACKNOWLEDGEMENT, 0]),
            Message::Data(data) => self.data_datagram(data),
            Message::Reset => control("RESET", 1, Vec::new()),
        }
    }

    fn data_datagram(&self, data: &Data) -> Datagram {
        // Its number where there is room, then zeros.
        let mut payload = data.number.to_be_bytes().to_vec();
        payload.resize(self.payload_bytes, 0);
        Datagram::new(data.source, Some(data.destination), DATA_PORT, payload)
            .ttl(data.ttl)
            .traffic("cbr")
            .kind("DATA")
            .key(data.key())
    }
}

fn push_node(bytes: &mut Vec<u8>, node: NodeId, number: SequenceNumber) {
    bytes.extend(node.address().octets());
    bytes.extend(number.0.to_be_bytes());
}

/// 5.1: type, flags J R G D U, hop count, id, destination, origin.
fn encode_request(request: &Request) -> Vec<u8> {
    let flag = |is_set: bool, bit: u8| u8::from(is_set) << bit;
    let flags = flag(request.gratuitous, 5)
        | flag(request.destination_only, 4)
        | flag(request.number.is_none(), 3);
    let mut bytes = vec![REQUEST, flags, 0, request.hops];
    bytes.extend(request.request.id.to_be_bytes());
    push_node(&mut bytes, request.destination, request.number.unwrap_or_default());
    push_node(&mut bytes, request.request.origin, request.origin_number);
    bytes
}

/// 5.2: type, flags R A, prefix size, hop count, destination, origin, lifetime in milliseconds.
fn encode_reply(reply: &Reply) -> Vec<u8> {
    let mut bytes = vec![REPLY, u8::from(reply.acknowledge) << 6, 0, reply.hops];
    push_node(&mut bytes, reply.destination, reply.number);
    bytes.extend(reply.origin.address().octets());
    bytes.extend(milliseconds(reply.lifetime.0).to_be_bytes());
    bytes
}

/// 5.3: type, flag N, how many, and each destination with its number.
fn encode_unreachable(unreachable: &Unreachable) -> Vec<u8> {
    let destinations = &unreachable.destinations;
    let count = u8::try_from(destinations.len()).unwrap_or(u8::MAX);
    let mut bytes = vec![UNREACHABLE, u8::from(unreachable.repaired) << 7, 0, count];
    for &(destination, number) in &destinations[..usize::from(count)] {
        push_node(&mut bytes, destination, number);
    }
    bytes
}

fn milliseconds(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::{super::RequestId, super::Rules, *};

    fn payload(message: &Message) -> Vec<u8> {
        let aodv = Aodv::new(Rules::rfc3561());
        let datagram = aodv.datagram(NodeId(1), None, message);
        // Every message has the size that the simulator reckons with; headers take 28 bytes.
        assert_eq!(datagram.payload.len() + 28, message.bytes(aodv.payload_bytes));
        datagram.payload
    }

    /// Byte by byte after the figures of the standard.
    #[test]
    fn messages_are_those_of_the_standard() {
        let mut request = Request {
            request: RequestId { origin: NodeId(0), id: 0x0102_0304 },
            origin_number: SequenceNumber(7),
            destination: NodeId(300),
            number: None,
            hops: 2,
            ttl: 5,
            gratuitous: true,
            destination_only: false,
        };
        let asked = payload(&Message::Request(request.clone()));
        let expected = [
            [1, 0b0010_1000, 0, 2, 1, 2, 3, 4],
            [10, 0, 1, 45, 0, 0, 0, 0],
            [10, 0, 0, 1, 0, 0, 0, 7],
        ];
        assert_eq!(asked, expected.concat());
        request.number = Some(SequenceNumber(u32::MAX));
        request.destination_only = true;
        let asked = payload(&Message::Request(request));
        assert_eq!((asked[1], &asked[12..16]), (0b0011_0000, &[255; 4][..]));

        let lifetime = Ignored(Duration::from_millis(6000));
        let reply = Reply {
            destination: NodeId(2),
            number: SequenceNumber(9),
            hops: 3,
            origin: NodeId(0),
            acknowledge: true,
            ttl: None,
            lifetime,
        };
        let expected =
            [[2, 0b0100_0000, 0, 3], [10, 0, 0, 3], [0, 0, 0, 9], [10, 0, 0, 1], [0, 0, 23, 112]];
        assert_eq!(payload(&Message::Reply(reply)), expected.concat());

        let hello = payload(&Message::Hello { number: SequenceNumber(1) });
        let expected = [[2, 0, 0, 0], [10, 0, 0, 2], [0, 0, 0, 1], [10, 0, 0, 2], [0, 0, 7, 208]];
        assert_eq!(hello, expected.concat());

        let destinations = vec![(NodeId(3), SequenceNumber(4)), (NodeId(5), SequenceNumber(0))];
        let told = payload(&Message::Unreachable(Unreachable { destinations, repaired: true }));
        let expected = [[3, 128, 0, 2], [10, 0, 0, 4], [0, 0, 0, 4], [10, 0, 0, 6], [0, 0, 0, 0]];
        assert_eq!(told, expected.concat());
        assert_eq!(payload(&Message::Acknowledgement), [4, 0]);
    }

    #[test]
    fn an_announcement_of_too_many_names_as_many_as_there_is_room_for() {
        let destinations = (0..300).map(|node| (NodeId(node), SequenceNumber(1))).collect();
        let message = Message::Unreachable(Unreachable { destinations, repaired: false });
        let aodv = Aodv::new(Rules::rfc3561());
        let payload = aodv.datagram(NodeId(1), None, &message).payload;
        assert_eq!((payload[3], payload.len()), (255, 4 + 8 * 255));
    }
}
