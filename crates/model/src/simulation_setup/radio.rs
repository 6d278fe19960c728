//! Radios: how frames travel between nodes on a field.

use std::time::Duration;

use super::{
    Propagation, PropagationDelay,
    field_error::{FieldError, is_positive},
};

/// The idealised radio, without collisions.
///
/// A node transmits one frame at a time and keeps a limited number waiting. All nodes within range
/// at the end of the transmission receive a frame. A frame to a node out of range is lost, and the
/// sender learns it at once ([`Protocol::on_undeliverable`](crate::Protocol::on_undeliverable)).
///
/// ```
/// use std::time::Duration;
/// use everypath_model::IdealRadio;
///
/// let radio = IdealRadio::default().range(100.0).bandwidth_bps(250_000).delay(Duration::ZERO);
/// assert_eq!((radio.range, radio.queue), (100.0, 100));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct IdealRadio {
    /// The range, in metres.
    pub range: f64,
    /// Bits per second, for every frame.
    pub bandwidth_bps: u64,
    /// The time from the end of a transmission to its reception.
    pub delay: Duration,
    /// How many frames can wait for a node's transmitter; further ones are dropped.
    pub queue: usize,
}

impl Default for IdealRadio {
    /// 250 m, 11 Mbit/s, 1 µs, 100 frames.
    fn default() -> Self {
        Self {
            range: 250.0,
            bandwidth_bps: 11_000_000,
            delay: Duration::from_micros(1),
            queue: 100,
        }
    }
}

crate::setters!(IdealRadio { range: f64, bandwidth_bps: u64, delay: Duration, queue: usize });

/// A shared medium with collisions.
///
/// A node transmits at once, one frame at a time, without carrier sense, and keeps a limited number
/// waiting. All nodes within range at the start of the transmission receive a frame, unless another
/// frame from within range overlaps it or the node itself transmits. If the addressed node did not
/// receive a frame, the sender learns it at the end
/// ([`Protocol::on_undeliverable`](crate::Protocol::on_undeliverable)), as with the idealised
/// radio, without an acknowledgement.
///
/// ```
/// use everypath_model::{PropagationDelay, SharedRadio};
///
/// let radio = SharedRadio::default().range(100.0).delay(PropagationDelay::Light).queue(10);
/// assert_eq!((radio.range, radio.bandwidth_bps), (100.0, 11_000_000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SharedRadio {
    /// The range of reception and interference, in metres.
    pub range: f64,
    /// Bits per second, for every frame.
    pub bandwidth_bps: u64,
    /// The propagation delay.
    pub delay: PropagationDelay,
    /// How many frames can wait for a node's transmitter; further ones are dropped.
    pub queue: usize,
}

impl Default for SharedRadio {
    /// As the idealised radio: 250 m, 11 Mbit/s, 1 µs, 100 frames.
    fn default() -> Self {
        let IdealRadio { range, bandwidth_bps, delay, queue } = IdealRadio::default();
        Self { range, bandwidth_bps, delay: PropagationDelay::Constant(delay), queue }
    }
}

crate::setters!(SharedRadio {
    range: f64,
    bandwidth_bps: u64,
    delay: PropagationDelay,
    queue: usize,
});

/// IEEE 802.11's distributed coordination function: carrier sense, random backoff, acknowledgement,
/// retransmission.
///
/// A node repeats a frame to one node until it is acknowledged, a limited number of times; then the
/// sender learns of the failure
/// ([`Protocol::on_undeliverable`](crate::Protocol::on_undeliverable)). It sends a broadcast once.
/// The documentation page on fields has the details.
///
/// ```
/// use everypath_model::{DcfRadio, Propagation};
///
/// let radio = DcfRadio::default().propagation(Propagation::two_ray_ground());
/// assert_eq!(radio.tries, 7);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct DcfRadio {
    /// The ranges of reception and carrier sense.
    pub propagation: Propagation,
    /// The propagation delay.
    pub delay: PropagationDelay,
    /// How much stronger a frame must be than an overlapping one to be received, in decibels; if
    /// `None`, or with sharp ranges, both are lost.
    pub capture_db: Option<f64>,
    /// Bits per second of frames to one node.
    pub data_bps: u64,
    /// Bits per second of broadcasts.
    pub basic_bps: u64,
    /// Bits per second of acknowledgements.
    pub acknowledgement_bps: u64,
    /// The duration of preamble and header of the physical layer, before every frame.
    pub preamble: Duration,
    /// The unit of the backoff.
    pub slot: Duration,
    /// The time from a frame to its acknowledgement.
    pub sifs: Duration,
    /// The idle time before a frame or a backoff.
    pub difs: Duration,
    /// The first backoff is drawn from 0 to this.
    pub window_min: u32,
    /// The largest window; each failure doubles the window.
    pub window_max: u32,
    /// The largest number of transmissions of a frame to one node.
    pub tries: u32,
    /// The size of header and checksum of the link layer, in bytes.
    pub header_bytes: usize,
    /// The size of an acknowledgement, in bytes.
    pub acknowledgement_bytes: usize,
    /// How many frames can wait for the transmitter; further ones are dropped.
    pub queue: usize,
}

impl Default for DcfRadio {
    /// 802.11b, without RTS and CTS: 11 Mbit/s for frames to one node and 1 Mbit/s otherwise, long
    /// preamble, 28 bytes of header and checksum and 8 of LLC, a sharp range of 250 m, no capture,
    /// 100 frames.
    fn default() -> Self {
        Self {
            propagation: Propagation::disc(250.0),
            delay: PropagationDelay::Light,
            capture_db: None,
            data_bps: 11_000_000,
            basic_bps: 1_000_000,
            acknowledgement_bps: 1_000_000,
            preamble: Duration::from_micros(192),
            slot: Duration::from_micros(20),
            sifs: Duration::from_micros(10),
            difs: Duration::from_micros(50),
            window_min: 31,
            window_max: 1023,
            tries: 7,
            header_bytes: 36,
            acknowledgement_bytes: 14,
            queue: 100,
        }
    }
}

crate::setters!(DcfRadio {
    propagation: Propagation,
    delay: PropagationDelay,
    capture_db: impl Into<Option<f64>>,
    data_bps: u64,
    basic_bps: u64,
    acknowledgement_bps: u64,
    preamble: Duration,
    slot: Duration,
    sifs: Duration,
    difs: Duration,
    window_min: u32,
    window_max: u32,
    tries: u32,
    header_bytes: usize,
    acknowledgement_bytes: usize,
    queue: usize,
});

/// The radio of all nodes.
///
/// ```
/// use everypath_model::{Area, DcfRadio, Field, Mobility, Radio, SharedRadio};
///
/// let mobility = Mobility::Uniform(Area { width: 500.0, height: 500.0 });
/// let aloha = Field::new(mobility.clone(), Radio::Shared(SharedRadio::default()));
/// let wlan = Field::new(mobility, Radio::Dcf(DcfRadio::default()));
/// assert_ne!(aloha, wlan);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Radio {
    /// No collisions.
    Ideal(IdealRadio),
    /// Collisions.
    Shared(SharedRadio),
    /// Collisions, carrier sense and retransmission.
    Dcf(DcfRadio),
}

fn wrong(name: &'static str, value: String, expected: &'static str) -> Result<(), FieldError> {
    Err(FieldError::Radio { name, value, expected })
}

fn validate_disc(range: f64, bandwidth_bps: u64) -> Result<(), FieldError> {
    if !is_positive(range) {
        return wrong("range", format!("{range} m"), "positive and finite");
    }
    validate_rate("bandwidth", bandwidth_bps)
}

fn validate_rate(name: &'static str, bits_per_second: u64) -> Result<(), FieldError> {
    match bits_per_second {
        0 => wrong(name, "0 bit/s".to_owned(), "positive"),
        _ => Ok(()),
    }
}

impl DcfRadio {
    fn validate(self) -> Result<(), FieldError> {
        self.propagation.validate()?;
        validate_rate("data rate", self.data_bps)?;
        validate_rate("basic rate", self.basic_bps)?;
        validate_rate("rate of acknowledgements", self.acknowledgement_bps)?;
        if let Some(capture) = self.capture_db
            && !is_positive(capture)
        {
            return wrong("capture ratio", format!("{capture} dB"), "positive and finite");
        }
        if self.slot.is_zero() {
            return wrong("slot", "0 s".to_owned(), "positive");
        }
        if self.difs < self.sifs {
            let value = format!("{:?}", self.difs);
            return wrong("DIFS", value, "no shorter than SIFS, so that an answer comes first");
        }
        if let PropagationDelay::Constant(delay) = self.delay
            && delay > self.slot
        {
            let value = format!("{delay:?}");
            return wrong("delay", value, "no longer than a slot, or answers come too late");
        }
        if self.window_max < self.window_min || self.window_max == u32::MAX {
            let value = self.window_max.to_string();
            return wrong(
                "largest window",
                value,
                "no smaller than the smallest, and below 2^32-1",
            );
        }
        match self.tries {
            0 => wrong("number of tries", "0".to_owned(), "positive"),
            _ => Ok(()),
        }
    }
}

impl Radio {
    pub(crate) fn validate(self) -> Result<(), FieldError> {
        match self {
            Self::Ideal(radio) => validate_disc(radio.range, radio.bandwidth_bps),
            Self::Shared(radio) => validate_disc(radio.range, radio.bandwidth_bps),
            Self::Dcf(radio) => radio.validate(),
        }
    }
}
