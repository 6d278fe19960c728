//! Walls between modules: how many of a crate can be reached from each other through their imports.
//!
//! A folder of modules is one module among its siblings; its own modules are looked at among themselves. The file that
//! declares the modules of a level is none of them: a name that it passes on counts for where the name comes from.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use crate::source_tree;

/// More than this many modules are a room without walls.
const LARGEST: usize = 3;

/// A path of names, from the root of a crate.
type Names = Vec<String>;

#[test]
fn import_cycles_are_small() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let mut modules = 0;
    for folder in fs::read_dir(crates).unwrap().map(|it| it.unwrap().path()) {
        let library = Library::read(&folder.join("src"));
        modules += library.files.len();
        for (level, cycle) in library.cycles() {
            assert!(
                cycle.len() <= LARGEST,
                "{} modules of {} import each other in `{}`: {cycle:?}",
                cycle.len(),
                folder.display(),
                level.join("::"),
            );
        }
    }
    assert!(modules > 200, "{modules} modules");
}

#[test]
fn a_cycle_is_found_through_names_that_are_passed_on() {
    let files = [
        ("", "mod a; mod b; mod c; pub use b::{inner::B, Other as Renamed};"),
        ("a", "use crate::B; // use crate::c::C;\nfn a() { \"crate::c\"; }"),
        ("b", "pub mod inner; pub struct Other;"),
        ("b::inner", "use super::super::{c::C}; pub struct B;"),
        ("c", "fn c() { crate::a::f() } #[cfg(test)] mod tests { use crate::d::D; }"),
        ("d", "use crate::c;"),
    ];
    let files = files.map(|(path, text)| (names(path), tokens(text)));
    let library = Library { files: files.into_iter().collect() };
    let cycle: BTreeSet<String> = ["a", "b", "c"].map(str::to_owned).into();
    assert_eq!(library.cycles(), [(Names::new(), cycle)]);
}

fn names(path: &str) -> Names {
    path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// The modules of a crate, with what they consist of.
struct Library {
    files: BTreeMap<Names, Vec<String>>,
}

impl Library {
    fn read(source: &Path) -> Self {
        let files = source_tree::files(source, ".rs", &[]).into_iter().map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            (module(path.strip_prefix(source).unwrap()), tokens(&text))
        });
        Self { files: files.collect() }
    }

    /// Modules that can be reached from each other, with the path of their level.
    fn cycles(&self) -> Vec<(Names, BTreeSet<String>)> {
        let imports = self.imports();
        let inner = self.files.keys().filter(|path| !path.is_empty());
        let levels: BTreeSet<&[String]> = inner.map(|path| &path[..path.len() - 1]).collect();
        let found = levels.into_iter().flat_map(|level| {
            let name = |path: &Names| path.strip_prefix(level)?.first().cloned();
            let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
            for (from, to) in &imports {
                if let (Some(from), Some(to)) = (name(from), name(to)) {
                    arrows.entry(from).or_default().insert(to);
                }
            }
            mutual(&arrows).into_iter().map(|cycle| (level.to_vec(), cycle))
        });
        found.collect()
    }

    /// Which module names something of which.
    fn imports(&self) -> BTreeSet<(Names, Names)> {
        let mut passed_on = BTreeMap::new();
        let mut named = Vec::new();
        for (module, tokens) in &self.files {
            for (path, is_use) in paths(tokens) {
                let Some(target) = self.absolute(module, &path) else { continue };
                if let (true, Some(name)) = (is_use, target.last()) {
                    passed_on.insert((module.clone(), name.clone()), target.clone());
                }
                named.push((module.clone(), target));
            }
        }
        let arrows = named.into_iter().map(|(module, target)| {
            let target = self.resolve(target, &passed_on, 8);
            (module, target)
        });
        arrows.filter(|(from, to)| from != to).collect()
    }

    /// A path from the root, if it leads to something of this crate.
    fn absolute(&self, module: &Names, path: &[String]) -> Option<Names> {
        let mut base = module.clone();
        let mut rest = path;
        match path[0].as_str() {
            "crate" => return Some(path[1..].to_vec()),
            "self" | "super" => {
                while let Some(first @ ("self" | "super")) = rest.first().map(String::as_str) {
                    if first == "super" {
                        base.pop();
                    }
                    rest = &rest[1..];
                }
            }
            name => {
                let child = [module.as_slice(), &[name.to_owned()]].concat();
                self.files.contains_key(&child).then_some(())?;
            }
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    /// The module that a path from the root leads to, if need be over modules that pass the name on.
    fn resolve(
        &self,
        path: Names,
        passed_on: &BTreeMap<(Names, String), Names>,
        most: u32,
    ) -> Names {
        let is_module = |length: &usize| self.files.contains_key(&path[..*length]);
        let length = (0..=path.len()).rev().find(is_module).unwrap_or(0);
        let module = path[..length].to_vec();
        let Some(name) = path.get(length) else { return module };
        match passed_on.get(&(module.clone(), name.clone())) {
            Some(target) if *target != path && most > 0 => {
                let target = [target.as_slice(), &path[length + 1..]].concat();
                self.resolve(target, passed_on, most - 1)
            }
            _ => module,
        }
    }
}

fn module(file: &Path) -> Names {
    let path: PathBuf = file.with_extension("");
    let names = path.components().map(|name| name.as_os_str().to_string_lossy().into_owned());
    let mut names: Names = names.collect();
    if names.last().is_some_and(|last| ["lib", "main", "mod"].contains(&last.as_str())) {
        names.pop();
    }
    names
}

/// Sets of names that can be reached from each other.
fn mutual(arrows: &BTreeMap<String, BTreeSet<String>>) -> Vec<BTreeSet<String>> {
    let reached = |from: &String| {
        let (mut reached, mut left) = (BTreeSet::new(), vec![from]);
        while let Some(name) = left.pop() {
            for next in arrows.get(name).into_iter().flatten() {
                if reached.insert(next.clone()) {
                    left.push(next);
                }
            }
        }
        reached
    };
    let reached: BTreeMap<&String, BTreeSet<String>> =
        arrows.keys().map(|name| (name, reached(name))).collect();
    let cycles: BTreeSet<BTreeSet<String>> = reached
        .iter()
        .map(|(from, all)| {
            let back = |name: &&String| reached.get(*name).is_some_and(|all| all.contains(*from));
            all.iter().filter(back).cloned().collect()
        })
        .collect();
    cycles.into_iter().filter(|cycle: &BTreeSet<_>| cycle.len() > 1).collect()
}

/// Names, `::` and other symbols of a source file, without comments, texts and what is compiled for tests alone.
fn tokens(text: &str) -> Vec<String> {
    let tests = ["#[cfg(test)]\nmod ", "#[cfg(test)] mod "].iter().find_map(|it| text.find(it));
    let text = &text[..tests.unwrap_or(text.len())];
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |symbol: char| symbol.is_alphanumeric() || symbol == '_';
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|symbol| {
                let is_end = symbol == '"' && !escaped;
                escaped = symbol == '\\' && !escaped;
                is_end
            });
            end.map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("::") {
            tokens.push("::".to_owned());
            2
        } else if is_word(first) {
            let length = rest.find(|symbol| !is_word(symbol)).unwrap_or(rest.len());
            tokens.push(rest[..length].to_owned());
            length
        } else {
            if !first.is_whitespace() {
                tokens.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// All paths, and whether they are imported; those of a `use` with braces one by one.
fn paths(tokens: &[String]) -> Vec<(Names, bool)> {
    let mut paths = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] == "use" {
            at = import(tokens, at + 1, &Names::new(), &mut paths);
        } else if tokens.get(at + 1).is_some_and(|next| next == "::") && tokens[at] != "::" {
            let mut path = vec![tokens[at].clone()];
            while tokens.get(at + 1).is_some_and(|next| next == "::") && at + 2 < tokens.len() {
                at += 2;
                path.push(tokens[at].clone());
            }
            paths.push((path, false));
        }
        at += 1;
    }
    paths
}

/// Reads one branch of a `use`; where it ends.
fn import(
    tokens: &[String],
    mut at: usize,
    before: &Names,
    paths: &mut Vec<(Names, bool)>,
) -> usize {
    let mut path = before.clone();
    while let Some(token) = tokens.get(at) {
        match token.as_str() {
            "::" | "*" => at += 1,
            "as" => at += 2,
            "{" => {
                loop {
                    at = import(tokens, at + 1, &path, paths);
                    if tokens.get(at).is_none_or(|token| token != ",") {
                        break;
                    }
                }
                return at + 1;
            }
            "," | "}" | ";" => break,
            name => {
                path.push(name.to_owned());
                at += 1;
            }
        }
    }
    if path.len() > before.len() {
        // `self` at the end of a branch is what stands before it.
        let is_self = path.len() > 1 && path.last().is_some_and(|name| name == "self");
        path.truncate(path.len() - usize::from(is_self));
        paths.push((path, true));
    }
    at
}
