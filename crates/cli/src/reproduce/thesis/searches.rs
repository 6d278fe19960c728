//! The searches of Sobeih's thesis: their names there as options of `check`.

use crate::reproduce::measured::Measured;

/// The seeds of shuffled searches stand at this place of the words.
const SEED: &str = "{seed}";

/// A search in the words of `check`, without the scenario. `None` if the name is not one of the thesis.
///
/// A name says how states are picked (`BFS`, `DFS`, `AODV-3-BeFS`), when they are stored (`AN`: the next state, `AC`: the
/// current one, `R`: in a recursion), and whether events are shuffled (`S`).
pub(super) fn words(name: &str) -> Option<String> {
    let (order, kind) = name.rsplit_once('-')?;
    let (kind, shuffles) = match kind.strip_suffix('S') {
        Some(kind) => (kind, true),
        None => (kind, false),
    };
    let strategy = match (order, kind) {
        ("DFS", "R") => "--strategy dfs-r".to_owned(),
        ("BFS", _) => "--strategy bfs".to_owned(),
        ("DFS", _) => "--strategy dfs".to_owned(),
        (ranking, _) => {
            let ranking = ranking.strip_suffix("-BeFS")?.to_lowercase();
            format!("--strategy best --ranking {ranking}")
        }
    };
    let add = match kind {
        "AC" => " --add current",
        "AN" | "R" => "",
        _ => return None,
    };
    let shuffle = if shuffles { format!(" --shuffle {SEED}") } else { String::new() };
    Some(format!("--profile thesis {strategy}{add}{shuffle}"))
}

/// The same words with a seed.
pub(super) fn seeded(words: &str, seed: u32) -> String {
    words.replace(SEED, &seed.to_string())
}

/// States that are stored or wait to be explored. A recursion has no list of waiting states.
pub(super) fn space(name: &str, found: &Measured) -> u64 {
    if name.starts_with("DFS-R") { found.states } else { found.states + found.waiting }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::thesis::published::{
        TABLE_4_1, TABLE_4_2, TABLE_4_5, TABLE_5_1_FIRST, TABLE_5_1_SECOND, TABLE_5_2_FIRST,
        TABLE_5_2_SECOND, TABLE_6_1,
    };

    #[test]
    fn names_say_how_to_search() {
        let words = |name| words(name).unwrap();
        assert_eq!(words("BFS-AN"), "--profile thesis --strategy bfs");
        assert_eq!(
            words("AODV-3-BeFS-ACS"),
            "--profile thesis --strategy best --ranking aodv-3 --add current --shuffle {seed}"
        );
        assert_eq!(seeded(&words("DFS-RS"), 7), "--profile thesis --strategy dfs-r --shuffle 7");
        assert_eq!(super::words("SPF-AN"), None);
    }

    #[test]
    fn every_published_name_is_a_search() {
        let fixed = TABLE_4_2.iter().chain(&TABLE_4_5).flatten();
        let fixed = fixed.chain(&TABLE_5_1_FIRST).chain(&TABLE_5_1_SECOND).map(|row| row.search);
        let sampled = TABLE_4_1.iter().flatten().chain(&TABLE_5_2_FIRST);
        let sampled = sampled.chain(&TABLE_5_2_SECOND).chain(&TABLE_6_1).map(|row| row.search);
        for name in fixed.chain(sampled) {
            assert!(words(name).is_some(), "{name}");
        }
    }
}
