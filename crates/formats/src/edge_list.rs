//! Edge lists: one link per line.

use std::io::BufRead;

use crate::{
    FormatError, Limits, LinkFacts, NamedTopology, Problem,
    lines::Lines,
    named_topology::Builder,
    number,
    table::{Header, fields, names_both_ends},
};

/// The columns of a list with a header.
const COLUMNS: [&str; 5] = ["source", "target", "bandwidth_bps", "delay_s", "loss"];

/// The number of columns for the ends of a link.
const ENDS: usize = 2;

/// Reads an edge list. Each line names the two ends of a link, with blanks or a comma between them;
/// a line with one name is a node, linked or not. Comments (`#`) and blank lines are skipped.
///
/// If all names are whole numbers, nodes are numbered in their order, so that a list over 0 to n-1
/// keeps its numbers; otherwise in the order of first occurrence.
///
/// A list can begin with a line that names its columns: `source,target`, `from,to` or `src,dst`, in
/// any case and order. With commas it can have more columns: `bandwidth_bps`, `delay_s`, `loss`. An
/// empty field means unknown.
///
/// ```
/// use everypath_formats::{Limits, edge_list};
/// use everypath_model::Topology;
///
/// let chain = edge_list::read_topology(&b"# a chain\n2 1\n0 1\n"[..], &Limits::default()).unwrap();
/// assert_eq!(chain.topology, Topology::chain(3));
/// let named = edge_list::read_topology(&b"Oslo,Rome\nBonn,Rome\n"[..], &Limits::default()).unwrap();
/// assert_eq!(named.names, ["Oslo", "Rome", "Bonn"]);
/// ```
///
/// # Errors
/// If the file is not of this form, a node is linked to itself, two lines contradict each other, or a
/// limit is exceeded.
pub fn read_topology(input: impl BufRead, limits: &Limits) -> Result<NamedTopology, FormatError> {
    let mut lines = Lines::new(input, limits);
    let mut builder = Builder::default();
    let mut header = None;
    let mut is_first = true;
    while let Some((line, text)) = lines.next()? {
        let at = |problem| FormatError::at(line, problem);
        if std::mem::take(&mut is_first) {
            if names_both_ends(fields(text)) {
                header = Some(Header::read(text, COLUMNS, ENDS).map_err(at)?);
                continue;
            }
            let words = text.split_whitespace();
            if names_both_ends(words.clone()) && words.count() == ENDS {
                continue;
            }
        }
        let (ends, facts) = match &header {
            Some(header) => described_link(text, header).map_err(at)?,
            None => (plain_link(text).map_err(at)?, LinkFacts::default()),
        };
        let [first, second] = ends;
        let from = builder.node(first, line, limits)?;
        if let Some(second) = said(second) {
            let to = builder.node(second, line, limits)?;
            builder.link((from, to), facts, line, limits)?;
        }
    }
    builder.sort_by_number();
    builder.finish()
}

const EXPECTED: &str = "a line has the names of two nodes, with blanks or a comma between them; for properties of links, \
    begin with the line `source,target,bandwidth_bps,delay_s,loss`";

/// One or two names.
fn plain_link(text: &str) -> Result<[&str; 2], Problem> {
    let mut ends = ["", ""];
    let mut count = 0;
    let mut name = |name| {
        if let Some(end) = ends.get_mut(count) {
            *end = name;
        }
        count += 1;
    };
    if text.contains(',') {
        fields(text).for_each(&mut name);
    } else {
        text.split_whitespace().for_each(&mut name);
    }
    if count > ends.len() || ends[0].is_empty() || (text.contains(',') && ends[1].is_empty()) {
        return Err(Problem::unreadable(text, EXPECTED));
    }
    Ok(ends)
}

/// Two names, and the properties of their link.
fn described_link<'a>(
    text: &'a str,
    header: &Header<5>,
) -> Result<([&'a str; 2], LinkFacts), Problem> {
    let [source, target, bandwidth, delay, loss] = header.row(text)?;
    if source.is_empty()
        || (target.is_empty() && !(bandwidth.is_empty() && delay.is_empty() && loss.is_empty()))
    {
        return Err(Problem::unreadable(text, "a link has two ends: give `source` and `target`"));
    }
    let facts = LinkFacts {
        bandwidth_bps: said(bandwidth).map(number::bandwidth).transpose()?,
        delay: said(delay).map(number::time).transpose()?,
        loss: said(loss).map(number::probability).transpose()?,
    };
    // Links have no direction, and names are numbered in order of occurrence.
    let ends = if header.is_before(0, 1) { [source, target] } else { [target, source] };
    Ok((ends, facts))
}

/// The value of a field, unless it is empty.
fn said(field: &str) -> Option<&str> {
    (!field.is_empty()).then_some(field)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use everypath_model::{NodeId, Topology};

    use super::*;

    fn read(text: &str) -> Result<NamedTopology, String> {
        read_topology(text.as_bytes(), &Limits::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn numbers_keep_their_order_and_names_that_of_the_file() {
        let named = read("10 2\n2 7\n30\n").unwrap();
        assert_eq!(named.names, ["2", "7", "10", "30"]);
        assert_eq!(named.topology, Topology::edges(4, &[(0, 2), (0, 1)]).unwrap());
        let named = read("b a\nc b\na b\n").unwrap();
        assert_eq!(named.names, ["b", "a", "c"]);
        assert_eq!(named.node("c"), Some(NodeId(2)));
        assert_eq!(named.topology.links().count(), 2);
        assert!(named.links.is_empty());
    }

    #[test]
    fn a_header_lets_links_be_described() {
        let named = read("source,target,delay_s,loss\n1,0,0.002,0.1\n1,2,,\n3,,,\n").unwrap();
        let facts = LinkFacts {
            bandwidth_bps: None,
            delay: Some(Duration::from_millis(2)),
            loss: Some(0.1),
        };
        assert_eq!(named.links, [((NodeId(0), NodeId(1)), facts)]);
        assert_eq!(named.topology.len(), 4);
        assert_eq!(named.topology.links().count(), 2);
    }

    #[test]
    fn a_header_is_none_of_the_nodes_however_it_is_written() {
        for header in [
            "source,target",
            "Source,Target",
            "from,to",
            "FROM, TO",
            "src,dst",
            "\"Src\",\"Dst\"",
            "target,source",
            "To,From",
            "source target",
            "From\tTo",
        ] {
            let named = read(&format!("{header}\nb,a\nc,b\n")).unwrap();
            assert_eq!(named.names, ["b", "a", "c"], "{header}");
            assert_eq!(named.topology, Topology::edges(3, &[(0, 1), (0, 2)]).unwrap(), "{header}");
        }
        let named = read("Loss,To,From\n0.5,1,0\n").unwrap();
        assert_eq!((named.names.len(), named.links[0].1.loss), (2, Some(0.5)));
        // Names of nodes are not columns.
        assert_eq!(read("source,relay\nrelay,sink\n").unwrap().names[0], "source");
    }

    #[test]
    fn what_is_wrong_is_reported_with_its_line() {
        let error = |text: &str| read(text).unwrap_err();
        assert_eq!(
            error("# none\n"),
            "there is no node in it; is it the right file, and complete?"
        );
        assert_eq!(error("a b\nc c\n"), "line 2: node `c` is linked to itself; remove the link");
        for text in ["a b c", "a,b,c", "a,", ",a", "a b {}"] {
            assert!(error(text).starts_with("line 1: cannot read"), "{text}");
        }
        assert_eq!(
            error("source,target,los\n"),
            "line 1: there is no column `los`; did you mean `loss`?"
        );
        let told = error("source,target,loss\na,b,0.1\nb,a,0.2\n");
        assert!(
            told.starts_with("line 3: the link between `b` and `a`, of which line 2 says"),
            "{told}"
        );
        for row in ["a,b,2", "a,b", "a,,0.5", ",,", "a,b,NaN"] {
            assert!(
                error(&format!("source,target,loss\n{row}")).starts_with("line 2: cannot read")
            );
        }
        let limits = Limits { nodes: 2, ..Limits::default() };
        let limited = |text: &str| read_topology(text.as_bytes(), &limits).unwrap_err().to_string();
        assert!(limited("a b\nb c\n").starts_with("line 2: there are more than 2 nodes"));
        let limits = Limits { entries: 1, ..Limits::default() };
        let told = read_topology(&b"a b\nb c\n"[..], &limits).unwrap_err().to_string();
        assert!(told.starts_with("line 2: there are more than 1 links"), "{told}");
    }
}
