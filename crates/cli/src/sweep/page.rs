//! A sweep as one page.

use everypath_plot::{PageTable, RunPage};

use super::report::Report;
use crate::simulating::picture::Picture;

impl Report<'_> {
    /// What was run, the measures of all points, and their curves.
    pub(crate) fn page(&self, pictures: Vec<Picture>, command: String) -> RunPage {
        let study = self.study;
        let first = study.points.first();
        let fact = |name: &str, value: String| (name.to_owned(), value);
        let mut facts = vec![
            fact("about", first.map_or(String::new(), |it| it.scenario.outline().about)),
            fact("command", command),
            fact("points", study.points.len().to_string()),
            fact("runs", self.executed.runs.iter().map(Vec::len).sum::<usize>().to_string()),
            fact("seed", study.seed.to_string()),
        ];
        if self.executed.stopped {
            facts.push(fact("stopped", "by the user: fewer runs than asked for".to_owned()));
        }
        facts.extend(self.used());
        let all = first.map(|it| it.scenario.subject().values()).unwrap_or_default();
        let is_the_same = |(name, value): &(String, String)| {
            study.points.iter().all(|it| it.scenario.subject().values().get(name) == Some(value))
        };
        let table = self.table();
        let (titles, rows) = table.lines().split_first().expect("a table has titles");
        RunPage {
            title: first.map_or(String::new(), |it| it.scenario.subject().title()),
            facts,
            parameters: all.into_iter().filter(is_the_same).collect(),
            tables: vec![PageTable {
                title: "means, with their 95 % intervals".to_owned(),
                titles: titles.clone(),
                rows: rows.to_vec(),
            }],
            pictures: pictures.into_iter().map(|picture| picture.svg).collect(),
            film: None,
        }
    }
}
