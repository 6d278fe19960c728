//! The lines of an event log after its header.

use std::{fmt::Write, time::Duration};

use serde::Serialize;

/// One line of an event log after its header, but for its number and its time.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LogLine<'a> {
    /// The node; null for `finish`.
    pub(crate) node: Option<u32>,
    /// The number of the line that caused it; null if nothing in the run did.
    #[cfg_attr(test, schemars(range(min = 2)))]
    pub(crate) cause: Option<u64>,
    #[serde(flatten)]
    pub(crate) happening: Happening<'a>,
}

impl LogLine<'_> {
    /// Its text, without an end. The time in seconds has nine decimals, which serde does not write.
    pub(crate) fn write(&self, line: u64, time: Duration, text: &mut String) {
        let (ns, whole, fraction) = (time.as_nanos(), time.as_secs(), time.subsec_nanos());
        let rest = serde_json::to_string(self).expect("a line is plain data");
        let rest = rest.trim_start_matches('{');
        text.clear();
        let _ = write!(text, r#"{{"line":{line},"ns":{ns},"s":{whole}.{fraction:09},{rest}"#);
    }
}

/// What a line is about.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum Happening<'a> {
    /// A node starts.
    Start,
    /// A node begins to move to a point, or is at one. Coordinates are in metres.
    Move {
        /// Where it is.
        x: f64,
        /// Where it is.
        y: f64,
        /// Where it is.
        z: f64,
        /// Where it moves.
        to_x: f64,
        /// Where it moves.
        to_y: f64,
        /// Where it moves.
        to_z: f64,
        /// When it arrives, in nanoseconds.
        until_ns: u128,
    },
    /// The environment gives a command to a node.
    Command {
        /// The command.
        command: String,
    },
    /// A packet arrives at the node.
    Deliver(LoggedPacket),
    /// A packet comes back to the node.
    Undeliverable(LoggedPacket),
    /// The network loses a packet of a run that is played back.
    #[serde(rename = "lose")]
    #[cfg_attr(test, schemars(skip))]
    PlayedLoss(LoggedPacket),
    /// The network duplicates a packet of a run that is played back.
    #[cfg_attr(test, schemars(skip))]
    Duplicate(LoggedPacket),
    /// A timer fires.
    Timer {
        /// The timer.
        timer: String,
    },
    /// A node goes down.
    Down,
    /// A node comes up again.
    Reboot,
    /// A link of the node goes down.
    LinkDown {
        /// The other end.
        other: u32,
    },
    /// A link of the node comes up again.
    LinkUp {
        /// The other end.
        other: u32,
    },
    /// A message leaves the node.
    Send {
        /// The receiver; null if all that hear it are meant.
        to: Option<u32>,
        /// The message.
        message: String,
        /// Its size.
        bytes: usize,
    },
    /// A packet of the node is lost on its way.
    Lose {
        /// The receiver; null if all that hear it are meant.
        to: Option<u32>,
        /// Why.
        reason: &'a str,
    },
    /// A packet of the node is dropped before it leaves.
    Drop {
        /// The receiver; null if all that hear it are meant.
        to: Option<u32>,
        /// Why.
        reason: &'a str,
    },
    /// The node gives up something that was to be delivered.
    #[serde(rename = "drop")]
    GiveUp {
        /// The name under which the protocol counts it.
        name: &'a str,
        /// Why.
        reason: &'a str,
    },
    /// The node was near enough for a frame, but did not receive it.
    Miss {
        /// The sender.
        from: u32,
        /// Why.
        reason: &'a str,
    },
    /// The node increases a counter.
    Count {
        /// The name of the counter.
        name: &'a str,
        /// By how much.
        by: u64,
    },
    /// The node observes a value.
    Sample {
        /// The name of the value.
        name: &'a str,
        /// The value; null if it is not a finite number.
        #[cfg_attr(test, schemars(with = "Option<f64>"))]
        value: f64,
    },
    /// The node sets a level.
    Level {
        /// The name of the level.
        name: &'a str,
        /// The level; null if it is not a finite number.
        #[cfg_attr(test, schemars(with = "Option<f64>"))]
        value: f64,
    },
    /// The node begins an interval.
    Begin {
        /// The name of the interval.
        name: &'a str,
        /// The key that its end has too.
        key: u64,
    },
    /// The node ends an interval.
    End {
        /// The name of the interval.
        name: &'a str,
        /// The key that its beginning has too.
        key: u64,
    },
    /// The node learns the length of a route.
    Route {
        /// The name of the route.
        name: &'a str,
        /// The node at the other end.
        from: u32,
        /// The number of hops.
        hops: u32,
    },
    /// The run ends. This is the last line.
    Finish {
        /// How it ended.
        #[cfg_attr(
            test,
            schemars(extend("enum" = ["finished", "event limit", "stopped", "violated"]))
        )]
        ending: &'a str,
        /// How many events were handled.
        events: u64,
        /// How many packets were sent.
        sent: u64,
        /// How many packets were delivered.
        delivered: u64,
        /// How many packets were lost on their way.
        lost: u64,
        /// How many packets were dropped before they left.
        dropped: u64,
        /// XXH3 (64 bits) of all bytes up to the beginning of this value.
        #[cfg_attr(test, schemars(regex(pattern = "^[0-9a-f]{16}$")))]
        checksum: &'a str,
    },
    /// The run fails. This is the last line.
    #[serde(rename = "finish")]
    Fail {
        /// How it ended.
        #[cfg_attr(test, schemars(extend("const" = "failed")))]
        ending: &'a str,
        /// The error.
        error: String,
        /// XXH3 (64 bits) of all bytes up to the beginning of this value.
        #[cfg_attr(test, schemars(regex(pattern = "^[0-9a-f]{16}$")))]
        checksum: &'a str,
    },
}

/// A packet.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LoggedPacket {
    /// The sender.
    pub(crate) from: u32,
    /// The receiver.
    pub(crate) to: u32,
    /// The message.
    pub(crate) message: String,
}
