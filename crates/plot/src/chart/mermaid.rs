//! Mermaid sequence diagram of a run.

use std::fmt::Write;

use everypath_report::{shortened, text_width};

use super::{Chart, Flight, Happening, SequenceChart};

/// Longer texts make the whole diagram wide.
const TEXT_MAX: usize = 50;
const BROKEN_MAX: usize = 300;

impl SequenceChart<'_> {
    /// The run as a sequence diagram in the language of Mermaid, which many renderers of Markdown
    /// understand. It has no slanted arrows: an arrow stands where a packet arrives or is lost, and
    /// its text says where it was sent.
    ///
    /// ```
    /// use everypath_explore::{EventText, StateText};
    /// use everypath_plot::SequenceChart;
    /// use everypath_report::{Story, StoryStep};
    ///
    /// let event = EventText {
    ///     node: Some(0),
    ///     kind: "timer".to_owned(),
    ///     parameters: vec![("timer".to_owned(), "Retransmit".to_owned())],
    ///     sentence: "timer Retransmit fires at n0".to_owned(),
    /// };
    /// let step = StoryStep::new(event);
    /// let story = Story { initial: StateText::default(), steps: vec![step], histories: Vec::new() };
    /// let chart = SequenceChart { story: &story, title: "arq", broken: None, links: &[] };
    /// let diagram = chart.to_mermaid();
    /// assert!(diagram.contains("Note over n0: 1. timer Retransmit\n"));
    /// ```
    #[must_use]
    pub fn to_mermaid(&self) -> String {
        let chart = Chart::of(self.story);
        let mut text = "sequenceDiagram\n".to_owned();
        let title = plain(self.title);
        if !title.is_empty() {
            let _ = writeln!(text, "    title {title}");
        }
        for (index, node) in chart.nodes.iter().enumerate() {
            let _ = writeln!(text, "    participant {} as {}", id(index), plain(&node.title()));
        }
        for (step, happening) in (1..).zip(&chart.happenings) {
            text.push_str(&chart.mermaid_line(step, happening));
        }
        for (_, flight) in chart.in_flight() {
            text.push_str(&arrow(flight, "--)", &format!("in flight: {}", flight.message)));
        }
        if let Some(broken) = self.broken {
            let broken = folded(&format!("broken: {broken}"));
            let place = chart.all();
            let _ = write!(
                text,
                "    rect rgb(254, 202, 202)\n        Note over {place}: {broken}\n    end\n"
            );
        }
        text
    }
}

impl Chart {
    fn mermaid_line(&self, step: usize, happening: &Happening) -> String {
        match happening {
            Happening::Arrival { flight, label } => {
                let flight = &self.flights[*flight];
                arrow(flight, "->>", &format!("{step}. {label}"))
            }
            Happening::Loss { flight, label } | Happening::Return { flight, label } => {
                let flight = &self.flights[*flight];
                arrow(flight, "-x", &format!("{step}. {label}"))
            }
            Happening::Copy { flight, label } => {
                let Flight { from, to, .. } = self.flights[*flight];
                let between =
                    if from == to { id(from) } else { format!("{},{}", id(from), id(to)) };
                note(&between, &format!("{step}. {label}"))
            }
            Happening::Link { ends: (one, other), label, .. } => {
                note(&format!("{},{}", id(*one), id(*other)), &format!("{step}. {label}"))
            }
            Happening::Mark { node, label, .. } => {
                let place = node.map_or_else(|| self.all(), id);
                note(&place, &format!("{step}. {label}"))
            }
        }
    }

    /// All nodes, as a note spans them.
    fn all(&self) -> String {
        match self.nodes.len() - 1 {
            0 => id(0),
            last => format!("{},{}", id(0), id(last)),
        }
    }
}

fn id(index: usize) -> String {
    format!("n{index}")
}

fn sent(flight: &Flight) -> String {
    match (flight.copy_of, flight.sent) {
        (Some(_), step) => format!(" (copy of step {step})"),
        (None, 0) => " (sent initially)".to_owned(),
        (None, step) => format!(" (sent in step {step})"),
    }
}

fn arrow(flight: &Flight, kind: &str, label: &str) -> String {
    let (from, to) = (id(flight.from), id(flight.to));
    format!("    {from}{kind}{to}: {}{}\n", plain(label), sent(flight))
}

fn note(place: &str, label: &str) -> String {
    format!("    Note over {place}: {}\n", plain(label))
}

/// A long text in several lines.
fn folded(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in shortened(text, BROKEN_MAX).split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(line) + text_width(word) < TEXT_MAX => {
                line.push_str(if line.is_empty() { "" } else { " " });
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
        .iter()
        .filter(|line| !line.is_empty())
        .map(|line| plain(line))
        .collect::<Vec<_>>()
        .join("<br/>")
}

/// A text without anything that means something to Mermaid, shortened.
fn plain(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = shortened(&text, TEXT_MAX);
    text.chars().fold(String::new(), |mut plain, character| {
        match character {
            character if character.is_alphanumeric() || " .,:()[]+-–=_/→…".contains(character) =>
            {
                plain.push(character);
            }
            character if character.is_control() => plain.push(char::REPLACEMENT_CHARACTER),
            character => {
                let _ = write!(plain, "#{};", u32::from(character));
            }
        }
        plain
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::random;

    #[test]
    fn a_diagram_has_a_line_for_each_step_and_each_packet_left() {
        let mut run = random::Run::new(&["sender", "receiver"]);
        run.put(0, 1, "D0 #0");
        run.happen("timer", 0, &[("timer", "Retransmit")], &[(0, 1, "D0 #0")]);
        run.duplicate(0, 1, "D0 #0");
        run.deliver(0, 1, "D0 #0", &[(1, 0, "A1")]);
        run.lose(0, 1, "D0 #0");
        let expect = "\
sequenceDiagram
    title arq
    participant n0 as n0 (sender)
    participant n1 as n1 (receiver)
    Note over n0: 1. timer Retransmit
    Note over n0,n1: 2. D0 #35;0 duplicated
    n0->>n1: 3. D0 #35;0 (sent initially)
    n0-xn1: 4. D0 #35;0 lost (sent in step 1)
    n0--)n1: in flight: D0 #35;0 (copy of step 2)
    n1--)n0: in flight: A1 (sent in step 3)
    rect rgb(254, 202, 202)
        Note over n0,n1: broken: all is well
    end
";
        assert_eq!(run.chart("arq", Some("all is well"), &[]).to_mermaid(), expect);
    }

    proptest! {
        #[test]
        fn every_line_is_a_statement(run in random::run(), title in random::nasty()) {
            let diagram = run.chart(&title, Some(&title), &[]).to_mermaid();
            let lines = diagram.lines().filter(|line| !line.starts_with("sequenceDiagram"));
            let starts = ["    title ", "    participant n", "    n", "    Note over n",
                "    rect ", "        Note ", "    end"];
            for line in lines {
                prop_assert!(starts.iter().any(|start| line.starts_with(start)), "{}", line);
                let line = line.replace("<br/>", "");
                prop_assert!(!line.contains(['<', '&', '"', '{', '%', '`']), "{}", line);
            }
        }
    }
}
