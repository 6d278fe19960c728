//! Page that steps through a run.

use everypath_report::Story;
use serde_json::{Value, json};

use super::{Chart, Flight, Happening, SequenceChart, links_down, packets_of, place};
use crate::markup::{embedded, escaped, page};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

impl SequenceChart<'_> {
    /// The run as a page that steps through it: the chart, the states of all nodes with what
    /// changed, the packets in flight, the topology.
    ///
    /// The page is one file that needs no other, and no network.
    ///
    /// ```
    /// use everypath_explore::StateText;
    /// use everypath_plot::SequenceChart;
    /// use everypath_report::Story;
    ///
    /// let story = Story { initial: StateText::default(), steps: Vec::new(), histories: Vec::new() };
    /// let chart = SequenceChart { story: &story, title: "</script>", broken: None, links: &[] };
    /// let page = chart.to_html();
    /// assert!(page.contains("<title>&lt;/script&gt;</title>"));
    /// ```
    #[must_use]
    pub fn to_html(&self) -> String {
        let &Self { story, title, broken, links } = self;
        let chart = Chart::of(story);
        let heading = escaped(title);
        let svg = self.to_svg();
        let data = embedded(&chart.data(story, links).to_string());
        let last = story.steps.len();
        let verdict = match broken {
            Some(broken) => format!(r#"<p class="verdict">broken: {}</p>"#, escaped(broken)),
            None => String::new(),
        };
        // A space without nodes has no network to show.
        let hidden = if chart.has_no_nodes() { r#" hidden="hidden""# } else { "" };
        let body = format!(
            r#"<header>
<h1>{heading}</h1>
{verdict}
<nav aria-label="Steps">
<button type="button" id="first" title="Home">First</button>
<button type="button" id="previous" title="Left arrow">◀ Previous</button>
<button type="button" id="next" title="Right arrow">Next ▶</button>
<button type="button" id="last" title="End">Last</button>
<input type="range" id="slider" min="0" max="{last}" value="0" step="1" aria-label="step"/>
<output id="position" for="slider"></output>
</nav>
<p id="sentence" aria-live="polite"></p>
</header>
<main>
<section id="chart" aria-label="Chart" tabindex="0">{svg}</section>
<div class="details">
<section aria-labelledby="topology-heading"{hidden}><h2 id="topology-heading">Topology</h2><div id="topology"></div></section>
<section aria-labelledby="packets-heading"{hidden}><h2 id="packets-heading">In flight</h2><ul id="packets"></ul></section>
<section aria-labelledby="states-heading"><h2 id="states-heading">States</h2><div id="states"></div></section>
</div>
</main>
<script type="application/json" id="run">{data}</script>
<script>{SCRIPT}</script>
"#
        );
        page(title, STYLE, &body)
    }
}

impl Chart {
    /// All that the page needs to know beside the chart.
    fn data(&self, story: &Story, links: &[(u32, u32)]) -> Value {
        let nodes: Vec<Value> =
            self.nodes.iter().map(|node| json!({ "name": node.name, "role": node.role })).collect();
        let place = |number| place(&self.nodes, number);
        let given = links.iter().filter_map(|&(a, b)| Some((place(a)?, place(b)?)));
        let given: Vec<(usize, usize)> = given.collect();
        let links = if given.is_empty() { self.pairs() } else { given };
        let moments: Vec<Value> = story
            .states()
            .enumerate()
            .map(|(number, state)| {
                let cards = self.cards(&state).into_iter();
                let cards = cards.map(|card| json!({ "title": card.title, "lines": card.lines }));
                let packets = packets_of(&state).into_iter();
                let packets = packets.map(|(from, to, message)| (place(from), place(to), message));
                let down = links_down(&state).filter_map(|(a, b)| Some((place(a)?, place(b)?)));
                let happening = number.checked_sub(1).map(|step| &self.happenings[step]);
                let sentence = match number.checked_sub(1) {
                    Some(step) => story.steps[step].sentence(),
                    None => "Initially".to_owned(),
                };
                json!({
                    "sentence": sentence,
                    "hop": happening.and_then(|happening| self.hop(happening)),
                    "nodes": happening.map_or(Vec::new(), |happening| self.marked(happening)),
                    "down": down.collect::<Vec<_>>(),
                    "cards": cards.collect::<Vec<_>>(),
                    "packets": packets.collect::<Vec<_>>(),
                })
            })
            .collect();
        json!({ "nodes": nodes, "links": links, "moments": moments })
    }

    /// The way of the packet that a step is about.
    fn hop(&self, happening: &Happening) -> Option<Value> {
        let (kind, flight) = match happening {
            Happening::Arrival { flight, .. } => ("arrived", flight),
            Happening::Loss { flight, .. } | Happening::Return { flight, .. } => ("lost", flight),
            Happening::Copy { flight, .. } => ("copy", flight),
            Happening::Link { .. } | Happening::Mark { .. } => return None,
        };
        let Flight { from, to, message, .. } = &self.flights[*flight];
        Some(json!({ "kind": kind, "from": from, "to": to, "message": message }))
    }

    /// The nodes at which something happens other than the arrival of a packet.
    fn marked(&self, happening: &Happening) -> Vec<usize> {
        match happening {
            Happening::Mark { node, .. } => node.iter().copied().collect(),
            Happening::Link { ends: (one, other), .. } => vec![*one, *other],
            Happening::Return { flight, .. } => vec![self.flights[*flight].from],
            Happening::Arrival { .. } | Happening::Loss { .. } | Happening::Copy { .. } => {
                Vec::new()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use roxmltree::{Document, ParsingOptions};

    use super::{super::random, *};

    proptest! {
        #[test]
        fn every_page_is_well_formed_and_holds_the_whole_run(
            run in random::run(), title in random::nasty(), broken in random::nasty(),
        ) {
            let page = run.chart(&title, Some(&broken), &[(0, 1)]).to_html();
            // The script is the same on every page, and no XML.
            let page = page.replace(SCRIPT, "");
            let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
            let page = Document::parse_with_options(&page, options)
                .map_err(|error| TestCaseError::fail(error.to_string()))?;
            let scripts: Vec<_> =
                page.descendants().filter(|node| node.has_tag_name("script")).collect();
            prop_assert_eq!(scripts.len(), 2);
            let data: Value = serde_json::from_str(scripts[0].text().unwrap_or_default())
                .map_err(|error| TestCaseError::fail(error.to_string()))?;
            let moments = data["moments"].as_array().expect("there are moments");
            prop_assert_eq!(moments.len(), run.story.steps.len() + 1);
            for (moment, step) in moments[1..].iter().zip(&run.story.steps) {
                prop_assert_eq!(moment["sentence"].as_str(), Some(step.event.sentence.as_str()));
            }
            let left = moments.last().and_then(|it| it["packets"].as_array());
            prop_assert_eq!(left.map(Vec::len), Some(run.waiting()));
        }
    }

    #[test]
    fn a_run_without_nodes_shows_no_network() {
        let hidden = |roles: &[&str]| {
            let page = random::Run::new(roles).chart("run", None, &[]).to_html();
            page.matches(r#" hidden="hidden""#).count()
        };
        assert_eq!((hidden(&[]), hidden(&["a"])), (2, 0));
    }

    #[test]
    fn a_page_needs_nothing_else() {
        let mut run = random::Run::new(&["a", "b"]);
        run.put(0, 1, "Hello");
        run.deliver(0, 1, "Hello", &[]);
        let page = run.chart("hello", None, &[]).to_html();
        let page = page.replace("http://www.w3.org/2000/svg", "");
        for outside in ["http:", "https:", "src=", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}
