//! Sequence chart of a run as SVG.
//!
//! Time goes down, a row for each step. Each step has one event, so labels that stand in the row
//! of their event cannot lie on each other; packets still in flight at the end get a row each.

use std::fmt::Write;

use everypath_explore::HistoryText;
use everypath_report::{counted, shortened, text_width};

use super::{Card, Chart, End, Flight, Happening, SequenceChart, place};
use crate::markup::{escaped, shortened_line};

/// Left of the first lifeline's column: the numbers of steps.
const GUTTER: f64 = 56.0;
const MARGIN: f64 = 20.0;
const HEADS_TOP: f64 = 52.0;
const HEADS_HEIGHT: f64 = 40.0;
/// The moment before the first step.
const START: f64 = HEADS_TOP + HEADS_HEIGHT + 18.0;
const ROW: f64 = 34.0;
const FLIGHT_ROW: f64 = 26.0;
const BAR: f64 = 30.0;
/// What a character of a label takes at 12 pixels, and of a final state at 11.
const LABEL_COLUMN: f64 = 7.25;
const LABEL_HEIGHT: f64 = 13.0;
const STATE_COLUMN: f64 = 6.65;
const STATE_LINE: f64 = 15.0;
/// How many lines of a final state are shown.
const STATE_LINES_MAX: usize = 10;
/// The distance of lifelines: what labels need, within the width of a screen.
const SPACING_MIN: f64 = 132.0;
const SPACING_MAX: f64 = 380.0;
const WIDTH_WANTED: f64 = 1100.0;
/// A single lifeline has its labels at the right.
const WIDTH_ALONE: f64 = 680.0;
/// How far before the receiver a packet that does not arrive ends, in spacings: nearest to whom it
/// was sent.
const LOST_BEFORE: f64 = 0.4;
const IN_FLIGHT_BEFORE: f64 = 0.28;
const LOOP: f64 = 34.0;

const STYLE: &str = include_str!("chart.css");

impl SequenceChart<'_> {
    /// The run as a drawing: nodes as lifelines, packets as arrows from the moment of sending to
    /// that of arrival.
    ///
    /// The drawing has a background of its own and needs no fonts or files. Texts that are too long
    /// are shortened; a browser shows them whole when pointed at.
    ///
    /// ```
    /// use everypath_explore::StateText;
    /// use everypath_plot::SequenceChart;
    /// use everypath_report::Story;
    ///
    /// let story = Story { initial: StateText::default(), steps: Vec::new(), histories: Vec::new() };
    /// let chart = SequenceChart { story: &story, title: "a run without a step", broken: None, links: &[] };
    /// assert!(chart.to_svg().starts_with("<svg "));
    /// ```
    #[must_use]
    pub fn to_svg(&self) -> String {
        let chart = Chart::of(self.story);
        let mut drawing = Drawing::new(&chart, chart.cards(&self.story.last()));
        drawing.histories = &self.story.histories;
        drawing.draw(self.title, self.broken)
    }
}

struct Line {
    x1: f64,
    y1: f64,
    x2: f64,
    y2: f64,
}

impl Line {
    /// The point of the line at a height.
    fn at(&self, y: f64) -> f64 {
        self.x1 + (self.x2 - self.x1) * ((y - self.y1) / (self.y2 - self.y1)).clamp(0.0, 1.0)
    }

    /// How far above its end the line is at a horizontal distance from it.
    fn rise(&self, distance: f64) -> f64 {
        (self.y2 - self.y1) * distance / (self.x2 - self.x1).abs().max(1.0)
    }

    /// The three corners of an arrow's head at the end.
    fn head(&self) -> String {
        let (dx, dy) = (self.x2 - self.x1, self.y2 - self.y1);
        let length = dx.hypot(dy).max(1.0);
        let (dx, dy) = (dx / length, dy / length);
        let (back_x, back_y) = (self.x2 - 9.0 * dx, self.y2 - 9.0 * dy);
        let (side_x, side_y) = (-4.0 * dy, 4.0 * dx);
        format!(
            "{:.1},{:.1} {:.1},{:.1} {:.1},{:.1}",
            self.x2,
            self.y2,
            back_x + side_x,
            back_y + side_y,
            back_x - side_x,
            back_y - side_y
        )
    }
}

/// Where a label stands in relation to its place.
#[derive(Clone, Copy)]
enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

struct Drawing<'a> {
    chart: &'a Chart,
    /// The last state, a card for each node at least.
    cards: Vec<Card>,
    spacing: f64,
    width: f64,
    /// The way of each flight.
    lines: Vec<Line>,
    /// How far the label of the step before reaches below its row.
    reach: f64,
    /// What clients asked for and were answered.
    histories: &'a [HistoryText],
    out: String,
}

impl<'a> Drawing<'a> {
    fn new(chart: &'a Chart, cards: Vec<Card>) -> Self {
        let alone = chart.nodes.len() == 1;
        let spacing = if alone { WIDTH_ALONE } else { spacing(chart) };
        let width = GUTTER + spacing * chart.nodes.len() as f64 + MARGIN;
        let mut drawing = Self {
            chart,
            cards,
            spacing,
            width,
            lines: Vec::new(),
            reach: 0.0,
            histories: &[],
            out: String::new(),
        };
        let mut row = drawing.y(chart.happenings.len()) + 10.0;
        for flight in &chart.flights {
            if flight.end == End::InFlight {
                row += FLIGHT_ROW;
            }
            let line = drawing.line(flight, row);
            drawing.lines.push(line);
        }
        drawing
    }

    fn x(&self, node: usize) -> f64 {
        if self.chart.nodes.len() == 1 {
            return GUTTER + 0.5 * SPACING_MIN;
        }
        GUTTER + self.spacing * (node as f64 + 0.5)
    }

    fn y(&self, step: usize) -> f64 {
        START + ROW * step as f64
    }

    /// Where the last step and what is left in flight end.
    fn bottom(&self) -> f64 {
        let left = self.chart.in_flight().count() as f64;
        self.y(self.chart.happenings.len())
            + 0.5 * ROW
            + left * FLIGHT_ROW
            + if left > 0.0 { 12.0 } else { 0.0 }
    }

    /// The way of a packet; one still in flight ends in a row of its own.
    fn line(&self, flight: &Flight, row: f64) -> Line {
        let y1 = self.y(flight.sent);
        let (y2, before) = match flight.end {
            End::Arrived { step } => (self.y(step), 0.0),
            End::Lost { step } => (self.y(step), LOST_BEFORE),
            End::InFlight => (row, IN_FLIGHT_BEFORE),
        };
        let start = self.x(flight.from);
        let way = match (flight.from == flight.to, flight.end) {
            (true, End::Arrived { .. }) => 0.0,
            (true, _) => LOOP,
            (false, _) => {
                let whole = self.x(flight.to) - start;
                whole - before * self.spacing * whole.signum()
            }
        };
        // The network makes a copy on the way of what it copies.
        let x1 = flight.copy_of.map_or(start, |original| self.lines[original].at(y1));
        Line { x1, y1, x2: start + way, y2 }
    }

    fn label_room(&self) -> usize {
        ((self.spacing - 22.0) / LABEL_COLUMN) as usize
    }

    fn draw(mut self, title: &str, broken: Option<&str>) -> String {
        let bar = self.bottom();
        let states = bar + BAR + 12.0;
        let lines = self.cards.iter().map(|card| card.lines.len().min(STATE_LINES_MAX)).max();
        let height = states + lines.unwrap_or(0) as f64 * STATE_LINE + 34.0 + MARGIN;
        let (width, label) = (self.width, escaped(title));
        let _ = write!(
            self.out,
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" role="img" aria-label="{label}"><style>{STYLE}</style><rect class="paper" width="{width:.0}" height="{height:.0}" rx="8"/>"#
        );
        self.draw_title(title);
        self.draw_rows();
        self.draw_lifelines(bar);
        self.draw_operations(bar);
        for flight in 0..self.lines.len() {
            self.draw_flight(flight);
        }
        // Labels and marks lie over all arrows.
        let chart = self.chart;
        for (step, happening) in (1..).zip(&chart.happenings) {
            self.draw_happening(step, happening);
        }
        self.draw_left_in_flight();
        self.draw_end(bar, broken);
        self.draw_states(states);
        self.out.push_str("</svg>\n");
        self.out
    }

    fn draw_title(&mut self, title: &str) {
        let steps = counted(self.chart.happenings.len() as u64, "step");
        let room = ((self.width - 2.0 * MARGIN) / 10.0) as usize;
        let room = room.saturating_sub(steps.len() + 2);
        let _ = write!(
            self.out,
            r#"<text class="title" x="{MARGIN}" y="33">{}<tspan class="muted" dx="10">{steps}</tspan><title>{}</title></text>"#,
            escaped(&shortened(title, room)),
            escaped(title),
        );
    }

    /// A band and a number for each step, for the eye and for pointing at.
    fn draw_rows(&mut self) {
        for step in 0..=self.chart.happenings.len() {
            let (y, width) = (self.y(step), self.width);
            let half = if step == 0 { 0.4 * ROW } else { 0.5 * ROW };
            let shade = if step % 2 == 1 { " odd" } else { "" };
            let _ = write!(
                self.out,
                r#"<g class="row{shade}" data-step="{step}"><rect x="0" y="{:.1}" width="{width:.0}" height="{:.1}"/>"#,
                y - half,
                half + 0.5 * ROW,
            );
            if step > 0 {
                let (x, y) = (GUTTER - 20.0, y + 4.0);
                let _ =
                    write!(self.out, r#"<text class="number" x="{x}" y="{y:.1}">{step}</text>"#);
            }
            self.out.push_str("</g>");
        }
    }

    fn draw_lifelines(&mut self, bottom: f64) {
        let top = HEADS_TOP + HEADS_HEIGHT;
        for node in 0..self.chart.nodes.len() {
            let x = self.x(node);
            let _ = write!(
                self.out,
                r#"<line class="lifeline" x1="{x:.1}" y1="{top}" x2="{x:.1}" y2="{bottom:.1}"/>"#
            );
        }
        let chart = self.chart;
        self.out.push_str(r#"<g class="heads">"#);
        let box_width = (self.spacing - 14.0).min(180.0);
        for (index, node) in chart.nodes.iter().enumerate() {
            let x = self.x(index);
            let role = shortened(&node.role, ((box_width - 10.0) / 6.6) as usize);
            let middle = HEADS_TOP + if role.is_empty() { 25.0 } else { 17.0 };
            let _ = write!(
                self.out,
                r#"<g class="head"><title>{}</title><rect x="{:.1}" y="{HEADS_TOP}" width="{box_width:.1}" height="{HEADS_HEIGHT}" rx="7"/><text class="name" x="{x:.1}" y="{middle}">{}</text><text class="role" x="{x:.1}" y="{}">{}</text></g>"#,
                escaped(&node.title()),
                x - 0.5 * box_width,
                escaped(&node.name),
                HEADS_TOP + 32.0,
                escaped(&role),
            );
        }
        self.out.push_str("</g>");
    }

    /// A bar on the lifeline of its client for each operation, from the step that asks for it to that of its answer.
    fn draw_operations(&mut self, bottom: f64) {
        // A style of their own: charts without histories stay as they are.
        const BAR_STYLE: &str = "fill:#7c3aed;fill-opacity:.3;stroke:#7c3aed";
        const TEXT_STYLE: &str = "font-size:11px;font-style:italic";
        for operation in self.histories.iter().flat_map(|history| &history.operations) {
            let Some(node) = place(&self.chart.nodes, operation.client) else { continue };
            let (x, top) = (self.x(node), self.y(operation.invoked));
            let (end, answer) = match &operation.answered {
                Some((step, answer)) => (self.y(*step), format!(" → {answer}")),
                None => (bottom, String::new()),
            };
            let text = format!("{}{answer}", operation.operation);
            let room = self.label_room();
            let _ = write!(
                self.out,
                r#"<g class="operation"><title>{}</title><rect x="{:.1}" y="{top:.1}" width="10" height="{:.1}" rx="5" style="{BAR_STYLE}"/><text x="{:.1}" y="{:.1}" text-anchor="end" style="{TEXT_STYLE}">{}</text></g>"#,
                escaped(&text),
                x - 5.0,
                (end - top).max(10.0),
                x - 9.0,
                top + 0.5 * ROW,
                escaped(&shortened(&text, room)),
            );
        }
    }

    fn draw_flight(&mut self, index: usize) {
        let flight = &self.chart.flights[index];
        let line = &self.lines[index];
        let (kind, end) = match flight.end {
            End::Arrived { step } => ("arrived", step),
            End::Lost { step } => ("lost", step),
            End::InFlight => ("in-flight", self.chart.happenings.len() + 1),
        };
        let copy = if flight.copy_of.is_some() { " copy" } else { "" };
        let Line { x1, y1, x2, y2 } = line;
        let (way, head) = if x1 == x2 {
            let out = x1 + LOOP;
            let end = Line { x1: out, y1: y2 - 6.0, x2: *x2, y2: *y2 };
            (
                format!("M{x1:.1} {y1:.1}C{out:.1} {y1:.1} {out:.1} {y2:.1} {x2:.1} {y2:.1}"),
                end.head(),
            )
        } else {
            (format!("M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}"), line.head())
        };
        let end_mark = if matches!(flight.end, End::Lost { .. }) {
            format!(
                r#"<path class="cross" d="M{:.1} {:.1}l12 12m0 -12l-12 12"/>"#,
                x2 - 6.0,
                y2 - 6.0
            )
        } else {
            format!(r#"<polygon points="{head}"/>"#)
        };
        let names = [flight.from, flight.to].map(|node| self.chart.nodes[node].name.as_str());
        let tip = format!("{} {}→{}", flight.message, names[0], names[1]);
        let _ = write!(
            self.out,
            r#"<g class="arrow {kind}{copy}" data-sent="{}" data-step="{end}"><title>{}</title><path class="way" d="{way}"/><circle cx="{x1:.1}" cy="{y1:.1}" r="2.6"/>{end_mark}</g>"#,
            flight.sent,
            escaped(&tip),
        );
    }

    /// A label, shortened, with the whole text for the pointer.
    fn draw_label(&mut self, class: &str, x: f64, y: f64, anchor: Anchor, text: &str) {
        let room = self.label_room();
        let _ = write!(
            self.out,
            r#"<text class="label {class}" x="{x:.1}" y="{y:.1}" text-anchor="{}">{}<title>{}</title></text>"#,
            anchor.name(),
            escaped(&shortened(text, room)),
            escaped(text),
        );
    }

    /// The label of a step's event, and a mark unless it is an arrow's end.
    fn draw_happening(&mut self, step: usize, happening: &Happening) {
        let y = self.y(step);
        let _ = write!(self.out, r#"<g class="event" data-sent="{step}" data-step="{step}">"#);
        let below = match happening {
            Happening::Arrival { flight, label } => self.draw_arrival(*flight, y, label),
            Happening::Loss { flight, label } | Happening::Return { flight, label } => {
                self.draw_label("lost", self.lines[*flight].x2, y + 19.0, Anchor::Middle, label);
                19.0
            }
            Happening::Copy { flight, label } => {
                let x = self.lines[*flight].x1;
                let _ = write!(
                    self.out,
                    r#"<g class="mark copy"><circle cx="{x:.1}" cy="{y:.1}" r="8"/><text x="{x:.1}" y="{:.1}">×2</text></g>"#,
                    y + 3.5
                );
                self.draw_label("copy", x, y + 20.0, Anchor::Middle, label);
                20.0
            }
            Happening::Link { ends: (one, other), kind, label } => {
                self.draw_mark(self.x(*one), y, kind);
                self.draw_mark(self.x(*other), y, kind);
                let x = self.x(*one.min(other)) + 14.0;
                self.draw_label(class_of(kind), x, y + 4.0, Anchor::Start, label);
                4.0
            }
            Happening::Mark { node: Some(node), kind, label } => {
                let x = self.x(*node);
                self.draw_mark(x, y, kind);
                let last = *node > 0 && *node + 1 == self.chart.nodes.len();
                let (x, anchor) =
                    if last { (x - 14.0, Anchor::End) } else { (x + 14.0, Anchor::Start) };
                self.draw_label(class_of(kind), x, y + 4.0, anchor, label);
                4.0
            }
            Happening::Mark { node: None, label, .. } => {
                self.draw_label("other", GUTTER, y + 4.0, Anchor::Start, label);
                4.0
            }
        };
        self.reach = below + 3.0;
        self.out.push_str("</g>");
    }

    /// The label of a packet that arrives, and how far below its row it stands.
    fn draw_arrival(&mut self, flight: usize, y: f64, label: &str) -> f64 {
        let Flight { from, to, .. } = self.chart.flights[flight];
        let x = self.x(to);
        let (x, anchor) =
            if from < to { (x - 11.0, Anchor::End) } else { (x + 11.0, Anchor::Start) };
        // An answer leaves below the arrow. Above it there is room if it is flat, and if the label
        // before does not reach down to it.
        let length = 11.0 + LABEL_COLUMN * text_width(label).min(self.label_room()) as f64;
        let rise = self.lines[flight].rise(length);
        let above = rise < (ROW - LABEL_HEIGHT - self.reach).min(0.4 * ROW);
        let below = if above { -rise - 3.0 } else { 13.0 };
        self.draw_label("arrived", x, y + below, anchor, label);
        below
    }

    fn draw_mark(&mut self, x: f64, y: f64, kind: &str) {
        let class = class_of(kind);
        let shape = match class {
            "timer" => r#"<circle r="7.5"/><path class="hand" d="M0 -4.5V0L3.2 2"/>"#,
            "command" => r#"<path d="M-7 -6L6 0L-7 6Z"/>"#,
            "reboot" => {
                r#"<circle class="ground" r="8"/><path class="turn" d="M5 -4A6.4 6.4 0 1 0 6.2 1.5"/><path class="tip" d="M1.5 -3.2L6.6 -2.6L6.4 -8Z"/>"#
            }
            "link-down" => r#"<circle class="ground" r="8"/><path d="M-5 -5L5 5M5 -5L-5 5"/>"#,
            "link-up" => r#"<circle class="ground" r="8"/><path d="M-5 0L-1 5L5 -5"/>"#,
            _ => r#"<circle r="5"/>"#,
        };
        let _ = write!(
            self.out,
            r#"<g class="mark {class}" transform="translate({x:.1} {y:.1})">{shape}</g>"#
        );
    }

    fn draw_left_in_flight(&mut self) {
        let chart = self.chart;
        let after = chart.happenings.len() + 1;
        for (index, flight) in chart.in_flight() {
            let Line { x2, y2, .. } = self.lines[index];
            let _ = write!(
                self.out,
                r#"<g class="event" data-sent="{}" data-step="{after}">"#,
                flight.sent
            );
            let rightwards = flight.from <= flight.to;
            let (x, anchor) =
                if rightwards { (x2 - 8.0, Anchor::End) } else { (x2 + 8.0, Anchor::Start) };
            self.draw_label("in-flight", x, y2 + 12.0, anchor, &flight.message);
            self.out.push_str("</g>");
        }
    }

    fn draw_end(&mut self, y: f64, broken: Option<&str>) {
        let (class, text) = match broken {
            Some(broken) => ("broken", format!("broken: {broken}")),
            None => ("over", "the run is over".to_owned()),
        };
        let width = self.width - 2.0 * MARGIN;
        let room = ((width - 24.0) / LABEL_COLUMN) as usize;
        let _ = write!(
            self.out,
            r#"<g class="bar {class}"><title>{}</title><rect x="{MARGIN}" y="{y:.1}" width="{width:.1}" height="{BAR}" rx="5"/><text x="{:.1}" y="{:.1}">{}</text></g>"#,
            escaped(&text),
            0.5 * self.width,
            y + 20.0,
            escaped(&shortened(&text, room)),
        );
    }

    /// The last state of each node, below its lifeline.
    fn draw_states(&mut self, top: f64) {
        let cards = std::mem::take(&mut self.cards);
        let alone = self.chart.nodes.len() == 1;
        let box_width = self.spacing - 12.0;
        let tallest = cards.iter().map(|card| card.lines.len().min(STATE_LINES_MAX)).max();
        let height = tallest.unwrap_or(0) as f64 * STATE_LINE + 28.0;
        let room = ((box_width - 16.0) / STATE_COLUMN) as usize;
        for (index, card) in cards.iter().take(self.chart.nodes.len()).enumerate() {
            let left = if alone { GUTTER } else { self.x(index) - 0.5 * box_width };
            let lines = card.lines.iter();
            let whole: Vec<String> = lines
                .map(|(path, value)| match path.as_str() {
                    "" => value.clone(),
                    path => format!("{path}: {value}"),
                })
                .collect();
            let _ = write!(
                self.out,
                r#"<g class="state"><title>{}</title><rect x="{left:.1}" y="{top:.1}" width="{box_width:.1}" height="{height:.1}" rx="6"/><text class="name" x="{:.1}" y="{:.1}">{}</text>"#,
                escaped(&whole.join("\n")),
                left + 8.0,
                top + 17.0,
                escaped(&shortened(&card.title, room)),
            );
            for (line, text) in state_lines(card, room).iter().enumerate() {
                let y = top + 33.0 + STATE_LINE * line as f64;
                let _ = write!(
                    self.out,
                    r#"<text x="{:.1}" y="{y:.1}">{}</text>"#,
                    left + 8.0,
                    escaped(text)
                );
            }
            self.out.push_str("</g>");
        }
    }
}

fn state_lines(card: &Card, room: usize) -> Vec<String> {
    let mut lines: Vec<String> =
        card.lines.iter().map(|(path, value)| shortened_line(path, value, room)).collect();
    if lines.len() > STATE_LINES_MAX {
        lines.truncate(STATE_LINES_MAX - 1);
        lines.push("…".to_owned());
    }
    lines
}

fn class_of(kind: &str) -> &'static str {
    match kind {
        "timer" => "timer",
        "command" => "command",
        "reboot" => "reboot",
        "link-down" => "link-down",
        "link-up" => "link-up",
        _ => "other",
    }
}

fn spacing(chart: &Chart) -> f64 {
    let labels = chart.happenings.iter().map(|happening| match happening {
        Happening::Arrival { label, .. }
        | Happening::Loss { label, .. }
        | Happening::Return { label, .. }
        | Happening::Link { label, .. }
        | Happening::Copy { label, .. }
        | Happening::Mark { label, .. } => text_width(label),
    });
    let roles = chart.nodes.iter().map(|node| text_width(&node.role));
    let longest = labels.chain(roles).max().unwrap_or(0);
    let wanted = 40.0 + LABEL_COLUMN * longest as f64;
    let most = WIDTH_WANTED / chart.nodes.len() as f64;
    // Two nodes side by side look cramped when the labels are short.
    let least = (0.5 * most).clamp(SPACING_MIN, 240.0);
    wanted.clamp(least, most.clamp(least, SPACING_MAX))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use roxmltree::Document;

    use everypath_explore::{HistoryText, OperationText};

    use super::super::random;

    fn count(svg: &Document<'_>, class: &str) -> usize {
        let has = |node: &roxmltree::Node<'_, '_>| {
            node.attribute("class").is_some_and(|it| it.split(' ').any(|word| word == class))
        };
        svg.descendants()
            .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "g")) && has(node))
            .count()
    }

    fn texts(svg: &Document<'_>) -> Vec<String> {
        svg.descendants().filter_map(|node| node.text()).map(str::to_owned).collect()
    }

    #[test]
    fn operations_are_bars_beside_their_clients() {
        let mut run = random::Run::new(&["server", "client"]);
        let none = run.chart("register", None, &[]).to_svg();
        run.happen("timer", 1, &[("timer", "Ask")], &[]);
        run.happen("timer", 0, &[("timer", "Wait")], &[]);
        run.happen("timer", 1, &[("timer", "Tell")], &[]);
        let operation = |operation: &str, invoked, answered| OperationText {
            client: 1,
            operation: operation.to_owned(),
            invoked,
            answered,
        };
        let whole = operation("Read <1>", 1, Some((2, "Value(1)".to_owned())));
        let operations = vec![whole, operation("Write(2)", 3, None)];
        let history = HistoryText { name: "register".to_owned(), operations, reasons: Vec::new() };
        run.story.histories.push(history);
        let svg = run.chart("register", None, &[]).to_svg();
        assert!(!none.contains("operation"));
        let svg = Document::parse(&svg).unwrap();
        assert_eq!(count(&svg, "operation"), 2);
        assert!(texts(&svg).contains(&"Read <1> → Value(1)".to_owned()));
    }

    #[test]
    fn a_chart_shows_what_happened() {
        let mut run = random::Run::new(&["sender", "receiver"]);
        run.put(0, 1, "D0");
        run.happen("timer", 0, &[("timer", "Retransmit")], &[(0, 1, "D0")]);
        run.duplicate(0, 1, "D0");
        run.deliver(0, 1, "D0", &[(1, 0, "A1"), (1, 1, "Self")]);
        run.lose(0, 1, "D0");
        run.deliver(1, 1, "Self", &[]);
        run.happen("reboot", 1, &[], &[]);
        run.fail(0, 1);
        let svg = run.chart("arq", Some("all is well"), &[]).to_svg();
        let svg = Document::parse(&svg).unwrap();
        let found = [
            "arrived",
            "lost",
            "in-flight",
            "timer",
            "reboot",
            "broken",
            "state",
            "head",
            "link-down",
        ];
        let found = found.map(|class| count(&svg, class));
        assert_eq!(found, [2, 1, 2, 1, 1, 1, 2, 2, 2]);
        let texts = texts(&svg);
        for text in ["broken: all is well", "timer Retransmit", "D0 duplicated", "D0 lost"] {
            assert!(texts.iter().any(|it| it == text), "{text} is not in {texts:?}");
        }
    }

    #[test]
    fn a_run_without_nodes_has_one_lifeline_of_marks() {
        let mut run = random::Run::new(&[]);
        run.event("action", 0, &[]);
        run.story.steps[0].event.node = None;
        run.story.steps[0].event.sentence = "Pour(Small, Big)".to_owned();
        let svg = run.chart("jugs", None, &[]).to_svg();
        let svg = Document::parse(&svg).unwrap();
        assert_eq!((count(&svg, "head"), count(&svg, "mark")), (1, 1));
        assert!(texts(&svg).iter().any(|text| text == "Pour(Small, Big)"));
    }

    proptest! {
        #[test]
        fn every_chart_is_well_formed_and_shows_every_packet(
            run in random::run(), title in random::nasty(), broken in random::nasty(),
        ) {
            let svg = run.chart(&title, Some(&broken), &[]).to_svg();
            let svg = Document::parse(&svg).map_err(|error| TestCaseError::fail(error.to_string()))?;
            let happened = |kind: &str| {
                run.story.steps.iter().filter(|step| step.event.kind == kind).count()
            };
            prop_assert_eq!(count(&svg, "arrived"), happened("deliver"));
            let lost = happened("lose") + happened("undeliverable");
            prop_assert_eq!(count(&svg, "lost"), lost);
            prop_assert_eq!(count(&svg, "arrow"), happened("deliver") + lost + run.waiting());
            prop_assert_eq!(count(&svg, "link-down"), 2 * happened("link-down"));
            prop_assert_eq!(count(&svg, "event"), run.story.steps.len() + run.waiting());
            let known = ["svg", "style", "rect", "g", "text", "tspan", "title", "line", "path", "circle", "polygon"];
            for node in svg.descendants().filter(roxmltree::Node::is_element) {
                prop_assert!(known.contains(&node.tag_name().name()));
            }
        }
    }
}
