//! What is seen of a run, moment by moment.

use serde::Serialize;

/// Nodes that move and packets that fly: what the animation of a page is made of. Times are in seconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Film {
    /// The nodes.
    pub nodes: Vec<FilmedNode>,
    /// Who is whose neighbour, if nodes do not talk by radio.
    pub links: Vec<(u32, u32)>,
    /// Where nodes are drawn that are nowhere, to the right and up the page; in a ring, if this is empty.
    pub places: Vec<(f64, f64)>,
    /// How far nodes are heard, in metres, if they do.
    pub range: Option<f64>,
    /// How nodes move, in the order in which they set out.
    pub moves: Vec<FilmedMove>,
    /// The packets, in the order in which they arrive or are lost.
    pub flights: Vec<FilmedFlight>,
    /// How long the run took.
    pub end: f64,
    /// Until when all packets are there: there may be too many for a page.
    pub flights_until: f64,
}

/// A node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FilmedNode {
    /// What it is called.
    pub name: String,
    /// What it does; empty if all do the same.
    pub role: String,
}

/// A node moves from one point to another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FilmedMove {
    /// Which node.
    pub node: u32,
    /// When it sets out, and when it comes there.
    pub time: (f64, f64),
    /// From where, in metres.
    pub from: (f64, f64),
    /// To where.
    pub to: (f64, f64),
}

/// A packet from one node to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FilmedFlight {
    /// Who sends.
    pub from: u32,
    /// To whom.
    pub to: u32,
    /// When it leaves, and when it arrives or is lost.
    pub time: (f64, f64),
    /// What it is.
    pub message: String,
    /// Whether it does not arrive.
    pub lost: bool,
}
