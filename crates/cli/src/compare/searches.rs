//! The searches of a comparison, and their syntax.

use everypath_model::{LEARNT, NOVELTY, did_you_mean};
use miette::Diagnostic;

use crate::{
    arguments::{
        compare::ComparedArguments,
        search::{StrategyName, search_of_words, word, words},
    },
    error::{CliError, unknown, unused},
    searching::spec::Method,
};

/// One of the searches that are compared.
#[derive(Clone, Debug)]
pub(crate) struct ComparedSearch {
    /// As it is written on the command line.
    pub(crate) name: String,
    pub(crate) method: Method,
    /// Whether the events of each state are shuffled by the seed of the run.
    shuffles: bool,
    /// The options that it sets itself, although they can be given for all searches.
    says: Vec<&'static str>,
}

impl ComparedSearch {
    /// Whether it depends on the seed of the run.
    pub(crate) fn draws(&self) -> bool {
        self.shuffles || self.chooses()
    }

    /// Whether the strategy draws from a seed that is not given.
    fn chooses(&self) -> bool {
        self.method.draws() && self.method.seed.is_none()
    }

    /// The method that `check` would use for the run with this seed.
    pub(crate) fn seeded(&self, seed: Option<u64>) -> Method {
        let mut method = self.method.clone();
        if self.shuffles {
            method.shuffle = seed;
        }
        if self.chooses() {
            method.seed = seed;
        }
        method
    }

    /// An error of this search.
    pub(crate) fn blamed(&self, error: CliError) -> CliError {
        blamed(&self.name, error)
    }
}

fn blamed(name: &str, error: CliError) -> CliError {
    let help = error.help().map(|help| help.to_string());
    CliError::Search { search: name.to_owned(), error: Box::new(error), help }
}

/// All requested searches, in a scenario with these rankings.
pub(crate) fn searches(
    asked: &ComparedArguments,
    rankings: &[String],
) -> Result<Vec<ComparedSearch>, CliError> {
    let mut searches: Vec<ComparedSearch> = Vec::new();
    for text in &asked.strategies {
        let read = Reader { asked, rankings }.read(text).map_err(|error| blamed(text, error))?;
        for search in read {
            if searches.iter().any(|known| known.name == search.name) {
                return Err(CliError::SameSearch { search: search.name });
            }
            searches.push(search);
        }
    }
    for (option, given) in [
        (ADD, !asked.add.is_empty()),
        (RELATION, !asked.relation.is_empty()),
        (TIES, !asked.ties.is_empty()),
        (SHUFFLE, asked.shuffle),
    ] {
        let all_say = searches.iter().all(|search| search.says.contains(&option));
        ensure_used(given, option, !all_say, "searches that all set it themselves")?;
    }
    let learns = searches.iter().any(|search| search.method.ranking.iter().any(|it| it == LEARNT));
    let without = "searches without the ranking `learnt`";
    ensure_used(!asked.learn_from.is_empty(), "learn-from", learns, without)?;
    let draws = searches.iter().any(ComparedSearch::draws);
    let nothing = "searches that draw nothing (--shuffle makes them draw)";
    ensure_used(asked.seeds.is_some(), "seeds", draws, nothing)?;
    let repeats = searches.iter().any(|search| !search.draws());
    let seeded = "searches that all draw: each is run once with each of the --seeds";
    ensure_used(asked.repeat.is_some(), "repeat", repeats, seeded)?;
    Ok(searches)
}

fn ensure_used(given: bool, option: &str, used: bool, with: &str) -> Result<(), CliError> {
    if given && !used {
        return Err(unused(format!("--{option}"), with));
    }
    Ok(())
}

/// Means all rankings.
const EACH: &str = "each";
/// Options that can be given for all searches.
const ADD: &str = "add";
const RELATION: &str = "relation";
const SHUFFLE: &str = "shuffle";
const TIES: &str = "ties";
/// Options of `check` that can follow a search, each after a slash.
const OPTIONS: [&str; 10] = [
    ADD,
    RELATION,
    SHUFFLE,
    TIES,
    "seed",
    "width",
    "walks",
    "store",
    "bitstate-memory",
    "bitstate-hashes",
];

struct Reader<'a> {
    asked: &'a ComparedArguments,
    rankings: &'a [String],
}

impl Reader<'_> {
    /// Parses `STRATEGY[:RANKING[+RANKING]…][/OPTION=VALUE]…`, which can mean several searches.
    fn read(&self, text: &str) -> Result<Vec<ComparedSearch>, CliError> {
        let strategy = &text[..text.find([':', '/']).unwrap_or(text.len())];
        let rest = &text[strategy.len()..];
        let (rankings, options) = match rest.strip_prefix(':') {
            Some(rest) => self.ranking_names(rest),
            None => (Vec::new(), rest),
        };
        self.ensure_strategy(strategy)?;
        let options: Vec<&str> = options.split('/').skip(1).collect();
        let mut says = vec![ADD, RELATION, SHUFFLE, TIES];
        // Other strategies have no ties to break.
        let breaks_ties = [StrategyName::Best, StrategyName::Beam].map(|it| word(&it));
        let has_none = |name: &str| name == TIES && !breaks_ties.iter().any(|it| it == strategy);
        says.retain(|name| {
            has_none(name) || options.iter().any(|option| option.split('=').next() == Some(name))
        });
        let mut searches = Vec::new();
        for rankings in self.each(&rankings)? {
            for further in self.further(&says) {
                let mut name = strategy.to_owned();
                if !rankings.is_empty() {
                    name = format!("{name}:{}", rankings.join("+"));
                }
                for option in options.iter().map(|it| (*it).to_owned()).chain(further.named) {
                    name = format!("{name}/{option}");
                }
                let said = options.iter().map(|it| (*it).to_owned()).chain(further.all);
                let (mut method, shuffles) = parsed(strategy, said)?;
                method.ranking = rankings.clone();
                let shuffles = shuffles || self.asked.shuffle && method.shuffle.is_none();
                let says = says.clone();
                searches.push(ComparedSearch { name, method, shuffles, says });
            }
        }
        Ok(searches)
    }

    /// The names of rankings at the beginning of a text, and the rest. A name that the scenario knows
    /// may contain any character.
    fn ranking_names<'a>(&self, text: &'a str) -> (Vec<String>, &'a str) {
        let mut names = Vec::new();
        let mut rest = text;
        loop {
            let ends = |after: &str| after.is_empty() || after.starts_with(['+', '/']);
            let known = self.rankings.iter().map(String::len).filter(|&length| {
                let name = rest.get(..length);
                name.is_some_and(|name| self.rankings.iter().any(|known| known == name))
                    && ends(&rest[length..])
            });
            let unknown = || rest.find(['+', '/']).unwrap_or(rest.len());
            let (name, after) = rest.split_at(known.max().unwrap_or_else(unknown));
            names.push(name.to_owned());
            match after.strip_prefix('+') {
                Some(more) => rest = more,
                None => return (names, after),
            }
        }
    }

    /// The rankings of each search: one search, unless the first name means all rankings.
    fn each(&self, names: &[String]) -> Result<Vec<Vec<String>>, CliError> {
        let each = match names {
            [first, rest @ ..] if first == EACH && !self.rankings.contains(first) => {
                let all = self.rankings.iter().map(String::as_str).chain([NOVELTY]);
                let all = all.chain((!self.asked.learn_from.is_empty()).then_some(LEARNT));
                let others = all.filter(|name| !rest.iter().any(|it| it == name));
                others.map(|name| [&[name.to_owned()], rest].concat()).collect()
            }
            _ => vec![names.to_vec()],
        };
        if each.is_empty() {
            let what = format!("`{EACH}` means no ranking here");
            let help = Some("the scenario has no rankings but those that follow it".to_owned());
            return Err(CliError::Unreadable { what, help });
        }
        Ok(each)
    }

    /// The options for all searches that do not set them themselves: each value of `--add` with each
    /// of `--relation` and of `--ties`.
    fn further(&self, says: &[&str]) -> Vec<Further> {
        let mut all = vec![Further::default()];
        let adds: Vec<String> = self.asked.add.iter().map(word).collect();
        let ties: Vec<String> = self.asked.ties.iter().map(word).collect();
        for (option, values) in [(ADD, &adds), (RELATION, &self.asked.relation), (TIES, &ties)] {
            if values.is_empty() || says.contains(&option) {
                continue;
            }
            let one =
                |before: &Further, value: &String| before.and(option, value, values.len() > 1);
            let next = all.iter().flat_map(|before| values.iter().map(|it| one(before, it)));
            all = next.collect();
        }
        all
    }

    fn ensure_strategy(&self, name: &str) -> Result<(), CliError> {
        let known = words::<StrategyName>();
        if known.iter().any(|known| known == name) {
            return Ok(());
        }
        // Users may write a ranking in place of a strategy.
        let is_ranking =
            [NOVELTY, LEARNT].contains(&name) || self.rankings.iter().any(|known| known == name);
        let help = match is_ranking {
            true => format!("did you mean `best:{name}`?"),
            false => did_you_mean(name, known.iter().map(String::as_str)),
        };
        Err(CliError::Unknown { what: "strategy", name: name.to_owned(), help })
    }
}

/// Options for all searches; those that differ are part of their names.
#[derive(Clone, Default)]
struct Further {
    all: Vec<String>,
    named: Vec<String>,
}

impl Further {
    fn and(&self, option: &str, value: &str, differs: bool) -> Self {
        let mut more = self.clone();
        more.all.push(format!("{option}={value}"));
        if differs {
            more.named.push(format!("{option}={value}"));
        }
        more
    }
}

/// Parses the options of a search; also whether the seeds of its runs shuffle it.
fn parsed(
    strategy: &str,
    options: impl Iterator<Item = String>,
) -> Result<(Method, bool), CliError> {
    let mut words = vec![format!("--strategy={strategy}")];
    let mut shuffles = false;
    for option in options {
        let name = option.split('=').next().unwrap_or_default();
        if !OPTIONS.contains(&name) {
            return Err(unknown("option", name, OPTIONS.into_iter()));
        }
        if option == SHUFFLE && !shuffles {
            shuffles = true;
        } else {
            words.push(format!("--{option}"));
        }
    }
    if shuffles && words.iter().any(|word| word.starts_with("--shuffle")) {
        let help = Some("shuffle by each seed (/shuffle) or by one (/shuffle=7)".to_owned());
        let what = "the option `shuffle` occurs twice".to_owned();
        return Err(CliError::Unreadable { what, help });
    }
    let search = search_of_words(words).map_err(|told| in_words(&told))?;
    Ok((search.into(), shuffles))
}

/// An error of clap, in the form of all other errors.
fn in_words(text: &str) -> CliError {
    let mut lines = text.lines().map(str::trim);
    let what = lines.next().unwrap_or_default().trim_start_matches("error: ").to_owned();
    let told = lines.filter(|line| line.starts_with('[') || line.starts_with("tip: "));
    let help = told.map(|line| line.trim_start_matches("tip: ")).collect::<Vec<_>>().join("; ");
    CliError::Unreadable { what, help: (!help.is_empty()).then_some(help) }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Asked {
        #[command(flatten)]
        compared: ComparedArguments,
    }

    /// The searches that options ask for in a scenario with these rankings: name and rankings.
    fn read(options: &[&str], rankings: &[&str]) -> Vec<(String, Vec<String>)> {
        let asked = Asked::parse_from([&["compare"], options].concat()).compared;
        let rankings: Vec<String> = rankings.iter().map(|name| (*name).to_owned()).collect();
        let searches = searches(&asked, &rankings).unwrap_or_else(|error| panic!("{error}"));
        searches.into_iter().map(|search| (search.name, search.method.ranking)).collect()
    }

    #[test]
    fn names_of_rankings_may_hold_what_separates_others() {
        let rankings = ["in + out ≤ 3", "in ", "a/add=b", "each"];
        let text = "best:in + out ≤ 3+a/add=b+unknown/add=next";
        let [(name, read_rankings)] = &read(&["--strategies", text], &rankings)[..] else {
            panic!("one search")
        };
        assert_eq!(name, text);
        assert_eq!(*read_rankings, ["in + out ≤ 3", "a/add=b", "unknown"]);
        let own = read(&["--strategies", "best:each"], &rankings);
        assert_eq!(own, [("best:each".to_owned(), vec!["each".to_owned()])]);
        let tied = read(&["--strategies", "bfs,best", "--ties", "newest,oldest"], &[]);
        let names: Vec<String> = tied.into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["bfs", "best/ties=newest", "best/ties=oldest"]);
        let [(name, rankings)] = &read(&["--strategies", "best:each"], &[])[..] else {
            panic!("one search")
        };
        assert_eq!((name.as_str(), rankings.as_slice()), ("best:novelty", &["novelty".into()][..]));
    }

    #[test]
    fn seeds_reach_what_draws() {
        let seeded = |text: &str| {
            let asked = Asked::parse_from(["compare", "--strategies", text]).compared;
            let search = searches(&asked, &[]).unwrap_or_else(|error| panic!("{error}")).remove(0);
            let method = search.seeded(Some(7));
            (search.draws(), method.shuffle, method.seed)
        };
        assert_eq!(seeded("bfs"), (false, None, None));
        assert_eq!(seeded("bfs/shuffle"), (true, Some(7), None));
        assert_eq!(seeded("bfs/shuffle=3"), (false, Some(3), None));
        assert_eq!(seeded("biased"), (true, None, Some(7)));
        assert_eq!(seeded("biased/seed=2"), (false, None, Some(2)));
        assert_eq!(seeded("biased/shuffle"), (true, Some(7), Some(7)));
        assert_eq!(seeded("walk"), (true, None, Some(7)));
        assert_eq!(seeded("best/ties=oldest"), (false, None, None));
        assert_eq!(seeded("best/ties=shuffled"), (true, None, Some(7)));
        assert_eq!(seeded("beam/ties=shuffled/seed=2"), (false, None, Some(2)));
    }
}
