//! The wire format of RFC 2453 (version 2), on UDP port 520.

use everypath_model::{Datagram, NodeId};

use super::{INFINITY, Message};

const PORT: u16 = 520;
const VERSION: u8 = 2;

impl Message {
    /// The datagram of the message, from a node to another or to all.
    ///
    /// ```
    /// use everypath_model::NodeId;
    /// use everypath_protocols::distance_vector::Message;
    ///
    /// let datagram = Message::Request.datagram(NodeId(0), None);
    /// assert_eq!((datagram.port, datagram.payload[0]), (520, 1));
    /// ```
    #[must_use]
    pub fn datagram(&self, from: NodeId, to: Option<NodeId>) -> Datagram {
        let (kind, command) = match self {
            Self::Request => ("REQUEST", 1),
            Self::Response(_) => ("RESPONSE", 2),
        };
        let mut payload = vec![command, VERSION, 0, 0];
        match self {
            // One entry without a family, with metric infinity: a request for all routes (3.9.1).
            Self::Request => {
                payload.resize(payload.len() + 19, 0);
                payload.push(INFINITY);
            }
            Self::Response(entries) => {
                for entry in entries {
                    payload.extend([0, 2, 0, 0]);
                    payload.extend(entry.destination.address().octets());
                    payload.extend([255; 4]);
                    payload.extend([0, 0, 0, 0, 0, 0, 0, entry.metric]);
                }
            }
        }
        Datagram::new(from, to, PORT, payload).traffic("RIP").kind(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Entry, *};

    #[test]
    fn messages_are_those_of_the_standard() {
        let request = Message::Request.datagram(NodeId(0), None).payload;
        assert_eq!(request, [&[1, 2][..], &[0; 21], &[16]].concat());
        let message = Message::Response(vec![Entry { destination: NodeId(1), metric: 3 }]);
        let response = message.datagram(NodeId(0), Some(NodeId(1))).payload;
        let expected = [[2, 2, 0, 0], [0, 2, 0, 0], [10, 0, 0, 2], [255; 4], [0; 4], [0, 0, 0, 3]];
        assert_eq!(response, expected.concat());
        for (message, payload) in [(Message::Request, request), (message, response)] {
            assert_eq!(payload.len() + 28, message.bytes());
        }
    }
}
