//! Page about a simulation.

use std::fmt::Write;

use crate::{
    Film,
    markup::{embedded, escaped, page},
};

const LOOK: &str = include_str!("chart/page.css");
const STYLE: &str = include_str!("run_page.css");
const SCRIPT: &str = include_str!("run_page.js");

/// A simulation: what was run, what was measured, pictures, and a film.
///
/// ```
/// use everypath_plot::{PageTable, RunPage};
///
/// let page = RunPage {
///     title: "arq".into(),
///     facts: vec![("seed".into(), "1".into())],
///     parameters: vec![("loss-rate".into(), "0.1".into())],
///     tables: vec![PageTable { title: "measures".into(), titles: vec!["".into()], rows: vec![vec!["delay".into()]] }],
///     pictures: Vec::new(),
///     film: None,
/// };
/// assert!(page.to_html().contains("<td>delay</td>"));
/// ```
#[derive(Clone, Debug)]
pub struct RunPage {
    /// Its title.
    pub title: String,
    /// What was run: names and values.
    pub facts: Vec<(String, String)>,
    /// All parameters and their values.
    pub parameters: Vec<(String, String)>,
    /// What was measured.
    pub tables: Vec<PageTable>,
    /// Drawings of this crate.
    pub pictures: Vec<String>,
    /// One run, moment by moment.
    pub film: Option<Film>,
}

/// A table of a page.
///
/// ```
/// use everypath_plot::PageTable;
///
/// let table = PageTable {
///     title: "measures".into(),
///     titles: vec!["measure".into(), "mean".into()],
///     rows: vec![vec!["delay".into(), "1.5 ms".into()]],
/// };
/// assert!(table.rows.iter().all(|row| row.len() == table.titles.len()));
/// ```
#[derive(Clone, Debug)]
pub struct PageTable {
    /// What it is of.
    pub title: String,
    /// The titles of its columns.
    pub titles: Vec<String>,
    /// Its rows, each with a cell for each title.
    pub rows: Vec<Vec<String>>,
}

impl RunPage {
    /// The page: one file that needs no other, and no network.
    #[must_use]
    pub fn to_html(&self) -> String {
        let mut body = String::new();
        let (film, script) = match &self.film {
            Some(film) => (film_section(film), film_script(film)),
            None => Default::default(),
        };
        let _ = write!(
            body,
            r#"<section aria-labelledby="facts-heading"><h2 id="facts-heading">What was run</h2>{}{}</section>"#,
            definitions(&self.facts),
            if self.parameters.is_empty() {
                String::new()
            } else {
                let all = definitions(&self.parameters);
                format!("<details><summary>all parameters</summary>{all}</details>")
            }
        );
        let tables: String = self.tables.iter().map(PageTable::to_html).collect();
        let _ = write!(
            body,
            r#"<section aria-labelledby="results-heading"><h2 id="results-heading">What was measured</h2><div class="tables">{tables}</div></section>{film}"#
        );
        if !self.pictures.is_empty() {
            let pictures = self.pictures.concat();
            let _ = write!(
                body,
                r#"<section aria-labelledby="pictures-heading"><h2 id="pictures-heading">Pictures</h2><div class="pictures">{pictures}</div></section>"#
            );
        }
        let body = format!(
            "<header><h1>{}</h1></header>\n<main class=\"report\">{body}</main>\n{script}",
            escaped(&self.title)
        );
        page(&self.title, &[LOOK, STYLE].concat(), &body)
    }
}

fn definitions(pairs: &[(String, String)]) -> String {
    let pair = |(name, value): &(String, String)| {
        format!("<dt>{}</dt><dd>{}</dd>", escaped(name), escaped(value))
    };
    format!(r#"<dl class="facts">{}</dl>"#, pairs.iter().map(pair).collect::<String>())
}

impl PageTable {
    fn to_html(&self) -> String {
        // A title stands as what is below it.
        let first = self.rows.first().unwrap_or(&self.titles);
        let cells = |row: &[String], tag: &str| {
            let cell = |(column, text): (usize, &String)| {
                let below = if tag == "th" { first.get(column).unwrap_or(text) } else { text };
                let class = if is_number(below) { r#" class="number""# } else { "" };
                format!("<{tag}{class}>{}</{tag}>", escaped(text))
            };
            format!("<tr>{}</tr>", row.iter().enumerate().map(cell).collect::<String>())
        };
        let rows: String = self.rows.iter().map(|row| cells(row, "td")).collect();
        format!(
            "<table><caption>{}</caption><thead>{}</thead><tbody>{rows}</tbody></table>",
            escaped(&self.title),
            cells(&self.titles, "th")
        )
    }
}

fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || ['-', '±'].contains(&c))
}

/// How fast a film can go, in simulated seconds for each second.
const SPEEDS: [(&str, &str); 7] = [
    ("0.0001", "1/10000 of its speed"),
    ("0.001", "1/1000 of its speed"),
    ("0.01", "1/100 of its speed"),
    ("0.1", "1/10 of its speed"),
    ("1", "its own speed"),
    ("5", "5 times as fast"),
    ("20", "20 times as fast"),
];

fn film_section(film: &Film) -> String {
    // A long run in its own time, one of milliseconds slowly enough to see something.
    let usual = match film.end {
        end if end >= 60.0 => "1",
        end if end >= 1.0 => "0.1",
        end if end >= 0.1 => "0.01",
        end if end >= 0.001 => "0.001",
        _ => "0.0001",
    };
    let speeds = SPEEDS.map(|(value, words)| {
        let selected = if value == usual { r#" selected="selected""# } else { "" };
        format!(r#"<option value="{value}"{selected}>{words}</option>"#)
    });
    let note = if film.flights_until < film.end {
        format!(
            " There were too many packets for a page: those sent after {:.3} s are skipped.",
            film.flights_until
        )
    } else {
        String::new()
    };
    format!(
        r#"<section class="film" aria-labelledby="film-heading"><h2 id="film-heading">The first run</h2>
<nav aria-label="Film">
<button type="button" id="play">Play</button>
<button type="button" id="back" title="to the packet before">◀</button>
<button type="button" id="on" title="to the next packet">▶</button>
<input type="range" id="time" min="0" max="1000" value="0" step="any" aria-label="time"/>
<output id="clock" for="time"></output>
<select id="speed" aria-label="speed">{}</select>
</nav>
<canvas id="screen" role="img" aria-label="nodes and packets"></canvas>
<div><div id="kinds"></div><h2>In flight</h2><ul id="flying"></ul></div>
<p class="note">A packet is shown for at least a third of a second, however fast it flies. A cross marks one that does not arrive.{note}</p>
</section>"#,
        speeds.concat()
    )
}

fn film_script(film: &Film) -> String {
    let data = serde_json::to_string(film).expect("a film can be written");
    format!(
        "<script type=\"application/json\" id=\"film\">{}</script>\n<script>{SCRIPT}</script>\n",
        embedded(&data)
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use roxmltree::{Document, ParsingOptions};
    use serde_json::Value;

    use super::*;
    use crate::{FilmedFlight, FilmedNode, chart::random::nasty};

    fn page(text: &str) -> RunPage {
        let node = |name: &str| FilmedNode { name: name.to_owned(), role: text.to_owned() };
        let flight = FilmedFlight {
            from: 0,
            to: 1,
            time: (0.5, 0.75),
            message: text.to_owned(),
            lost: false,
        };
        RunPage {
            title: text.to_owned(),
            facts: vec![(text.to_owned(), text.to_owned())],
            parameters: vec![(text.to_owned(), text.to_owned())],
            tables: vec![PageTable {
                title: text.to_owned(),
                titles: vec![text.to_owned()],
                rows: vec![vec![text.to_owned()]],
            }],
            pictures: Vec::new(),
            film: Some(Film {
                nodes: vec![node("n0"), node("n1")],
                flights: vec![flight],
                end: 1.0,
                flights_until: 1.0,
                ..Film::default()
            }),
        }
    }

    proptest! {
        #[test]
        fn no_text_gets_out_of_its_place(text in nasty()) {
            let html = page(&text).to_html().replace(SCRIPT, "");
            let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
            let read = Document::parse_with_options(&html, options)
                .map_err(|error| TestCaseError::fail(error.to_string()))?;
            let scripts: Vec<_> =
                read.descendants().filter(|node| node.has_tag_name("script")).collect();
            prop_assert_eq!(scripts.len(), 2);
            let film: Value = serde_json::from_str(scripts[0].text().unwrap()).unwrap();
            prop_assert_eq!(film["flights"][0]["message"].as_str(), Some(text.as_str()));
        }
    }

    #[test]
    fn a_page_needs_nothing_else() {
        let html = page("run").to_html();
        for outside in ["http:", "https:", "src=", "@import", "url(", "fetch("] {
            assert!(!html.contains(outside), "{outside}");
        }
    }
}
