//! Captures as tshark reads them: free of errors, and with what the run sent and received.
//!
//! Where there is no tshark the tests say so and end, unless `EVERYPATH_TSHARK=required`.

use crate::run;

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs, process,
    time::Duration,
};

use everypath_capture::{Capture, PacketCapture};
use everypath_model::{Event, NodeId, Packet, Parameters, Protocol, Readings, Scenario};
use everypath_protocols::{
    aodv::{Aodv, Message, SequenceNumber, aodv},
    distance_vector::distance_vector,
};
use everypath_sim::{Fate, FrameFate, Observer, Run, Sending};
use tempfile::TempDir;

use run::{contended, field, grid, run, scenario};

/// Captures a run, and gives the file with what an observer saw.
fn captured<P: Protocol, O: Observer<P> + Default>(
    scenario: &Scenario<P>,
) -> (TempDir, Run, O, Vec<u8>) {
    let mut capture = Box::new(PacketCapture::new(Vec::new(), scenario).unwrap());
    let mut seen = O::default();
    let observers: Vec<&mut dyn Observer<P>> = vec![&mut *capture, &mut seen];
    let result = run(scenario, observers);
    let bytes = capture.finish(&result).unwrap();
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("run.pcapng"), &bytes).unwrap();
    (folder, result.unwrap(), seen, bytes)
}

/// The rows that tshark prints of these fields; nothing if there is no tshark.
fn tshark(folder: &TempDir, filter: &str, fields: &[&str]) -> Option<Vec<Vec<String>>> {
    let mut command = process::Command::new("tshark");
    command.current_dir(folder.path()).args(["-r", "run.pcapng", "-T", "fields", "-Y", filter]);
    command.args(["-o", "ip.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE"]);
    command.args(["-E", "separator=|", "-E", "occurrence=a"]);
    command.args(fields.iter().flat_map(|field| ["-e", field]));
    let output = match command.output() {
        Ok(output) => output,
        Err(_) if env::var_os("EVERYPATH_TSHARK").is_none() => {
            eprintln!("skipped: `tshark` is missing; on Debian or Ubuntu: apt-get install tshark");
            return None;
        }
        Err(error) => panic!("tshark is required: {error}"),
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let row = |line: &str| line.split('|').map(str::to_owned).collect();
    Some(text.lines().map(row).collect())
}

/// Nothing in the capture is malformed, suspicious or not understood.
fn assert_well_formed(folder: &TempDir) -> Option<()> {
    let wrong = "_ws.malformed || _ws.expert.severity >= 0x600000 || aodv.ext_type.unknown \
                 || ip.checksum.status == 0 || udp.checksum.status == 0";
    let found = tshark(folder, wrong, &["frame.number", "_ws.expert.message", "_ws.col.Info"])?;
    assert_eq!(found, Vec::<Vec<String>>::new());
    Some(())
}

/// What crosses an interface, as both report it: when, where, which way, the message.
type Row = Vec<String>;

/// What the run itself sees, written as the fields of tshark are.
#[derive(Default)]
struct Seen {
    rows: Vec<Row>,
    /// By sending: to whom it is, its row at the sender, and whether it was transmitted, if that is known.
    sendings: BTreeMap<u64, (Option<NodeId>, usize, Option<bool>)>,
}

impl Seen {
    /// What was transmitted, and what was received.
    fn rows(&self) -> Vec<&Row> {
        let dropped = self.sendings.values().filter(|(.., sent)| *sent == Some(false));
        let dropped: BTreeSet<usize> = dropped.map(|(_, row, _)| *row).collect();
        let rows = self.rows.iter().enumerate().filter(|(place, _)| !dropped.contains(place));
        rows.map(|(_, row)| row).collect()
    }
}

const FIELDS: [&str; 16] = [
    "frame.time_epoch",
    "frame.interface_name",
    "frame.packet_flags_direction",
    "eth.dst.ig",
    "ip.src",
    "ip.dst",
    "ip.ttl",
    "ip.len",
    "udp.dstport",
    "aodv.type",
    "aodv.hopcount",
    "aodv.dest_ip",
    "aodv.dest_seqno",
    "aodv.orig_ip",
    "aodv.rreq_id",
    "aodv.unreach_dest_ip",
];

impl Seen {
    fn add(
        &mut self,
        time: Duration,
        at: NodeId,
        (from, to): (NodeId, Option<NodeId>),
        message: &Message,
    ) {
        let text = |number: SequenceNumber| number.0.to_string();
        let node = |node: NodeId| node.address().to_string();
        let hop = to.map_or("255.255.255.255".to_owned(), node);
        let none = String::new;
        let (kind, hops, destination, number, origin, id, unreachable) = match message {
            Message::Request(it) => (
                "1",
                it.hops.to_string(),
                node(it.destination),
                text(it.number.unwrap_or_default()),
                node(it.request.origin),
                it.request.id.to_string(),
                none(),
            ),
            Message::Reply(it) => (
                "2",
                it.hops.to_string(),
                node(it.destination),
                text(it.number),
                node(it.origin),
                none(),
                none(),
            ),
            Message::Hello { number } => {
                ("2", "0".to_owned(), node(from), text(*number), node(from), none(), none())
            }
            Message::Unreachable(it) => {
                let list = |each: fn(&(NodeId, SequenceNumber)) -> String| {
                    it.destinations.iter().map(each).collect::<Vec<_>>().join(",")
                };
                let numbers = list(|(_, number)| number.0.to_string());
                let nodes = list(|(node, _)| node.address().to_string());
                ("3", none(), none(), numbers, none(), none(), nodes)
            }
            Message::Acknowledgement => ("4", none(), none(), none(), none(), none(), none()),
            Message::Data(_) => ("", none(), none(), none(), none(), none(), none()),
            Message::Reset => unreachable!("no node reboots in these runs"),
        };
        let (source, destination_ip, ttl, port) = match message {
            Message::Data(it) => (node(it.source), node(it.destination), it.ttl, 50_000),
            Message::Request(it) => (node(from), hop, it.ttl, 654),
            Message::Reply(it) => (node(from), hop, it.ttl.unwrap_or(35), 654),
            _ => (node(from), hop, 1, 654),
        };
        self.rows.push(vec![
            format!("{}.{:09}", time.as_secs(), time.subsec_nanos()),
            at.to_string(),
            if at == from { "0x00000002" } else { "0x00000001" }.to_owned(),
            u8::from(to.is_none()).to_string(),
            source,
            destination_ip,
            ttl.to_string(),
            message.bytes(512).to_string(),
            port.to_string(),
            kind.to_owned(),
            hops,
            destination,
            number,
            origin,
            id,
            unreachable,
        ]);
    }
}

impl Observer<Aodv> for Seen {
    fn sent(&mut self, time: Duration, sending: &Sending<'_, Aodv>) {
        let Sending { number, from, to, message, .. } = *sending;
        self.sendings.insert(number, (to, self.rows.len(), None));
        self.add(time, from, (from, to), message);
    }

    fn packet(&mut self, _: Duration, sending: u64, _: Packet<'_, Aodv>, _: usize, fate: Fate) {
        let (_, _, sent) = self.sendings.get_mut(&sending).unwrap();
        *sent = Some(*sent == Some(true) || fate != Fate::Dropped);
    }

    fn frame(&mut self, _: Duration, frame: &Sending<'_, Aodv>, fate: FrameFate<'_>) {
        let (_, _, sent) = self.sendings.get_mut(&frame.number).unwrap();
        *sent = Some(fate != FrameFate::Dropped);
    }

    fn event(&mut self, time: Duration, event: &Event<'_, Aodv>, sending: Option<u64>) {
        if let Event::Deliver { node, packet } = event {
            let (to, ..) = self.sendings[&sending.unwrap()];
            self.add(time, *node, (packet.from, to), packet.message);
        }
    }
}

#[test]
fn tshark_sees_every_frame_and_field_as_the_run_does() {
    for scenario in [grid(), field(), contended()] {
        let (folder, run, seen, _) = captured::<_, Seen>(&scenario);
        if assert_well_formed(&folder).is_none() {
            return;
        }
        let rows = tshark(&folder, "frame", &FIELDS).unwrap();
        let seen = seen.rows();
        assert_eq!(rows.len(), seen.len());
        for (read, expected) in rows.iter().zip(seen) {
            assert_eq!(read, expected);
        }
        assert_eq!(
            rows.iter().filter(|row| row[2] == "0x00000001").count() as u64,
            run.packets.delivered
        );
    }
}

/// A quiet chain, in which nothing is dropped and nothing is left over at the end.
fn chain(given: &[(&str, &str)]) -> Scenario<Aodv> {
    let always = [("begin", "5.5s"), ("interval", "300ms")];
    let given: Vec<_> = always.iter().chain(given).copied().collect();
    let mut scenario = scenario(aodv, &given);
    scenario.simulation.duration = Duration::from_millis(19_950);
    scenario
}

/// Node 1 hears node 0, but not the other way round; acknowledgements find it out.
fn one_way() -> Scenario<Aodv> {
    let given = [("nodes", "3"), ("topology", "0-1,0-2,1-2"), ("blacklist", "acknowledged")];
    let mut scenario = chain(&given);
    scenario.simulation.flows[0].to = NodeId(1);
    let deaf = scenario.simulation.link.loss(1.0);
    scenario.simulation.links.push(((NodeId(1), NodeId(0)), deaf));
    scenario
}

#[test]
fn tshark_counts_what_the_protocol_counts() {
    let cases = [
        (
            chain(&[("nodes", "7"), ("rules", "ns3"), ("hello", "always"), ("jitter", "0s")]),
            "HELLO transmissions",
        ),
        (one_way(), "RREP-ACK transmissions"),
        (field(), "RERR transmissions"),
    ];
    for (scenario, must_occur) in cases {
        let (folder, run, _, _) = captured::<_, ()>(&scenario);
        assert!(run.count(must_occur) > 0, "{must_occur}");
        // What jitter holds back at the end was counted and not sent.
        let held_back = if scenario.simulation.field.is_some() { 9 } else { 0 };
        let hello = "aodv.type == 2 && ip.ttl == 1 && ip.dst == 255.255.255.255";
        for (filter, counter) in [
            ("aodv.type == 1", "RREQ transmissions"),
            (&format!("aodv.type == 2 && !({hello})"), "RREP transmissions"),
            (hello, "HELLO transmissions"),
            ("aodv.type == 3", "RERR transmissions"),
            ("aodv.type == 4", "RREP-ACK transmissions"),
            ("udp.dstport == 50000", "data transmissions"),
        ] {
            let outbound = format!("({filter}) && frame.packet_flags_direction == 2");
            let Some(rows) = tshark(&folder, &outbound, &["frame.number"]) else { return };
            let (found, counted) = (rows.len() as u64, run.count(counter));
            assert!(
                found <= counted && counted <= found + held_back,
                "{counter}: {found}, {counted}"
            );
        }
    }
}

#[test]
fn tshark_understands_rip() {
    let scenario = distance_vector(&mut Parameters::new());
    let (folder, run, _, _) =
        captured::<_, ()>(&scenario.simulation(|run| run.duration(Duration::from_secs(100))));
    if assert_well_formed(&folder).is_none() {
        return;
    }
    let inbound = "rip.version == 2 && frame.packet_flags_direction == 1";
    let rows = tshark(&folder, inbound, &["rip.command", "rip.metric"]).unwrap();
    assert_eq!(rows.len() as u64, run.packets.delivered);
    assert!(rows.iter().any(|row| row[0] == "2" && row[1].split(',').any(|metric| metric == "1")));
}

#[test]
fn the_same_run_is_the_same_capture() {
    let captures = [(), ()].map(|()| captured::<_, ()>(&field()).3);
    assert_eq!(captures[0], captures[1]);
    assert!(captures[0].len() > 100_000);
}
