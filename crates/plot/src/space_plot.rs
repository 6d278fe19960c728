//! Plots of small state spaces: which states a search has visited, in which order, by which events.

use std::{collections::VecDeque, fmt::Write};

use everypath_report::shortened;

use crate::{frame::paper, markup::escaped};

/// A small state space as a search has explored it. States lie in rows, by how many events lead to them at least.
///
/// ```
/// use everypath_plot::{EventLine, PlottedEvent, PlottedState, SpacePlot};
///
/// let state = |number: &str| PlottedState { number: number.into(), text: "idle".into(), is_unsafe: false };
/// let event = |from, to, line| PlottedEvent { from, to, line, text: "a timer fires".into() };
/// let plot = SpacePlot {
///     title: "clock".into(),
///     about: "bfs".into(),
///     initial: vec![0],
///     states: vec![state("1"), state("2")],
///     events: vec![event(0, 1, EventLine::Tree), event(1, 0, EventLine::NonTree)],
/// };
/// assert!(plot.to_svg().starts_with("<svg ") && plot.to_dot().starts_with("digraph "));
/// ```
#[derive(Clone, Debug)]
pub struct SpacePlot {
    /// Its title.
    pub title: String,
    /// More about it, in a line.
    pub about: String,
    /// The initial states, as indices.
    pub initial: Vec<usize>,
    /// The states.
    pub states: Vec<PlottedState>,
    /// The events, in the order in which they were explored.
    pub events: Vec<PlottedEvent>,
}

/// A state of a space.
///
/// ```
/// let state = everypath_plot::PlottedState { number: "1".into(), text: "n0: idle".into(), is_unsafe: false };
/// assert!(!state.is_unsafe);
/// ```
#[derive(Clone, Debug)]
pub struct PlottedState {
    /// Its place in the order in which states were expanded; empty if it was not.
    pub number: String,
    /// The state in words.
    pub text: String,
    /// Whether it violates an assertion.
    pub is_unsafe: bool,
}

/// An event of a space.
///
/// ```
/// use everypath_plot::{EventLine, PlottedEvent};
///
/// let event = PlottedEvent { from: 0, to: 1, line: EventLine::Tree, text: "n0 reboots".into() };
/// assert_eq!(event.line, EventLine::Tree);
/// ```
#[derive(Clone, Debug)]
pub struct PlottedEvent {
    /// The state that it leads from, as an index.
    pub from: usize,
    /// The state that it leads to.
    pub to: usize,
    /// How it is drawn.
    pub line: EventLine,
    /// The event in words.
    pub text: String,
}

/// How an event is drawn.
///
/// ```
/// assert_ne!(everypath_plot::EventLine::Tree, everypath_plot::EventLine::Deepest);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventLine {
    /// To a state that was then kept: solid.
    Tree,
    /// To a known state: dashed.
    NonTree,
    /// To the depth bound: dotted.
    Deepest,
    /// To a state that violates an assertion: solid, in another colour.
    Unsafe,
}

impl EventLine {
    const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::Tree, "tree", "solid"),
        (Self::NonTree, "non-tree", "dashed"),
        (Self::Deepest, "deepest", "dotted"),
        (Self::Unsafe, "unsafe", "bold"),
    ];

    fn facts(self) -> (&'static str, &'static str) {
        let of = Self::ALL.into_iter().find(|(line, ..)| *line == self);
        of.map(|(_, name, style)| (name, style)).expect("all are listed")
    }
}

/// What these plots have and others have not.
const STYLE: &str = include_str!("space_plot.css");

const TOP: f64 = 96.0;
/// Between the middles of two states beside each other, and of two rows.
const ACROSS: f64 = 52.0;
const DOWN: f64 = 74.0;
const RADIUS: f64 = 14.0;
const EDGE: f64 = 48.0;
/// Words need room.
const PAGE_MIN: f64 = 560.0;
/// How often rows are sorted by the places of their neighbours.
const SWEEPS: usize = 8;

/// Places on a page.
struct Sheet {
    places: Vec<(f64, f64)>,
    width: f64,
    height: f64,
}

impl SpacePlot {
    /// The drawing, with a background of its own. It needs no fonts or files.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let sheet = self.sheet();
        let mut out = paper(&self.title, &self.about, sheet.width, sheet.height + 44.0);
        let _ = write!(out, "<style>{STYLE}</style>");
        for event in &self.events {
            self.draw_event(&mut out, &sheet, event);
        }
        for (state, (x, y)) in self.states.iter().zip(&sheet.places) {
            let class = match (state.is_unsafe, state.number.is_empty()) {
                (true, _) => "node broken",
                (false, true) => "node leaf",
                (false, false) => "node",
            };
            let _ = write!(
                out,
                r#"<g><circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="{RADIUS}"/><text class="name" x="{x:.1}" y="{:.1}">{}</text><title>{}</title></g>"#,
                y + 4.0,
                escaped(&shortened(&state.number, 5)),
                escaped(&state.text)
            );
        }
        draw_legend(&mut out, sheet.height + 18.0);
        out.push_str("</svg>\n");
        out
    }

    /// The same for Graphviz.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let mut out = format!(
            "digraph {} {{\n  label={};\n  node [shape=circle];\n",
            quoted(&self.title),
            quoted(&format!("{}\n{}", self.title, self.about))
        );
        for (at, state) in self.states.iter().enumerate() {
            let style = match (state.is_unsafe, state.number.is_empty()) {
                (true, _) => ", color=red",
                (false, true) => ", style=dashed",
                (false, false) => "",
            };
            let _ = writeln!(
                out,
                "  s{at} [label={}, tooltip={}{style}];",
                quoted(&state.number),
                quoted(&state.text)
            );
        }
        for event in &self.events {
            let (_, style) = event.line.facts();
            let _ = writeln!(
                out,
                "  s{} -> s{} [style={style}, tooltip={}];",
                event.from,
                event.to,
                quoted(&event.text)
            );
        }
        out.push_str("}\n");
        out
    }

    /// How many events lead to each state at least.
    fn depths(&self) -> Vec<usize> {
        let mut depths = vec![usize::MAX; self.states.len()];
        let mut waiting: VecDeque<usize> = self.initial.iter().copied().collect();
        for &state in &self.initial {
            depths[state] = 0;
        }
        while let Some(state) = waiting.pop_front() {
            for event in self.events.iter().filter(|event| event.from == state) {
                if depths[event.to] == usize::MAX {
                    depths[event.to] = depths[state] + 1;
                    waiting.push_back(event.to);
                }
            }
        }
        depths
    }

    fn sheet(&self) -> Sheet {
        let mut rows: Vec<Vec<usize>> = Vec::new();
        for (state, depth) in self.depths().into_iter().enumerate() {
            let depth = if depth == usize::MAX { 0 } else { depth };
            rows.resize(rows.len().max(depth + 1), Vec::new());
            rows[depth].push(state);
        }
        self.untangle(&mut rows);
        let widest = rows.iter().map(Vec::len).max().unwrap_or(1);
        let width = (2.0 * EDGE + ACROSS * widest.saturating_sub(1) as f64).max(PAGE_MIN);
        let mut places = vec![(0.0, 0.0); self.states.len()];
        for (row, states) in rows.iter().enumerate() {
            for (&state, x) in states.iter().zip(across(states.len(), width)) {
                places[state] = (x, TOP + DOWN * row as f64);
            }
        }
        let height = TOP + DOWN * rows.len().saturating_sub(1) as f64 + RADIUS + 12.0;
        Sheet { places, width, height }
    }

    /// Sorts each row by the mean place of the neighbours in the row above, then below, and so on, so that few lines
    /// cross.
    fn untangle(&self, rows: &mut [Vec<usize>]) {
        let mut place = vec![0.0; self.states.len()];
        let note = |row: &[usize], place: &mut Vec<f64>| {
            for (&state, x) in row.iter().zip(across(row.len(), 1.0)) {
                place[state] = x;
            }
        };
        let mut row_of = vec![0; self.states.len()];
        for (number, row) in rows.iter().enumerate() {
            note(row, &mut place);
            row.iter().for_each(|&state| row_of[state] = number);
        }
        for sweep in 0..SWEEPS {
            let down = sweep % 2 == 0;
            for step in 1..rows.len() {
                let number = if down { step } else { rows.len() - 1 - step };
                let beside = if down { number - 1 } else { number + 1 };
                let mean = |state: usize| {
                    let ends =
                        self.events.iter().flat_map(|it| [(it.from, it.to), (it.to, it.from)]);
                    let near = ends.filter(|&(one, other)| one == state && row_of[other] == beside);
                    let (sum, count) = near
                        .fold((0.0, 0_u32), |(sum, count), (_, it)| (sum + place[it], count + 1));
                    if count == 0 { place[state] } else { sum / f64::from(count) }
                };
                let mut row: Vec<(f64, usize)> =
                    rows[number].iter().map(|&state| (mean(state), state)).collect();
                row.sort_by(|one, other| one.0.total_cmp(&other.0));
                rows[number] = row.into_iter().map(|(_, state)| state).collect();
                note(&rows[number], &mut place);
            }
        }
    }

    fn draw_event(&self, out: &mut String, sheet: &Sheet, event: &PlottedEvent) {
        let ((x1, y1), (x2, y2)) = (sheet.places[event.from], sheet.places[event.to]);
        let (class, _) = event.line.facts();
        let text = escaped(&event.text);
        if event.from == event.to {
            let (left, right) = (x1 + 4.0, x1 + RADIUS + 16.0);
            let _ = write!(
                out,
                r#"<path class="step {class}" d="M{left:.1} {:.1} C{right:.1} {:.1} {right:.1} {:.1} {:.1} {y1:.1}"><title>{text}</title></path>"#,
                y1 - RADIUS + 1.0,
                y1 - 2.2 * RADIUS,
                y1,
                x1 + RADIUS
            );
            return;
        }
        // A line to the row below is straight; others bend, so that they pass beside the states between.
        let length = (x2 - x1).hypot(y2 - y1);
        let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
        let bend = if (y2 - y1 - DOWN).abs() < 1.0 { 0.0 } else { (0.18 * length).min(46.0) };
        let (mx, my) = (f64::midpoint(x1, x2) - dy * bend, f64::midpoint(y1, y2) + dx * bend);
        // It begins and ends at the edges of the states, in the direction of its middle.
        let toward = |(x, y): (f64, f64), gap: f64| {
            let far = (mx - x).hypot(my - y);
            (x + (mx - x) / far * gap, y + (my - y) / far * gap)
        };
        let ((bx, by), (ex, ey)) = (toward((x1, y1), RADIUS), toward((x2, y2), RADIUS + 1.0));
        let (hx, hy) = toward((x2, y2), RADIUS + 8.0);
        let (ax, ay) = ((ex - hx) / 2.0, (ey - hy) / 2.0);
        let _ = write!(
            out,
            r#"<path class="step {class}" d="M{bx:.1} {by:.1} Q{mx:.1} {my:.1} {hx:.1} {hy:.1}"><title>{text}</title></path><polygon class="tip {class}" points="{ex:.1},{ey:.1} {:.1},{:.1} {:.1},{:.1}"/>"#,
            hx - ay,
            hy + ax,
            hx + ay,
            hy - ax
        );
    }
}

/// Places of this many states beside each other, in the middle of a width.
fn across(count: usize, width: f64) -> impl Iterator<Item = f64> {
    let between = match width > 1.0 {
        true => ACROSS,
        false => 1.0 / count as f64,
    };
    let first = width / 2.0 - between * count.saturating_sub(1) as f64 / 2.0;
    (0..count).map(move |at| first + between * at as f64)
}

fn draw_legend(out: &mut String, y: f64) {
    for (place, (_, name, _)) in EventLine::ALL.into_iter().enumerate() {
        let x = EDGE + 116.0 * place as f64;
        let _ = write!(
            out,
            r#"<path class="step {name}" d="M{x:.1} {y:.1} H{:.1}"/><text x="{:.1}" y="{:.1}">{name}</text>"#,
            x + 30.0,
            x + 38.0,
            y + 4.0
        );
    }
}

/// A text in the language of Graphviz.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            control if control.is_control() => quoted.push(char::REPLACEMENT_CHARACTER),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(text: &str) -> SpacePlot {
        let state = |number: &str, is_unsafe| PlottedState {
            number: number.to_owned(),
            text: text.to_owned(),
            is_unsafe,
        };
        let event = |from, to, line| PlottedEvent { from, to, line, text: text.to_owned() };
        SpacePlot {
            title: text.to_owned(),
            about: text.to_owned(),
            initial: vec![0],
            states: vec![state("1", false), state("2", false), state("", false), state("", true)],
            events: vec![
                event(0, 1, EventLine::Tree),
                event(0, 0, EventLine::NonTree),
                event(1, 0, EventLine::NonTree),
                event(1, 2, EventLine::Deepest),
                event(1, 3, EventLine::Unsafe),
            ],
        }
    }

    #[test]
    fn states_lie_in_rows_by_their_depths() {
        let plot = plot("x");
        assert_eq!(plot.depths(), [0, 1, 2, 2]);
        let Sheet { places, .. } = plot.sheet();
        assert_eq!(places[2].1, places[3].1);
        assert!(places[0].1 < places[1].1 && places[1].1 < places[2].1);
        assert!((places[2].0 - places[3].0).abs() >= ACROSS - 0.1);
    }

    #[test]
    fn each_event_has_its_line() {
        let (svg, dot) = (plot("x").to_svg(), plot("x").to_dot());
        for (name, lines) in [("tree", 2), ("non-tree", 3), ("deepest", 2), ("unsafe", 2)] {
            // One of them is in the legend.
            assert_eq!(svg.matches(&format!(r#"class="step {name}""#)).count(), lines, "{name}");
        }
        for style in ["s0 -> s1 [style=solid", "s0 -> s0 [style=dashed", "s1 -> s2 [style=dotted"] {
            assert!(dot.contains(style), "{style} is not in {dot}");
        }
    }

    #[test]
    fn no_text_becomes_markup() {
        let text = "</title><script>\"\\\n\u{0}";
        let svg = plot(text).to_svg();
        assert!(!svg.contains("<script>") && !svg.contains('\u{0}'));
        let dot = plot(text).to_dot();
        assert!(dot.contains(r#"tooltip="</title><script>\"\\\n"#), "{dot}");
        assert_eq!(dot.lines().count(), 3 + 4 + 5 + 1);
    }
}
