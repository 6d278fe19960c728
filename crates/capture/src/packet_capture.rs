//! What nodes send and receive, as pcapng.

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
    sendings::{Handed, Sendings},
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
    scenario: &'a Scenario<P>,
    out: PcapNgWriter<W>,
    failed: Option<io::Error>,
    sendings: Sendings,
    /// The frame that was handed to a transmitter last: when, and by whom.
    handed: Handed<(Duration, NodeId, io::Result<Vec<u8>>)>,
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
        Ok(Self {
            scenario,
            out,
            failed: None,
            sendings: Sendings::default(),
            handed: Handed::default(),
        })
    }

    /// A message as a frame, if the scenario shows it on a wire.
    fn frame_of(&self, packet: Told<'_, P>) -> Option<io::Result<Vec<u8>>> {
        let (from, to, message) = packet;
        let datagram = self.scenario.datagram(from, to, message)?;
        Some(encode(from, to, &datagram))
    }

    /// What a node sends to another, or to all, as it is seen at a node.
    fn put(&mut self, time: Duration, at: NodeId, direction: Direction, packet: Told<'_, P>) {
        if let Some(frame) = self.frame_of(packet) {
            self.put_frame(time, at, direction, frame);
        }
    }

    fn put_frame(
        &mut self,
        time: Duration,
        at: NodeId,
        direction: Direction,
        frame: io::Result<Vec<u8>>,
    ) {
        if self.failed.is_some() {
            return;
        }
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

    /// The transmitter has taken what was handed to it last.
    fn take_handed(&mut self) {
        if let Some((time, from, frame)) = self.handed.take() {
            self.put_frame(time, from, Direction::Outbound, frame);
        }
    }
}

/// Who sends, to whom (to all, if to nobody), and what.
type Told<'a, P> = (NodeId, Option<NodeId>, &'a <P as Protocol>::Message);

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
    // Locally administered, so that nobody takes it for some vendor's.
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

impl<P: Protocol, W: io::Write> Observer<P> for PacketCapture<'_, P, W> {
    fn sent(&mut self, time: Duration, sending: &Sending<'_, P>) {
        let Sending { number, from, to, message, .. } = *sending;
        self.sendings.add(number, to);
        self.take_handed();
        if self.scenario.simulation.field.is_some() {
            let frame = self.frame_of((from, to, message));
            self.handed.hand_over(number, frame.map(|frame| (time, from, frame)));
        }
    }

    fn packet(
        &mut self,
        time: Duration,
        sending: u64,
        packet: Packet<'_, P>,
        _: usize,
        fate: Fate,
    ) {
        if fate != Fate::Dropped && self.sendings.is_transmission(sending) {
            let message = (packet.from, self.sendings.to(sending), packet.message);
            self.put(time, packet.from, Direction::Outbound, message);
        }
    }

    fn frame(&mut self, _: Duration, frame: &Sending<'_, P>, fate: FrameFate<'_>) {
        if fate == FrameFate::Dropped {
            self.handed.drop_if(frame.number);
        }
    }

    fn event(&mut self, time: Duration, event: &Event<'_, P>, sending: Option<u64>) {
        self.take_handed();
        if let (Event::Deliver { node, packet }, Some(sending)) = (event, sending) {
            let message = (packet.from, self.sendings.to(sending), packet.message);
            self.put(time, *node, Direction::Inbound, message);
        }
    }
}

impl<P: Protocol, W: io::Write> Capture<P, W> for PacketCapture<'_, P, W> {
    fn finish(mut self: Box<Self>, _: &Result<Run, SimError>) -> io::Result<W> {
        self.take_handed();
        match self.failed {
            Some(error) => Err(error),
            None => Ok(self.out.into_inner()),
        }
    }
}
