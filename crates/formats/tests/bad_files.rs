//! Files that are no such files: readers say so, and never panic.

use std::fmt::Write;

use everypath_formats::{
    FormatError, Limits,
    bonnmotion::{self, Dimensions},
    edge_list, flows,
    graphml::{self, Directed},
    ns2, sumo,
};
use proptest::prelude::*;

/// Every reader on the same bytes; what each says.
fn read_by_all(bytes: &[u8]) -> [Result<(), FormatError>; 8] {
    let limits = Limits::default().nodes(50).entries(500).line_bytes(2000);
    [
        ns2::read_movements(bytes, &limits).map(drop),
        bonnmotion::read_movements(bytes, Dimensions::Two, &limits).map(drop),
        bonnmotion::read_movements(bytes, Dimensions::Three, &limits).map(drop),
        sumo::read_vehicles(bytes, &limits).map(drop),
        flows::read_flows(bytes, 7, &limits).map(drop),
        edge_list::read_topology(bytes, &limits).map(drop),
        graphml::read_topology(bytes, Directed::Refused, &limits).map(drop),
        graphml::read_topology(bytes, Directed::BothWays, &limits).map(drop),
    ]
}

/// What a reader says must say something, and where if there is a line.
fn check(bytes: &[u8]) -> Result<(), TestCaseError> {
    for error in read_by_all(bytes).into_iter().filter_map(Result::err) {
        let lines = bytes.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
        prop_assert!(error.line.is_none_or(|line| (1..=lines + 1).contains(&line)), "{}", error);
        prop_assert!(error.to_string().len() < 500, "{}", error);
    }
    Ok(())
}

/// A good file of each kind.
fn good(kind: usize) -> String {
    let mut file = String::new();
    match kind {
        0 => {
            for node in 0..3 {
                for axis in ["X_", "Y_", "Z_"] {
                    writeln!(file, "$node_({node}) set {axis} {node}.25").unwrap();
                }
            }
            file += "$god_ set-dist 0 1 1\n$ns_ at 0.5 \"$node_(2) setdest 3.5 7.0 1.5\"\n";
            file +=
                "$ns_ at 1.5 \"$node_(2) set X_ 9.0\"\n$ns_ at 2 \"$node_(1) setdest 1 2 3 4\"\n";
        }
        1 => file += "0.0 1.0 2.0 4.5 7.0 8.0 9.0 7.0 8.0\n0.0 3.0 3.0\n",
        2 => {
            file += "<?xml version=\"1.0\"?>\n<fcd-export xmlns:x=\"y\">\n";
            for time in 0..4 {
                writeln!(file, "<timestep time=\"{time}.0\"><vehicle id=\"a\" x=\"{time}\" y=\"2\"/></timestep>")
                    .unwrap();
            }
            file += "</fcd-export>\n";
        }
        3 => file += "src,dst,start_s,interval_s,bytes,end_s\n0,1,1.5,0.25,512,\n6,2,1,1,64,20\n",
        4 => file += "# links\n0 1\n1 2\n5\n",
        5 => file += "source,target,bandwidth_bps,delay_s,loss\na,b,1e6,0.001,0.5\nb,c,,,\n",
        _ => {
            file += "<graphml><key id=\"k\" for=\"edge\" attr.name=\"loss\"><default>0.5</default></key>\n";
            file += "<graph edgedefault=\"undirected\">\n<node id=\"a\"/><node id=\"b\"/>\n";
            file += "<edge source=\"a\" target=\"b\"><data key=\"k\">0.25</data></edge>\n</graph></graphml>\n";
        }
    }
    file
}

const KINDS: usize = 7;

#[test]
fn good_files_are_read_by_their_readers_alone() {
    for kind in 0..KINDS {
        let read = read_by_all(good(kind).as_bytes());
        let by: Vec<usize> = (0..read.len()).filter(|reader| read[*reader].is_ok()).collect();
        let expected: &[usize] = match kind {
            0 => &[0],
            // Of 9 and 3 numbers in a line, none make waypoints in space.
            1 => &[1],
            2 => &[3],
            3 => &[4],
            // A line with two names is a link, whatever they mean.
            4 | 5 => &[5],
            _ => &[6, 7],
        };
        assert_eq!(by, expected, "{}", good(kind));
    }
}

/// What can happen to a file.
#[derive(Clone, Debug)]
enum Damage {
    Cut(prop::sample::Index),
    Overwrite(prop::sample::Index, u8),
    Insert(prop::sample::Index, String),
    Repeat(prop::sample::Index, prop::sample::Index),
    Remove(prop::sample::Index, prop::sample::Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<prop::sample::Index>;
    let word = prop::sample::select(vec![
        "NaN",
        "inf",
        "-1",
        "1e999",
        "99999999999999999999",
        "\"",
        "'",
        "<",
        ">",
        "</",
        "/>",
        "<!--",
        "]]>",
        "<![CDATA[",
        "&",
        "&#0;",
        "&lt;",
        "<!DOCTYPE x [",
        "\n",
        "\r",
        "\t",
        " ",
        ",",
        ";",
        "#",
        "(",
        ")",
        "\u{feff}",
        "é",
        "\0",
        "-",
        ".",
        "_",
        "$",
        "n",
        "e",
        "0.0000000005",
        "<graph>",
        "<node id=\"z\"/>",
    ]);
    prop_oneof![
        at().prop_map(Damage::Cut),
        (at(), any::<u8>()).prop_map(|(at, byte)| Damage::Overwrite(at, byte)),
        (at(), word).prop_map(|(at, word)| Damage::Insert(at, word.to_owned())),
        (at(), at()).prop_map(|(from, to)| Damage::Repeat(from, to)),
        (at(), at()).prop_map(|(from, to)| Damage::Remove(from, to)),
    ]
}

fn damaged(mut file: Vec<u8>, damages: &[Damage]) -> Vec<u8> {
    let range = |file: &[u8], a: &prop::sample::Index, b: &prop::sample::Index| {
        let (a, b) = (a.index(file.len()), b.index(file.len()));
        a.min(b)..a.max(b)
    };
    for damage in damages {
        if file.is_empty() {
            break;
        }
        match damage {
            Damage::Cut(at) => file.truncate(at.index(file.len())),
            Damage::Overwrite(at, byte) => {
                let at = at.index(file.len());
                file[at] = *byte;
            }
            Damage::Insert(at, word) => {
                let at = at.index(file.len());
                file.splice(at..at, word.bytes());
            }
            Damage::Repeat(from, to) => {
                let range = range(&file, from, to);
                let piece = file[range.clone()].to_vec();
                file.splice(range.end..range.end, piece);
            }
            Damage::Remove(from, to) => {
                let range = range(&file, from, to);
                file.drain(range);
            }
        }
    }
    file
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn random_bytes_are_no_file(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        check(&bytes)?;
    }

    #[test]
    fn random_text_is_no_file(text in "[-$a-z_()0-9.,;#<>/=&\"' \n]{0,200}") {
        check(text.as_bytes())?;
    }

    #[test]
    fn damaged_files_do_no_harm(kind in 0..KINDS, damages in prop::collection::vec(damage(), 1..5)) {
        check(&damaged(good(kind).into_bytes(), &damages))?;
    }
}
