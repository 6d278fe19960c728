//! The points of a sweep: the combinations of values.

use crate::{
    error::CliError,
    scenario_file::{Item, Source, Table, Value},
};

/// One combination of values.
pub(crate) struct Point {
    /// The keys that are swept, with their values.
    pub(crate) values: Vec<(String, Value)>,
    /// The scenario file with these values.
    pub(crate) table: Table,
}

/// All combinations of a file.
pub(crate) struct Points {
    pub(crate) points: Vec<Point>,
    /// The keys that are swept, those that change together in one list.
    pub(crate) axes: Vec<Vec<String>>,
}

/// A key that is swept.
struct Axis {
    /// As it is written: `nodes`, `radio.range`.
    key: String,
    at: usize,
    values: Vec<Item>,
}

/// The largest number of combinations.
const POINTS_MAX: usize = 100_000;

/// The values of a key.
const EXPECTED: &str = "a list of values, or a range such as { from = 10, to = 50, step = 10 }";

/// Keys outside of tables; all others without a dot are parameters of the scenario.
const OUTSIDE: [&str; 2] = ["duration", "profile"];

/// The points of a file, in the order of its keys: the last changes first. One point if it has no
/// sweep.
pub(crate) fn points(source: &Source, table: &Table) -> Result<Points, CliError> {
    let Some(item) = table.get("sweep") else {
        let point = Point { values: Vec::new(), table: table.clone() };
        return Ok(Points { points: vec![point], axes: Vec::new() });
    };
    let grid = Grid { source };
    let Value::Table(sweep) = &item.value else {
        return Err(grid.refuse("sweep", item, "a table: write it as [sweep]"));
    };
    let mut axes = Vec::new();
    grid.axes("", sweep, &mut axes)?;
    let groups = grid.groups(sweep, axes)?;
    let count = groups.iter().try_fold(1_usize, |count, group| {
        count.checked_mul(group[0].values.len()).filter(|count| *count <= POINTS_MAX)
    });
    if count.is_none() {
        let what = format!("`sweep` has more than {POINTS_MAX} combinations");
        return Err(source.error(item.at, what, Some("sweep in several steps".to_owned())));
    }
    let excluded = grid.excluded(sweep, &groups)?;
    let mut points: Vec<Vec<(&Axis, &Item)>> = vec![Vec::new()];
    for group in &groups {
        let steps = 0..group[0].values.len();
        let step = |step: usize| group.iter().map(move |axis| (axis, &axis.values[step]));
        points = points
            .iter()
            .flat_map(|point| {
                steps.clone().map(|number| point.iter().copied().chain(step(number)).collect())
            })
            .collect();
    }
    let is_excluded = |point: &[(&Axis, &Item)]| {
        excluded.iter().any(|pairs: &Vec<(String, String)>| {
            pairs.iter().all(|(key, value)| {
                point.iter().any(|(axis, it)| axis.key == *key && it.value.to_string() == *value)
            })
        })
    };
    points.retain(|point| !is_excluded(point));
    if points.is_empty() {
        let what = "`sweep.exclude` leaves no combination".to_owned();
        return Err(source.error(item.at, what, None));
    }
    Ok(Points {
        points: points.into_iter().map(|point| at(table, &point)).collect(),
        axes: groups.iter().map(|group| group.iter().map(|it| it.key.clone()).collect()).collect(),
    })
}

/// The file with the values of a point.
fn at(table: &Table, point: &[(&Axis, &Item)]) -> Point {
    let mut table = table.clone();
    table.remove("sweep");
    for (axis, item) in point {
        let path: Vec<&str> = axis.key.split('.').collect();
        let path = match path[..] {
            [key] if !OUTSIDE.contains(&key) => vec!["parameters", key],
            _ => path,
        };
        table.set(&path, (*item).clone());
    }
    let values = point.iter().map(|(axis, item)| (axis.key.clone(), item.value.clone()));
    Point { values: values.collect(), table }
}

struct Grid<'a> {
    source: &'a Source,
}

impl Grid<'_> {
    fn refuse(&self, key: &str, item: &Item, expected: &str) -> CliError {
        let what = format!("`{key}` is {}; it takes {expected}", item.value);
        self.source.error(item.at, what, None)
    }

    /// The keys of a table that are swept, and those of the tables in it.
    fn axes(&self, before: &str, table: &Table, axes: &mut Vec<Axis>) -> Result<(), CliError> {
        for entry in &table.0 {
            if before.is_empty() && ["zip", "exclude"].contains(&entry.key.as_str()) {
                continue;
            }
            let key = format!("{before}{}", entry.key);
            let named = format!("sweep.{key}");
            let values = match &entry.item.value {
                Value::List(items) if items.is_empty() => {
                    return Err(self.refuse(&named, &entry.item, "at least one value"));
                }
                Value::List(items) => items.clone(),
                Value::Table(range) if range.get("from").is_some() => {
                    self.range(&named, &entry.item, range)?
                }
                Value::Table(table) => {
                    self.axes(&format!("{key}."), table, axes)?;
                    continue;
                }
                _ => return Err(self.refuse(&named, &entry.item, EXPECTED)),
            };
            if ["seed", "replications", "scenario"].contains(&key.as_str()) {
                let what = format!("`{named}` cannot be swept");
                let help = "each point is run as often as `replications` says, under one seed; another scenario is another file";
                return Err(self.source.error(entry.at, what, Some(help.to_owned())));
            }
            axes.push(Axis { key, at: entry.at, values });
        }
        Ok(())
    }

    /// The numbers of a range, its ends included.
    fn range(&self, key: &str, item: &Item, range: &Table) -> Result<Vec<Item>, CliError> {
        const EXPECTED: &str =
            "from, to and step, all numbers, with a positive step and `to` not below `from`";
        let bad = || self.refuse(key, item, EXPECTED);
        let number =
            |name: &str| range.get(name).and_then(|it| it.value.as_number()).ok_or_else(bad);
        let (from, to, step) = (number("from")?, number("to")?, number("step")?);
        let whole = range.0.iter().all(|entry| matches!(entry.item.value, Value::Whole(_)));
        let steps = ((to - from) / step + 1e-9).floor();
        let fits = range.0.len() == 3 && step > 0.0 && to >= from && steps < POINTS_MAX as f64;
        if !fits {
            return Err(bad());
        }
        let value = |place: u32| {
            let number = from + step * f64::from(place);
            if whole {
                return Value::Whole(number as i64);
            }
            // 0.3, not 0.30000000000000004.
            Value::Real(format!("{number:.12e}").parse().expect("it was just printed"))
        };
        Ok((0..=steps as u32).map(|place| Item { value: value(place), at: item.at }).collect())
    }

    /// Keys that change together, and each other one by itself, in the order of the file.
    fn groups(&self, sweep: &Table, axes: Vec<Axis>) -> Result<Vec<Vec<Axis>>, CliError> {
        const EXPECTED: &str =
            "lists of keys that change together, such as [[\"nodes\", \"flows\"]]";
        let zips = match sweep.get("zip") {
            None => Vec::new(),
            Some(item) => strings(item).ok_or_else(|| self.refuse("sweep.zip", item, EXPECTED))?,
        };
        let at = sweep.get("zip").map_or(0, |item| item.at);
        let known: Vec<String> = axes.iter().map(|axis| axis.key.clone()).collect();
        let mut named: Vec<&String> = zips.iter().flatten().collect();
        if let Some(stranger) = named.iter().find(|key| !known.contains(key)) {
            let what = format!("`sweep.zip` names `{stranger}`, which is not swept");
            let help = format!("swept are: {}", known.join(", "));
            return Err(self.source.error(at, what, Some(help)));
        }
        named.sort_unstable();
        if let Some(twice) = named.windows(2).find(|pair| pair[0] == pair[1]) {
            let what = format!("`sweep.zip` names `{}` twice", twice[0]);
            return Err(self.source.error(at, what, None));
        }
        let mut groups: Vec<Vec<Axis>> = Vec::new();
        for axis in axes {
            let mates = zips.iter().find(|zip| zip.contains(&axis.key));
            let together =
                |group: &&mut Vec<Axis>| mates.is_some_and(|mates| mates.contains(&group[0].key));
            let Some(group) = groups.iter_mut().find(together) else {
                groups.push(vec![axis]);
                continue;
            };
            let (first, here) = (&group[0], axis.values.len());
            if first.values.len() != here {
                let (key, there) = (&first.key, first.values.len());
                let what = format!(
                    "`sweep.{}` has {here} values and `sweep.{key}` {there}, but they change together",
                    axis.key
                );
                let help = Some("give the same number of values for each".to_owned());
                return Err(self.source.error(axis.at, what, help));
            }
            group.push(axis);
        }
        Ok(groups)
    }

    /// The excluded combinations: pairs of keys and values.
    fn excluded(
        &self,
        sweep: &Table,
        groups: &[Vec<Axis>],
    ) -> Result<Vec<Vec<(String, String)>>, CliError> {
        const EXPECTED: &str = "a list of combinations, such as [{ nodes = 50, flows = 1 }]";
        let Some(item) = sweep.get("exclude") else { return Ok(Vec::new()) };
        let Value::List(items) = &item.value else {
            return Err(self.refuse("sweep.exclude", item, EXPECTED));
        };
        let combination = |item: &Item| {
            let Value::Table(table) = &item.value else {
                return Err(self.refuse("sweep.exclude", item, EXPECTED));
            };
            let mut pairs = Vec::new();
            flatten("", table, &mut pairs);
            for (key, value, at) in &pairs {
                let axis = groups.iter().flatten().find(|axis| axis.key == *key);
                let value_text = value.to_string();
                let is_there = axis.is_some_and(|axis| {
                    axis.values.iter().any(|item| item.value.to_string() == value_text)
                });
                if !is_there {
                    let what = format!("`sweep.exclude`: `{key}` is never {value}");
                    let help = Some("name keys and values of the sweep".to_owned());
                    return Err(self.source.error(*at, what, help));
                }
            }
            Ok(pairs.into_iter().map(|(key, value, _)| (key, value.to_string())).collect())
        };
        items.iter().map(combination).collect()
    }
}

/// Lists of texts.
fn strings(item: &Item) -> Option<Vec<Vec<String>>> {
    let text = |item: &Item| item.value.as_text().map(str::to_owned);
    let list = |item: &Item| {
        let items = item.value.as_list().filter(|items| items.len() > 1)?;
        items.iter().map(text).collect()
    };
    item.value.as_list()?.iter().map(list).collect()
}

/// Keys with dots, and their values.
fn flatten(before: &str, table: &Table, pairs: &mut Vec<(String, Value, usize)>) {
    for entry in &table.0 {
        let key = format!("{before}{}", entry.key);
        match &entry.item.value {
            Value::Table(table) => flatten(&format!("{key}."), table, pairs),
            value => pairs.push((key, value.clone(), entry.at)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points_of(text: &str) -> Result<Vec<String>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.toml");
        std::fs::write(&path, text).unwrap();
        let (source, table) = Source::read(&path).map_err(|error| error.to_string())?;
        let points = points(&source, &table).map_err(|error| {
            error.to_string().replace(&format!("{}/", folder.path().display()), "")
        })?;
        let told = |point: &Point| {
            let pairs = point.values.iter().map(|(key, value)| format!("{key}={value}"));
            pairs.collect::<Vec<_>>().join(" ")
        };
        Ok(points.points.iter().map(told).collect())
    }

    #[test]
    fn the_last_key_changes_first() {
        let points = points_of(
            "[sweep]\nnodes = [2, 3]\nradio.range = { from = 0.1, to = 0.3, step = 0.1 }",
        );
        assert_eq!(
            points.unwrap(),
            [
                "nodes=2 radio.range=0.1",
                "nodes=2 radio.range=0.2",
                "nodes=2 radio.range=0.3",
                "nodes=3 radio.range=0.1",
                "nodes=3 radio.range=0.2",
                "nodes=3 radio.range=0.3",
            ]
        );
        assert_eq!(points_of("scenario = \"x\"").unwrap(), [""]);
    }

    #[test]
    fn keys_can_change_together_and_combinations_be_left_out() {
        let points = points_of(
            "[sweep]\na = [1, 2]\nb = [\"x\", \"y\"]\nc = { from = 5, to = 6, step = 1 }\nzip = [[\"a\", \"c\"]]\nexclude = [{ a = 2, b = \"y\" }]",
        );
        assert_eq!(points.unwrap(), ["a=1 c=5 b=\"x\"", "a=1 c=5 b=\"y\"", "a=2 c=6 b=\"x\""]);
    }

    #[test]
    fn values_are_put_where_they_belong() {
        let text = "scenario = \"x\"\n[radio]\nrange = 5\n[sweep]\nnodes = [2]\nduration = [\"1s\"]\nradio.range = [7]";
        let (source, folder) = {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("file.toml");
            std::fs::write(&path, text).unwrap();
            (Source::read(&path).unwrap(), folder)
        };
        let points = points(&source.0, &source.1).unwrap().points;
        drop(folder);
        assert_eq!(
            points[0].table.to_string(),
            "{duration = \"1s\", parameters = {nodes = 2}, radio = {range = 7}, scenario = \"x\"}"
        );
    }

    #[test]
    fn a_sweep_without_sense_is_refused() {
        for (text, why) in [
            ("sweep = 3", "file.toml:1:9: `sweep` is 3; it takes a table: write it as [sweep]"),
            (
                "[sweep]\na = 3",
                "file.toml:2:5: `sweep.a` is 3; it takes a list of values, or a range such as { from = 10, to = 50, step = 10 }",
            ),
            ("[sweep]\na = []", "file.toml:2:5: `sweep.a` is []; it takes at least one value"),
            (
                "[sweep]\na = { from = 1, to = 0, step = 1 }",
                "file.toml:2:5: `sweep.a` is {from = 1, step = 1, to = 0}; it takes from, to and step, all numbers, with a positive step and `to` not below `from`",
            ),
            (
                "[sweep]\na = { from = 1, to = 9, step = 0 }",
                "file.toml:2:5: `sweep.a` is {from = 1, step = 0, to = 9}; it takes from, to and step, all numbers, with a positive step and `to` not below `from`",
            ),
            ("[sweep]\nseed = [1, 2]", "file.toml:2:1: `sweep.seed` cannot be swept"),
            (
                "[sweep]\na = [1]\nb = [1, 2]\nzip = [[\"a\", \"b\"]]",
                "file.toml:3:1: `sweep.b` has 2 values and `sweep.a` 1, but they change together",
            ),
            (
                "[sweep]\na = [1]\nzip = [[\"a\", \"b\"]]",
                "file.toml:3:7: `sweep.zip` names `b`, which is not swept",
            ),
            (
                "[sweep]\na = [1]\nzip = [[\"a\", \"a\"]]",
                "file.toml:3:7: `sweep.zip` names `a` twice",
            ),
            (
                "[sweep]\na = [1]\nzip = [\"a\"]",
                "file.toml:3:7: `sweep.zip` is [\"a\"]; it takes lists of keys that change together, such as [[\"nodes\", \"flows\"]]",
            ),
            (
                "[sweep]\na = [1]\nexclude = [{ a = 2 }]",
                "file.toml:3:14: `sweep.exclude`: `a` is never 2",
            ),
            (
                "[sweep]\na = [1]\nexclude = [{ a = 1 }]",
                "file.toml:1:1: `sweep.exclude` leaves no combination",
            ),
            (
                "[sweep]\na = { from = 1, to = 1000, step = 1 }\nb = { from = 1, to = 1000, step = 1 }",
                "file.toml:1:1: `sweep` has more than 100000 combinations",
            ),
        ] {
            assert_eq!(points_of(text).unwrap_err(), why);
        }
    }
}
