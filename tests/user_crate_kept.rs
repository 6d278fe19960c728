//! What one build of a user's crate keeps and another must not believe: every keeper against every kind of change, compared
//! with a run from scratch.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::users_cargo;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The programs, with the scenarios of each.
const PROGRAMS: [(&str, [&str; 4]); 2] = [
    ("plain", ["plain", "asserting", "assuming", "pruning"]),
    ("held", ["literal", "closure", "default", "told"]),
];

/// How `plain` is edited: an arm of a handler, an assertion, an assumption, a pruning.
const PLAIN_EDITS: [(&str, &str); 4] = [
    ("                *node.state += 1;\n", "                *node.state += 2;\n"),
    ("*count < 99", "*count < 3"),
    ("world.packets().len() < 4", "world.packets().len() < 2"),
    ("*count > 4", "*count > 2"),
];

/// How `held` is edited: a literal and a closure that go into `self`, the default of a parameter, and a literal that
/// the protocol tells of.
const HELD_EDITS: [(&str, &str); 4] = [
    (
        "fn literal(parameters: &mut Parameters) -> Scenario<Held> {\n    counting(Held { most: 5,",
        "fn literal(parameters: &mut Parameters) -> Scenario<Held> {\n    counting(Held { most: 9,",
    ),
    (
        "fn closure(parameters: &mut Parameters) -> Scenario<Held> {\n    counting(Held { most: 5, next: Box::new(|count| count + 1)",
        "fn closure(parameters: &mut Parameters) -> Scenario<Held> {\n    counting(Held { most: 5, next: Box::new(|count| count + 2)",
    ),
    ("\"most\", 5,", "\"most\", 9,"),
    ("Told { most: 5 }", "Told { most: 9 }"),
];

/// A crate that depends on a package in a folder, which depends on another one.
struct Versions {
    folder: TempDir,
}

/// A version of it, with those of its programs that it is about.
struct Version {
    name: &'static str,
    programs: BTreeMap<&'static str, PathBuf>,
}

impl Versions {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let package = |place: &str, name: &str, more: &str, file: &str, source: &str| {
            let place = folder.path().join(place);
            fs::create_dir_all(place.join("src")).unwrap();
            let manifest = format!(
                "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n{more}"
            );
            fs::write(place.join("Cargo.toml"), manifest).unwrap();
            fs::write(place.join("src").join(file), source).unwrap();
        };
        let deepest = "#[inline(never)]\npub fn helped() -> u32 {\n    0\n}\n";
        package("deepest", "deepest", "", "lib.rs", deepest);
        let middle = "pub fn feature() -> u32 {\n    u32::from(cfg!(feature = \"extra\"))\n}\n\n\
            #[inline(never)]\npub fn helped() -> u32 {\n    deepest::helped()\n}\n";
        let depends = "[features]\nextra = []\n\n[dependencies]\ndeepest = {path='../deepest'}\n";
        package("middle", "middle", depends, "lib.rs", middle);
        let depends = format!(
            "[features]\nfast = []\nextra = [\"middle/extra\"]\n\n\
             [dependencies]\neverypath = {{ path = \"{ROOT}\" }}\nmiddle = {{path=\"../middle\"}}\n\n[workspace]\n"
        );
        package("kept", "kept", &depends, "lib.rs", "");
        for (program, _) in PROGRAMS {
            let source = Path::new(ROOT).join(format!("tests/user_crate/kept/{program}.rs"));
            let place = folder.path().join("kept/src/bin").join(program);
            fs::create_dir_all(&place).unwrap();
            fs::copy(source, place.join("main.rs")).unwrap();
        }
        let lock = folder.path().join("kept/Cargo.lock");
        fs::copy(Path::new(ROOT).join("Cargo.lock"), lock).unwrap();
        Self { folder }
    }

    fn edit(&self, file: &str, old: &str, new: &str) {
        let path = self.folder.path().join(file);
        let source = fs::read_to_string(&path).unwrap();
        assert_eq!(source.matches(old).count(), 1, "{old}");
        fs::write(&path, source.replace(old, new)).unwrap();
    }

    /// Builds programs as they are now, and puts them aside.
    fn build(
        &self,
        name: &'static str,
        programs: &[&'static str],
        options: &[&str],
        step: &str,
    ) -> Version {
        let built = users_cargo::cargo(&self.folder.path().join("kept"))
            .args(["build", "--quiet"])
            .args(programs.iter().flat_map(|program| ["--bin", program]))
            .args(options)
            .env("KEPT_STEP", step)
            .status();
        assert!(built.unwrap().success(), "{name}");
        let aside = |program: &&'static str| {
            let path = self.folder.path().join(format!("{program}-{name}"));
            fs::copy(users_cargo::program(program), &path).unwrap();
            (*program, path)
        };
        Version { name, programs: programs.iter().map(aside).collect() }
    }

    /// The first version, and others that differ from it in one thing each, or in things that no two scenarios have in
    /// common.
    fn build_all(&self) -> (Version, Vec<Version>) {
        let (plain, both) = (["plain"], ["plain", "held"]);
        let first = self.build("first", &both, &[], "x");
        let unchecked = "profile.dev.package.kept.overflow-checks=false";
        let mut others = vec![
            self.build("feature", &plain, &["--features", "fast"], "x"),
            self.build("feature-of-dependency", &plain, &["--features", "extra"], "x"),
            self.build("without-overflow-checks", &plain, &["--config", unchecked], "x"),
            self.build("variable", &["held"], &[], "xx"),
        ];
        self.edit("deepest/src/lib.rs", "    0\n", "    1\n");
        others.push(self.build("dependency-of-dependency", &plain, &[], "x"));
        self.edit("deepest/src/lib.rs", "    1\n", "    0\n");
        for (program, edits) in [("plain", PLAIN_EDITS), ("held", HELD_EDITS)] {
            for (old, new) in edits {
                self.edit(&format!("kept/src/bin/{program}/main.rs"), old, new);
            }
        }
        others.push(self.build("edited", &both, &[], "x"));
        (first, others)
    }
}

impl Version {
    /// What a command tells in JSON, or why it refuses to do it.
    fn told(&self, program: &str, folder: &Path, words: &[&str]) -> Result<Value, String> {
        let mut command = Command::new(&self.programs[program]);
        let Output { status, stdout, stderr } =
            command.args(words).arg("--json").current_dir(folder).output().unwrap();
        let complaint = String::from_utf8(stderr).unwrap().replace('│', " ");
        match status.code() {
            Some(2) => Err(complaint.split_whitespace().collect::<Vec<_>>().join(" ")),
            _ => Ok(serde_json::from_slice(&stdout).unwrap_or_else(|_| panic!("{complaint}"))),
        }
    }
}

/// How something is kept and used.
struct Keeper {
    name: &'static str,
    keep: &'static [&'static str],
    reuse: &'static [&'static str],
    /// What must be the same as from scratch.
    compares: &'static [&'static str],
}

const CHECKED: [&str; 5] = ["verdict", "complete", "states_visited", "events", "steps"];

const KEEPERS: [Keeper; 5] = [
    Keeper {
        name: "memo",
        keep: &["check", "--keep-going", "--memo", "kept"],
        reuse: &["check", "--keep-going", "--memo", "kept"],
        compares: &CHECKED,
    },
    Keeper {
        name: "graph",
        keep: &["check", "--keep-going", "--graph", "kept"],
        reuse: &["check", "--keep-going", "--graph", "kept", "--graph-use", "read"],
        compares: &CHECKED,
    },
    Keeper {
        name: "checkpoint",
        keep: &["check", "--keep-going", "--checkpoint", "kept", "--max-states", "12"],
        reuse: &["check", "--keep-going", "--resume", "kept"],
        compares: &CHECKED,
    },
    Keeper {
        name: "results",
        keep: &["simulate", "--out", "kept", "--replications", "2", "--duration", "20s"],
        reuse: &["simulate", "--out", "kept", "--replications", "2", "--duration", "20s"],
        compares: &["points"],
    },
    // What is found by running a counterexample again need not be the shortest.
    Keeper {
        name: "regressions",
        keep: &["check", "--set", "limit=4", "--regressions", "kept"],
        reuse: &["check", "--set", "limit=4", "--regressions", "kept"],
        compares: &["verdict"],
    },
];

/// A command of a scenario, as `KEEPERS` has it without.
fn words<'a>(command: &[&'a str], scenario: &'a str) -> Vec<&'a str> {
    let (verb, options) = command.split_first().unwrap();
    [&[*verb, scenario], options].concat()
}

/// Without what keeps something.
fn made_anew<'a>(keeper: &Keeper, scenario: &'a str, folder: &Path) -> Vec<&'a str> {
    match keeper.name {
        "results" => {
            let _ = fs::remove_dir_all(folder.join("fresh"));
            let options = ["--out", "fresh", "--replications", "2", "--duration", "20s"];
            [&["simulate", scenario][..], &options].concat()
        }
        "regressions" => vec!["check", scenario, "--set", "limit=4"],
        _ => vec!["check", scenario, "--keep-going"],
    }
}

/// What is compared.
fn result(keeper: &Keeper, told: &Value) -> Vec<Value> {
    let mut told = told.clone();
    told["steps"] = told["counterexample"]["steps"].as_array().map(Vec::len).into();
    // The hash is another one for another program.
    for point in told["points"].as_array_mut().into_iter().flatten() {
        point["hash"].take();
    }
    keeper.compares.iter().map(|field| told[field].take()).collect()
}

/// Something that a scenario keeps.
struct Kept<'a> {
    keeper: &'a Keeper,
    program: &'a str,
    scenario: &'a str,
    folder: &'a Path,
}

impl Kept<'_> {
    fn told(&self, version: &Version, words: &[&str]) -> Result<Value, String> {
        version.told(self.program, self.folder, words)
    }

    fn made_anew(&self, version: &Version) -> Vec<Value> {
        let words = made_anew(self.keeper, self.scenario, self.folder);
        result(self.keeper, &self.told(version, &words).unwrap())
    }

    /// How much was taken from what was kept.
    fn reused(&self, version: &Version, told: &Value) -> u64 {
        let number = |value: &Value| value.as_u64().unwrap();
        match self.keeper.name {
            // A memo saves something even if it knows nothing at first.
            "memo" => {
                remove(&self.folder.join("empty"));
                let words = ["check", self.scenario, "--keep-going", "--memo", "empty"];
                let empty = self.told(version, &words).unwrap();
                number(&empty["handler_executions"]) - number(&told["handler_executions"])
            }
            "graph" => number(&told["graph"]["hits"]),
            "checkpoint" => number(&told["states_visited"]),
            "results" => number(&told["kept"]),
            _ => told["regressions"]["runs"].as_array().unwrap().len() as u64,
        }
    }

    /// Keeps it, uses it in the same version, and gives what a run comes to.
    fn keep(&self, version: &Version) -> Vec<Value> {
        let Self { keeper, scenario, folder, .. } = self;
        let case = (keeper.name, scenario);
        remove(&folder.join("kept"));
        self.told(version, &words(keeper.keep, scenario)).unwrap();
        let fresh = self.made_anew(version);
        let again = copied(folder, || self.told(version, &words(keeper.reuse, scenario)).unwrap());
        assert_eq!(result(keeper, &again), fresh, "{case:?}");
        assert!(self.reused(version, &again) > 0, "nothing has changed: {case:?} {again}");
        if ["memo", "graph"].contains(&keeper.name) {
            assert_eq!(again["handler_executions"], json!(0), "{case:?}");
        }
        fresh
    }

    /// Uses it in another version: with what outcome, and what a run comes to.
    fn reuse(&self, version: &Version) -> (String, Vec<Value>) {
        let Self { keeper, scenario, folder, .. } = self;
        let case = (version.name, keeper.name, scenario);
        let fresh = self.made_anew(version);
        let told = copied(folder, || self.told(version, &words(keeper.reuse, scenario)));
        let outcome = match told {
            Ok(told) => {
                assert_eq!(result(keeper, &told), fresh, "{case:?} {told}");
                format!("used {}", self.reused(version, &told) > 0)
            }
            Err(words) => {
                let reasons = ["another build of this program", "it was saved with"];
                assert!(reasons.iter().any(|it| words.contains(it)), "{case:?}: {words}");
                "refused".to_owned()
            }
        };
        (outcome, fresh)
    }
}

#[test]
fn nothing_that_another_version_has_kept_makes_a_difference() {
    let versions = Versions::new();
    let (first, others) = versions.build_all();
    let folder = TempDir::new().unwrap();
    let mut outcomes = BTreeMap::new();
    let mut differences = 0_usize;
    for keeper in &KEEPERS {
        for (program, scenarios) in PROGRAMS {
            for scenario in scenarios {
                let kept = Kept { keeper, program, scenario, folder: folder.path() };
                let before = kept.keep(&first);
                let concerned = |version: &&Version| {
                    version.programs.contains_key(program)
                        && (version.name == "edited" || ["plain", "told"].contains(&scenario))
                };
                for version in others.iter().filter(concerned) {
                    let (outcome, result) = kept.reuse(version);
                    differences += usize::from(result != before);
                    outcomes.insert((version.name, keeper.name, scenario), outcome);
                }
            }
        }
    }
    // A change that changes nothing proves nothing.
    assert!(2 * differences > outcomes.len(), "{differences} of {}", outcomes.len());
    let outcome = |version, keeper, scenario| outcomes[&(version, keeper, scenario)].as_str();
    for version in others.iter().map(|version| version.name).filter(|name| *name != "variable") {
        assert_eq!(outcome(version, "checkpoint", "plain"), "refused", "{version}");
        assert_eq!(outcome(version, "results", "plain"), "used false", "{version}");
        assert_eq!(outcome(version, "regressions", "plain"), "used true", "{version}");
    }
    // Prints see what has changed, and no more: of the handlers, one arm was edited.
    for version in
        ["feature", "feature-of-dependency", "without-overflow-checks", "dependency-of-dependency"]
    {
        assert_eq!(outcome(version, "memo", "plain"), "used false", "{version}");
        assert_eq!(outcome(version, "graph", "plain"), "used false", "{version}");
    }
    for scenario in ["plain", "asserting", "pruning"] {
        assert_eq!(outcome("edited", "memo", scenario), "used true", "{scenario}");
        // A pruning has no print.
        let graph = if scenario == "pruning" { "refused" } else { "used true" };
        assert_eq!(outcome("edited", "graph", scenario), graph, "{scenario}");
    }
    assert_eq!(outcome("variable", "memo", "told"), "used false");
    // Who does not tell what `self` is, is believed by nobody; what was told to be another is refused.
    for scenario in ["literal", "closure"] {
        assert_eq!(outcome("edited", "memo", scenario), "used false");
        assert_eq!(outcome("edited", "graph", scenario), "refused");
    }
    assert_eq!(outcome("edited", "memo", "default"), "refused");
    assert_eq!(outcome("edited", "memo", "told"), "refused");
    assert_eq!(outcome("edited", "graph", "assuming"), "refused");
}

/// Does something, and then puts what is kept back as it was before.
fn copied<T>(folder: &Path, run: impl FnOnce() -> T) -> T {
    let (kept, aside) = (folder.join("kept"), folder.join("aside"));
    let copy = |from: &Path, to: &Path| {
        remove(to);
        if from.is_dir() {
            let copied = Command::new("cp").arg("-r").args([from, to]).status();
            assert!(copied.unwrap().success());
        } else {
            fs::copy(from, to).unwrap();
        }
    };
    copy(&kept, &aside);
    let result = run();
    copy(&aside, &kept);
    result
}

fn remove(path: &Path) {
    let _ = fs::remove_dir_all(path);
    let _ = fs::remove_file(path);
}
