//! Flow lists: sender, receiver, times and sizes of packets.

use std::{io::BufRead, time::Duration};

use everypath_model::NodeId;

use crate::{FormatError, Limits, Problem, lines::Lines, number, table::Header};

/// Packets of one size from one node to another, at a steady rate.
///
/// ```
/// use everypath_formats::{Limits, flows::read_flows};
/// use everypath_model::Rhythm;
///
/// let list = "src,dst,start_s,interval_s,bytes\n0,1,5,0.25,512\n";
/// let read = read_flows(list.as_bytes(), 2, &Limits::default()).unwrap()[0];
/// // The same flow for a simulation.
/// let flow = everypath_model::Flow::new(read.from, read.to, read.begin)
///     .rhythm(Rhythm::Every(read.interval))
///     .end(read.end);
/// assert_eq!((flow.begin.as_secs(), flow.end), (5, None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The sender.
    pub from: NodeId,
    /// The receiver.
    pub to: NodeId,
    /// When the first packet is sent.
    pub begin: Duration,
    /// The time between two packets.
    pub interval: Duration,
    /// The size of each packet, in bytes.
    pub bytes: u32,
    /// The end of the flow, if before the end of the run.
    pub end: Option<Duration>,
}

/// The columns of a flow list.
const COLUMNS: [&str; 6] = ["src", "dst", "start_s", "interval_s", "bytes", "end_s"];

/// The number of required columns.
const NEEDED: usize = 5;

/// Reads a flow list for this many nodes: comma-separated, with a first line that names the
/// columns, in any order and case. `src` and `dst` can also be called `source` and `target`, or
/// `from` and `to`. `end_s` is optional, and can be empty in a line.
///
/// ```
/// use everypath_formats::{Limits, flows};
///
/// let list = "src,dst,start_s,interval_s,bytes\n16,15,9.835,0.25,512\n";
/// let flows = flows::read_flows(list.as_bytes(), 25, &Limits::default()).unwrap();
/// assert_eq!(flows[0].from.to_string(), "n16");
/// assert_eq!(flows[0].interval.as_millis(), 250);
/// ```
///
/// # Errors
/// If the file is not of this form, a node does not exist, a flow ends before it starts, or a limit
/// is exceeded.
pub fn read_flows(
    input: impl BufRead,
    nodes: usize,
    limits: &Limits,
) -> Result<Vec<Flow>, FormatError> {
    let mut lines = Lines::new(input, limits);
    let Some((line, header)) = lines.next()? else {
        return Err(FormatError::whole(Problem::Empty("flow")));
    };
    let header =
        Header::read(header, COLUMNS, NEEDED).map_err(|problem| FormatError::at(line, problem))?;
    let mut flows = Vec::new();
    while let Some((line, text)) = lines.next()? {
        limits.check_entries(line, "flows", flows.len() + 1)?;
        let flow = flow(text, &header, nodes).map_err(|problem| FormatError::at(line, problem))?;
        flows.push(flow);
    }
    Ok(flows)
}

fn flow(text: &str, header: &Header<6>, nodes: usize) -> Result<Flow, Problem> {
    let [from, to, begin, interval, bytes, end] = header.row(text)?;
    let flow = Flow {
        from: node(from, nodes)?,
        to: node(to, nodes)?,
        begin: number::time(begin)?,
        interval: number::time(interval)?,
        bytes: bytes.parse().map_err(|_| {
            Problem::unreadable(bytes, "the size of a packet is a whole number of bytes")
        })?,
        end: if end.is_empty() { None } else { Some(number::time(end)?) },
    };
    if flow.from == flow.to {
        let expected = "a flow leads from one node to another";
        return Err(Problem::unreadable(text, expected));
    }
    if flow.interval.is_zero() {
        return Err(Problem::unreadable(interval, "the time between two packets is not 0"));
    }
    if let Some(end) = flow.end.filter(|end| *end < flow.begin) {
        let (before, time) = (flow.begin.as_secs_f64(), end.as_secs_f64());
        return Err(Problem::Backwards { who: "the flow".to_owned(), before, time });
    }
    Ok(flow)
}

fn node(text: &str, nodes: usize) -> Result<NodeId, Problem> {
    let node = text
        .strip_prefix('n')
        .unwrap_or(text)
        .parse()
        .map(NodeId)
        .map_err(|_| Problem::unreadable(text, "a node is a whole number, counted from 0"))?;
    if node.index() >= nodes {
        let remedy = format!("there are {nodes}, numbered from 0");
        return Err(Problem::UnknownNode { name: text.to_owned(), remedy });
    }
    Ok(node)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Flow>, String> {
        read_flows(text.as_bytes(), 3, &Limits::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn columns_can_come_in_any_order_and_in_quotes() {
        let text =
            "\"bytes\",dst,src,end_s, interval_s,start_s\r\n64,1,0,9,0.5,1\n\n# x\n64,n2,1,,1,0\n";
        let flows = read(text).unwrap();
        assert_eq!((flows[0].from, flows[0].to, flows[0].bytes), (NodeId(0), NodeId(1), 64));
        assert_eq!((flows[0].end, flows[1].end), (Some(Duration::from_secs(9)), None));
        assert_eq!(flows[1].to, NodeId(2));
        for header in ["from,to", "Source,Target", "SRC,Dst"] {
            let flows = read(&format!("{header},start_s,Interval_s,bytes\n1,2,0,1,64\n")).unwrap();
            assert_eq!((flows[0].from, flows[0].to), (NodeId(1), NodeId(2)), "{header}");
        }
        assert!(read("from,src,dst,start_s,interval_s,bytes").unwrap_err().contains("given twice"));
    }

    #[test]
    fn what_is_wrong_is_reported_with_its_line() {
        const HEADER: &str = "src,dst,start_s,interval_s,bytes,end_s\n";
        let line = |text: &str| read(&format!("{HEADER}{text}")).unwrap_err();
        assert_eq!(
            read("").unwrap_err(),
            "there is no flow in it; is it the right file, and complete?"
        );
        assert_eq!(
            read("src,dst,start,interval_s,bytes").unwrap_err(),
            "line 1: there is no column `start`; did you mean `start_s`?"
        );
        assert!(
            read("src,dst,start_s,interval_s").unwrap_err().contains("column `bytes` is missing")
        );
        assert!(read("src,src,start_s,interval_s").unwrap_err().contains("given twice"));
        assert_eq!(
            line("0,3,1,1,1,"),
            "line 2: there is no node `3`; there are 3, numbered from 0"
        );
        assert!(line("0,1,1,1,1").contains("there are 5 fields, but the first line names 6"));
        assert!(line("0,1,1,0,1,").contains("the time between two packets is not 0"));
        assert!(line("0,1,5,1,1,4").contains("the flow goes back in time, from 5 s to 4 s"));
        assert!(line("1,1,5,1,1,").contains("from one node to another"));
        for wrong in ["x,1,1,1,1,", "0,1,NaN,1,1,", "0,1,1,inf,1,", "0,1,1,1,-1,", "0,1,-1,1,1,"] {
            assert!(line(wrong).starts_with("line 2: cannot read"), "{wrong}");
        }
        let limits = Limits { entries: 1, ..Limits::default() };
        let text = format!("{HEADER}0,1,1,1,1,\n0,1,1,1,1,\n");
        let told = read_flows(text.as_bytes(), 3, &limits).unwrap_err().to_string();
        assert!(told.starts_with("line 3: there are more than 1 flows"), "{told}");
    }
}
