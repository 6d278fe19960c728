//! Film of a run: nodes and packets moment by moment.

use serde::Serialize;

/// Nodes that move and packets that fly: the content of the animation of a page. Times are in seconds.
///
/// ```
/// use everypath_plot::{Film, FilmedFlight, FilmedMove, FilmedNode, RunPage};
///
/// let node = |name: &str| FilmedNode { name: name.into(), role: String::new() };
/// let walk = FilmedMove { node: 0, time: (0.0, 5.0), from: (0.0, 0.0), to: (10.0, 0.0) };
/// let time = (1.0, 1.1);
/// let hello = FilmedFlight { from: 0, to: 1, time, message: "Hello".into(), lost: false };
/// let film = Film {
///     nodes: vec![node("n0"), node("n1")],
///     moves: vec![walk],
///     flights: vec![hello],
///     end: 5.0,
///     flights_until: 5.0,
///     ..Film::default()
/// };
/// let page = RunPage {
///     title: "hello".into(),
///     facts: Vec::new(),
///     parameters: Vec::new(),
///     tables: Vec::new(),
///     pictures: Vec::new(),
///     film: Some(film),
/// };
/// assert!(page.to_html().contains("Hello"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Film {
    /// The nodes.
    pub nodes: Vec<FilmedNode>,
    /// Pairs of neighbours, if nodes do not talk by radio.
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
///
/// ```
/// use everypath_plot::FilmedNode;
///
/// let node = FilmedNode { name: "n0".into(), role: "server".into() };
/// assert_eq!(node.role, "server");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FilmedNode {
    /// What it is called.
    pub name: String,
    /// What it does; empty if all do the same.
    pub role: String,
}

/// A node moves from one point to another.
///
/// ```
/// use everypath_plot::FilmedMove;
///
/// // Ten metres to the right within five seconds.
/// let walk = FilmedMove { node: 0, time: (0.0, 5.0), from: (0.0, 0.0), to: (10.0, 0.0) };
/// assert_eq!((walk.to.0 - walk.from.0) / (walk.time.1 - walk.time.0), 2.0);
/// ```
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
///
/// ```
/// use everypath_plot::FilmedFlight;
///
/// let lost = FilmedFlight { from: 0, to: 1, time: (1.0, 1.1), message: "Ack".into(), lost: true };
/// assert!(lost.time.0 < lost.time.1);
/// ```
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
