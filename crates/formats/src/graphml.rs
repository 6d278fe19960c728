//! GraphML, a format of graph editors and graph libraries.

use std::{collections::HashMap, io::BufRead};

use crate::{
    FormatError, Limits, LinkFacts, NamedTopology, Problem,
    named_topology::Builder,
    number,
    xml::{Element, Piece, Xml},
};

/// The treatment of directed edges; links go both ways.
///
/// ```
/// use everypath_formats::{Limits, graphml::{Directed, read_topology}};
///
/// let file = r#"<graphml><graph edgedefault="directed">
///     <node id="a"/> <node id="b"/> <edge source="a" target="b"/>
/// </graph></graphml>"#;
/// let read = |directed| read_topology(file.as_bytes(), directed, &Limits::default());
/// assert!(read(Directed::Refused).is_err());
/// assert_eq!(read(Directed::BothWays).unwrap().topology.links().count(), 1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Directed {
    /// An error.
    #[default]
    Refused,
    /// A link that goes both ways.
    BothWays,
}

/// Reads a GraphML file: nodes in the order of declaration, and the links between them.
///
/// Of the data of edges it reads, by the name of their key: `bandwidth_bps` (or `LinkSpeedRaw`, as
/// in the Internet Topology Zoo), `delay_s` and `loss`. It skips all other data.
///
/// ```
/// use everypath_formats::{Limits, graphml::{self, Directed}};
/// use everypath_model::Topology;
///
/// let file = r#"<graphml>
///     <key id="d0" for="edge" attr.name="delay_s" attr.type="double"/>
///     <graph edgedefault="undirected">
///         <node id="Oslo"/> <node id="Rome"/>
///         <edge source="Oslo" target="Rome"> <data key="d0">0.012</data> </edge>
///     </graph>
/// </graphml>"#;
/// let named = graphml::read_topology(file.as_bytes(), Directed::Refused, &Limits::default()).unwrap();
/// assert_eq!(named.topology, Topology::chain(2));
/// assert_eq!(named.links[0].1.delay.unwrap().as_millis(), 12);
/// ```
///
/// # Errors
/// If the file is not such XML or is cut off; if an edge names an undeclared node, leads from a
/// node to itself, is directed, or contradicts another edge about the same link; if there are
/// several graphs, nested ones or hyperedges; if a limit is exceeded.
pub fn read_topology(
    input: impl BufRead,
    directed: Directed,
    limits: &Limits,
) -> Result<NamedTopology, FormatError> {
    let mut xml = Xml::new(input, limits);
    let mut graph = Graph::new(directed, limits);
    loop {
        let line = xml.line();
        let Some(piece) = xml.next()? else {
            return graph.finish();
        };
        match piece {
            Piece::Begin(element) => graph.begin(&element)?,
            Piece::End(depth) => graph.end(depth, line)?,
            Piece::Text(text) => graph.text(&text, line)?,
            Piece::Other => {}
        }
    }
}

/// A property of a link that a key can name.
#[derive(Clone, Copy)]
enum Fact {
    Bandwidth,
    Delay,
    Loss,
}

impl Fact {
    fn of_key(name: &str) -> Option<Self> {
        Some(match name {
            "bandwidth_bps" | "LinkSpeedRaw" => Self::Bandwidth,
            "delay_s" => Self::Delay,
            "loss" => Self::Loss,
            _ => return None,
        })
    }

    fn put(self, text: &str, facts: &mut LinkFacts) -> Result<(), Problem> {
        match self {
            Self::Bandwidth => facts.bandwidth_bps = Some(number::bandwidth(text)?),
            Self::Delay => facts.delay = Some(number::time(text)?),
            Self::Loss => facts.loss = Some(number::probability(text)?),
        }
        Ok(())
    }
}

/// Longer than any number.
const NUMBER_BYTES_MAX: usize = 1000;

/// The content read so far.
struct Graph<'a> {
    limits: &'a Limits,
    directed: Directed,
    builder: Builder,
    /// The declared nodes, in order.
    declared: Vec<u32>,
    /// The same nodes, for lookup.
    is_declared: Vec<bool>,
    /// Where an edge names a node before its declaration.
    mentioned: Vec<(u32, u64)>,
    keys: HashMap<String, Fact>,
    /// Defaults for properties of edges.
    usual: LinkFacts,
    has_graph: bool,
    is_directed: bool,
    /// The key of the present `<key>`.
    key: Option<Fact>,
    /// The present edge, and its line.
    edge: Option<((u32, u32), LinkFacts, u64)>,
    /// The property being read, and its text so far.
    value: Option<(Fact, String)>,
}

impl<'a> Graph<'a> {
    fn new(directed: Directed, limits: &'a Limits) -> Self {
        Self {
            limits,
            directed,
            builder: Builder::default(),
            declared: Vec::new(),
            is_declared: Vec::new(),
            mentioned: Vec::new(),
            keys: HashMap::new(),
            usual: LinkFacts::default(),
            has_graph: false,
            is_directed: false,
            key: None,
            edge: None,
            value: None,
        }
    }

    fn begin(&mut self, element: &Element<'_>) -> Result<(), FormatError> {
        let refuse = |expected: &str| {
            let found = format!("<{}>", element.name());
            Err(element.error(Problem::unreadable(&found, expected)))
        };
        match (element.depth, element.name()) {
            (1, "graphml") => {}
            (1, _) => return refuse("the outermost element of GraphML is <graphml>"),
            (2, "key") => self.begin_key(element)?,
            (2, "graph") if self.has_graph => return refuse("give each graph a file of its own"),
            (2, "graph") => {
                self.has_graph = true;
                self.is_directed = element.needed("edgedefault")? == "directed";
            }
            (_, "graph") => return refuse("graphs within nodes are not supported; flatten them"),
            (_, "hyperedge") => return refuse("a link has two ends; use <edge>"),
            (3, "node") => self.declare(element)?,
            (3, "edge") => self.begin_edge(element)?,
            (3, "default") => self.value = self.key.map(|fact| (fact, String::new())),
            (4, "data") if self.edge.is_some() => {
                let fact = self.keys.get(&*element.needed("key")?);
                self.value = fact.map(|&fact| (fact, String::new()));
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, depth: usize, line: u64) -> Result<(), FormatError> {
        if let Some((fact, text)) = self.value.take_if(|_| depth == 3 || depth == 4) {
            let facts = match &mut self.edge {
                Some((_, facts, _)) => facts,
                None => &mut self.usual,
            };
            fact.put(text.trim(), facts).map_err(|problem| FormatError::at(line, problem))?;
        }
        if let Some((ends, facts, line)) = self.edge.take_if(|_| depth == 3) {
            self.builder.link(ends, facts, line, self.limits)?;
        }
        if depth == 2 {
            self.key = None;
        }
        Ok(())
    }

    fn text(&mut self, piece: &str, line: u64) -> Result<(), FormatError> {
        if let Some((_, text)) = &mut self.value {
            text.push_str(piece);
            if text.len() > NUMBER_BYTES_MAX {
                let problem = Problem::unreadable(text, "this should be a number");
                return Err(FormatError::at(line, problem));
            }
        }
        Ok(())
    }

    fn begin_key(&mut self, element: &Element<'_>) -> Result<(), FormatError> {
        let of = element.attribute("for")?;
        let name = element.attribute("attr.name")?;
        self.key = match (of.as_deref(), name) {
            (None | Some("edge" | "all"), Some(name)) => Fact::of_key(&name),
            _ => None,
        };
        if let Some(fact) = self.key {
            self.keys.insert(element.needed("id")?.into_owned(), fact);
        }
        Ok(())
    }

    fn declare(&mut self, element: &Element<'_>) -> Result<(), FormatError> {
        let name = element.needed("id")?;
        let node = self.builder.node(&name, element.line, self.limits)?;
        self.is_declared.resize(self.builder.len(), false);
        if std::mem::replace(&mut self.is_declared[node as usize], true) {
            return Err(element.error(Problem::Twice(format!("node `{name}`"))));
        }
        self.declared.push(node);
        Ok(())
    }

    fn begin_edge(&mut self, element: &Element<'_>) -> Result<(), FormatError> {
        let is_directed = match element.attribute("directed")? {
            Some(directed) => directed == "true",
            None => self.is_directed,
        };
        if is_directed && self.directed == Directed::Refused {
            let expected = "links go both ways; write an undirected graph, or have directed edges read as links";
            return Err(element.error(Problem::unreadable("a directed <edge>", expected)));
        }
        let mut end = |name| {
            let node = self.builder.node(&element.needed(name)?, element.line, self.limits)?;
            self.is_declared.resize(self.builder.len(), false);
            if !self.is_declared[node as usize] {
                self.mentioned.push((node, element.line));
            }
            Ok(node)
        };
        let ends = (end("source")?, end("target")?);
        self.edge = Some((ends, self.usual, element.line));
        Ok(())
    }

    fn finish(mut self) -> Result<NamedTopology, FormatError> {
        let stranger = self.mentioned.iter().find(|(node, _)| !self.is_declared[*node as usize]);
        if let Some(&(node, line)) = stranger {
            let name = self.builder.name(node).to_owned();
            let remedy = "declare it with <node>, or remove the edge".to_owned();
            return Err(FormatError::at(line, Problem::UnknownNode { name, remedy }));
        }
        self.builder.renumber(&self.declared);
        self.builder.finish()
    }
}

#[cfg(test)]
mod tests {
    use everypath_model::{NodeId, Topology};

    use super::*;

    fn read(body: &str) -> Result<NamedTopology, String> {
        let text = format!(
            "<graphml>\n<key id=\"b\" for=\"edge\" attr.name=\"bandwidth_bps\"><default>1e6</default></key>\n\
             <key id=\"l\" for=\"edge\" attr.name=\"loss\"/>\n<key id=\"n\" for=\"node\" attr.name=\"loss\"/>\n{body}\n</graphml>"
        );
        read_topology(text.as_bytes(), Directed::Refused, &Limits::default())
            .map_err(|error| error.to_string())
    }

    fn undirected(inner: &str) -> Result<NamedTopology, String> {
        read(&format!("<graph edgedefault=\"undirected\">\n{inner}\n</graph>"))
    }

    #[test]
    fn nodes_are_numbered_as_declared_also_after_edges() {
        let named = undirected(
            "<edge source=\"z\" target=\"y\"><data key=\"l\"> 0.5 </data><data key=\"other\">x</data></edge>\
             <node id=\"x\"><data key=\"n\">not a number</data></node><node id=\"y\"/><node id=\"z\"/>\
             <edge source=\"x\" target=\"y\"><data key=\"b\"><![CDATA[2000000]]></data></edge>",
        )
        .unwrap();
        assert_eq!(named.names, ["x", "y", "z"]);
        assert_eq!(named.topology, Topology::chain(3));
        let facts =
            |bandwidth, loss| LinkFacts { bandwidth_bps: Some(bandwidth), delay: None, loss };
        let link = |a, b, facts| ((NodeId(a), NodeId(b)), facts);
        assert_eq!(
            named.links,
            [link(0, 1, facts(2_000_000, None)), link(1, 2, facts(1_000_000, Some(0.5)))]
        );
    }

    #[test]
    fn what_is_wrong_is_reported_with_its_line() {
        let error = |inner: &str| undirected(inner).unwrap_err();
        assert_eq!(error(""), "there is no node in it; is it the right file, and complete?");
        let told = error("<node id=\"a\"/>\n<edge source=\"a\" target=\"b\"/>");
        assert!(told.starts_with("line 7: there is no node `b`; declare it"), "{told}");
        assert!(
            error("<node id=\"a\"/><node id=\"a\"/>")
                .starts_with("line 6: node `a` is given twice")
        );
        assert!(error("<node/>").starts_with("line 6: the attribute `id` of <node> is missing"));
        let pair = "<node id=\"a\"/><node id=\"b\"/>";
        assert!(
            error(&format!("{pair}<edge source=\"a\" target=\"a\"/>")).contains("linked to itself")
        );
        let told = error(&format!("{pair}<edge source=\"a\" target=\"b\" directed=\"true\"/>"));
        assert!(told.contains("links go both ways; write an undirected graph"), "{told}");
        let lossy = |loss: &str| {
            format!("{pair}<edge source=\"a\" target=\"b\"><data key=\"l\">{loss}</data></edge>")
        };
        assert!(error(&lossy("2")).starts_with("line 6: cannot read `2`; a probability"));
        assert!(error(&lossy("&amp;")).starts_with("line 6: cannot read"));
        assert!(error(&lossy(&"1".repeat(2000))).starts_with("line 6: cannot read"));
        let told = error(&(lossy("0.5") + "\n<edge source=\"b\" target=\"a\"/>"));
        assert!(
            told.starts_with("line 7: the link between `b` and `a`, of which line 6 says"),
            "{told}"
        );
        assert!(
            error("<node id=\"a\"><graph edgedefault=\"directed\"/></node>")
                .contains("flatten them")
        );
        assert!(error("<hyperedge/>").contains("a link has two ends"));
        let twice = "<graph edgedefault=\"undirected\"></graph>";
        assert!(read(&format!("{twice}{twice}")).unwrap_err().contains("a file of its own"));
        assert!(read("<graph>").unwrap_err().contains("`edgedefault` of <graph> is missing"));
    }

    #[test]
    fn directed_edges_are_links_if_asked() {
        let text = "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/>\
                    <edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"a\"/></graph></graphml>";
        let read = |directed| read_topology(text.as_bytes(), directed, &Limits::default());
        assert_eq!(read(Directed::BothWays).unwrap().topology, Topology::chain(2));
        assert!(read(Directed::Refused).is_err());
    }
}
