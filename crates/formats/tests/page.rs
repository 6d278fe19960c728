//! Every example of the page on formats is read by the reader that it is for.

use everypath_formats::{
    FormatError, Limits,
    bonnmotion::{self, Dimensions},
    edge_list, flows,
    graphml::{self, Directed},
    ns2, sumo,
};

const PAGE: &str = include_str!("../../../docs/formats.md");

/// Reads an example by the word at its fence; false if it is no file.
fn read(word: &str, text: &str) -> Result<bool, FormatError> {
    let (limits, bytes) = (Limits::default(), text.as_bytes());
    match word {
        "tcl" => ns2::read_movements(bytes, &limits).map(drop)?,
        "movements" => bonnmotion::read_movements(bytes, Dimensions::Two, &limits).map(drop)?,
        "csv" => flows::read_flows(bytes, 25, &limits).map(drop)?,
        "edges" => edge_list::read_topology(bytes, &limits).map(drop)?,
        "xml" if text.starts_with("<graphml>") => {
            graphml::read_topology(bytes, Directed::Refused, &limits).map(drop)?;
        }
        "xml" => sumo::read_vehicles(bytes, &limits).map(drop)?,
        "rust" | "text" => return Ok(false),
        _ => panic!("nobody knows what `{word}` is"),
    }
    Ok(true)
}

#[test]
fn the_examples_of_the_page_are_read() {
    let mut examples = 0;
    // Fences come in pairs: text, word and example, text, …
    for example in PAGE.split("```").skip(1).step_by(2) {
        let (word, text) = example.split_once('\n').unwrap();
        examples +=
            usize::from(read(word, text).unwrap_or_else(|error| panic!("{error}:\n{text}")));
    }
    assert_eq!(examples, 7);
}
