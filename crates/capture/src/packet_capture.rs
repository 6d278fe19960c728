//! Packet captures in the format pcapng.

use std::{borrow::Cow, io, time::Duration};

use etherparse::PacketBuilder;
use everypath_model::{Datagram, Event, NodeId, Packet, Protocol, Scenario};
use everypath_sim::{Fate, FrameFate, Observer, Run, Sending, SimError};
use pcap_file::{
    DataLink, Endianness, PcapError,
    pcapng::{
        PcapNgWriter,
        blocks::{
            enhanced_packet::{EnhancedPacketBlock, EnhancedPacketOption},
            interface_description::{InterfaceDescriptionBlock, InterfaceDescriptionOption},
        },
    },
};

use crate::{
    Capture,
    hops::{Hop, HopFate, HopWriter, Hops, observe_hops},
};

/// A capture in the format pcapng, with an interface for each node and times in nanoseconds.
///
/// Every frame is there once at its sender, outbound, at the moment at which it is handed to the link or
/// the transmitter, and once at each node that receives it, inbound. What a full queue drops is never
/// transmitted, so it is not there. Frames are Ethernet, with IPv4 and UDP: node 0 has the addresses
/// 02:00:00:00:00:00 and 10.0.0.1, node 1 the next, and so on.
///
/// ```
/// # mod recorded { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/recorded.rs")); }
/// # use recorded::scenario;
/// use everypath_capture::{Capture, PacketCapture};
/// use everypath_sim::{Limits, Simulation};
///
/// let scenario = scenario();
/// let mut capture = PacketCapture::new(Vec::new(), &scenario)?;
/// let run = Simulation::observed(&scenario, 1, 0, &mut capture)
///     .and_then(|simulation| simulation.run(&Limits::default()));
/// let pcapng = Box::new(capture).finish(&run)?;
/// // What the greeting carries is there as it is.
/// assert!(pcapng.windows(5).any(|bytes| bytes == b"hello"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct PacketCapture<'a, P: Protocol, W: io::Write> {
    out: Blocks<'a, P, W>,
    hops: Hops<Block>,
}

/// The blocks of a capture.
struct Blocks<'a, P: Protocol, W: io::Write> {
    scenario: &'a Scenario<P>,
    out: PcapNgWriter<W>,
    failed: Option<io::Error>,
}

/// A frame at the interface of a node.
struct Block {
    time: Duration,
    at: NodeId,
    direction: Direction,
    frame: io::Result<Vec<u8>>,
}

/// Which way a packet goes, as the format numbers it.
#[derive(Clone, Copy)]
enum Direction {
    Inbound = 1,
    Outbound = 2,
}

impl<'a, P: Protocol, W: io::Write> PacketCapture<'a, P, W> {
    /// A capture of a run of a scenario that is written to `out`; give it a buffered one. What the
    /// scenario does not show [on a wire](everypath_model::SimulationSetup::wire) is not captured.
    ///
    /// # Errors
    /// If the beginning cannot be written.
    pub fn new(out: W, scenario: &'a Scenario<P>) -> io::Result<Self> {
        // The same bytes on every machine.
        let mut out = PcapNgWriter::with_endianness(out, Endianness::Little).map_err(plain)?;
        for node in scenario.topology.nodes() {
            let name = Cow::Owned(node.to_string());
            let options = vec![
                InterfaceDescriptionOption::IfName(name),
                InterfaceDescriptionOption::IfTsResol(9),
            ];
            let block =
                InterfaceDescriptionBlock { linktype: DataLink::ETHERNET, snaplen: 0, options };
            out.write_pcapng_block(block).map_err(plain)?;
        }
        let out = Blocks { scenario, out, failed: None };
        Ok(Self { out, hops: Hops::new(scenario) })
    }
}

impl<P: Protocol, W: io::Write> HopWriter<P> for Blocks<'_, P, W> {
    type Encoded = Block;

    fn encode(&mut self, hop: &Hop<'_, P>) -> Option<Block> {
        let direction = match hop.fate {
            HopFate::Transmitted => Direction::Outbound,
            HopFate::Received => Direction::Inbound,
            HopFate::Lost(_) => return None,
        };
        let datagram = self.scenario.datagram(hop.from, hop.to, hop.message)?;
        let frame = encode(hop.from, hop.to, &datagram);
        Some(Block { time: hop.time, at: hop.at, direction, frame })
    }

    fn write(&mut self, block: Block) {
        if self.failed.is_some() {
            return;
        }
        let Block { time, at, direction, frame } = block;
        let written = frame.and_then(|frame| {
            let block = EnhancedPacketBlock {
                interface_id: at.0,
                timestamp: time,
                original_len: frame.len() as u32,
                data: Cow::Owned(frame),
                options: vec![EnhancedPacketOption::Flags(direction as u32)],
            };
            self.out.write_pcapng_block(block).map_err(plain)
        });
        self.failed = written.err();
    }
}

fn plain(error: PcapError) -> io::Error {
    match error {
        PcapError::IoError(error) => error,
        other => io::Error::other(other),
    }
}

/// The address of a node on its link, or that of all.
fn link_address(node: Option<NodeId>) -> [u8; 6] {
    let Some(node) = node else { return [0xff; 6] };
    let [a, b, c, d] = node.0.to_be_bytes();
    // Locally administered, so that it is not mistaken for a vendor's.
    [2, 0, a, b, c, d]
}

fn encode(from: NodeId, to: Option<NodeId>, datagram: &Datagram) -> io::Result<Vec<u8>> {
    let source = datagram.source.address().octets();
    let destination = datagram.destination.map_or([255; 4], |node| node.address().octets());
    let mut frame = Vec::new();
    PacketBuilder::ethernet2(link_address(Some(from)), link_address(to))
        .ipv4(source, destination, datagram.ttl)
        .udp(datagram.port, datagram.port)
        .write(&mut frame, &datagram.payload)
        .map_err(io::Error::other)?;
    Ok(frame)
}

observe_hops!(PacketCapture);

impl<P: Protocol, W: io::Write> Capture<P, W> for PacketCapture<'_, P, W> {
    fn finish(mut self: Box<Self>, _: &Result<Run, SimError>) -> io::Result<W> {
        self.hops.flush(&mut self.out);
        match self.out.failed {
            Some(error) => Err(error),
            None => Ok(self.out.out.into_inner()),
        }
    }
}
