//! The compilation that a macro runs in.
//!
//! The compiler runs macros, so the command line of the process is the compiler's: features,
//! overflow checks, and the files of dependencies. The metadata of a dependency has a digest of its
//! source and of its own dependencies.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use xxhash_rust::xxh3::Xxh3;

/// Options for output files and error messages, which do not change the program.
const OUTPUT: [&str; 8] = [
    "--error-format",
    "--json",
    "--color",
    "--diagnostic-width",
    "--emit",
    "--out-dir",
    "--check-cfg",
    "-o",
];

/// The compiler's options.
pub(crate) struct Compilation {
    /// A digest of all options that change the program.
    pub(crate) digest: u64,
    /// The root file of the crate.
    pub(crate) root: PathBuf,
}

impl Compilation {
    /// The present compilation; `None` if part of it cannot be inspected.
    pub(crate) fn present() -> Option<Self> {
        // A build script may write Rust, set variables or link anything.
        if env::var_os("OUT_DIR").is_some() {
            return None;
        }
        let words = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
        Self::of(expanded(words).ok()?, |path| fs::read(path))
    }

    fn of(words: Vec<String>, read: impl Fn(&Path) -> io::Result<Vec<u8>>) -> Option<Self> {
        let mut sum = Xxh3::new();
        let mut add = |bytes: &[u8]| {
            sum.update(&bytes.len().to_le_bytes());
            sum.update(bytes);
        };
        let mut root = None;
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let (option, value) = match word.as_str() {
                short if short.len() > 2 && is_short(&short[..2]) => {
                    (short[..2].to_owned(), Some(short[2..].to_owned()))
                }
                short if is_short(short) => (word, words.next()),
                long if long.starts_with("--") => match long.split_once('=') {
                    Some((option, value)) => (option.to_owned(), Some(value.to_owned())),
                    None if takes_value(long) => (word, words.next()),
                    None => (word, None),
                },
                _ => {
                    root = root.or_else(|| word.ends_with(".rs").then(|| PathBuf::from(&word)));
                    (word, None)
                }
            };
            let value = value.unwrap_or_default();
            match option.as_str() {
                it if OUTPUT.contains(&it) => {}
                "-C" | "--codegen" if value.starts_with("incremental=") => {}
                // Folders of indirect dependencies: the metadata of direct ones covers them.
                "-L" if value.starts_with("dependency=") || value.starts_with("crate=") => {}
                // Code that is not Rust.
                "-L" | "-l" => return None,
                "--extern" => {
                    let (name, path) = value.split_once('=').unwrap_or((&value, ""));
                    add(name.as_bytes());
                    if !path.is_empty() {
                        // The metadata beside a library identifies its source; the library itself
                        // differs with every build.
                        let path = Path::new(path);
                        let content = read(&path.with_extension("rmeta")).or_else(|_| read(path));
                        add(&content.ok()?);
                    }
                }
                _ => {
                    add(option.as_bytes());
                    add(value.as_bytes());
                }
            }
        }
        Some(Self { digest: sum.digest(), root: root? })
    }
}

fn is_short(option: &str) -> bool {
    ["-C", "-L", "-l", "-o", "-A", "-W", "-D", "-F", "-Z"].contains(&option)
}

/// Whether the value of a long option without `=` is the next word.
fn takes_value(option: &str) -> bool {
    const WITH_VALUE: [&str; 16] = [
        "--cfg",
        "--check-cfg",
        "--crate-type",
        "--crate-name",
        "--edition",
        "--emit",
        "--print",
        "--out-dir",
        "--explain",
        "--target",
        "--extern",
        "--sysroot",
        "--error-format",
        "--json",
        "--color",
        "--cap-lints",
    ];
    const OTHERS: [&str; 9] = [
        "--allow",
        "--warn",
        "--force-warn",
        "--deny",
        "--forbid",
        "--codegen",
        "--diagnostic-width",
        "--remap-path-prefix",
        "--remap-path-scope",
    ];
    WITH_VALUE.contains(&option) || OTHERS.contains(&option)
}

/// The words of a command line, with those in files (`@file`).
fn expanded(words: impl Iterator<Item = String>) -> io::Result<Vec<String>> {
    let mut all = Vec::new();
    for word in words {
        match word.strip_prefix('@') {
            Some(file) => all.extend(fs::read_to_string(file)?.lines().map(str::to_owned)),
            None => all.push(word),
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &str = "--crate-name user --edition=2024 src/main.rs --error-format=json --json=artifacts --crate-type bin --emit=dep-info,link -C embed-bitcode=no -C overflow-checks=on --cfg feature=\"fast\" -C metadata=abc --out-dir /t/deps -C incremental=/t/incremental -L dependency=/t/deps --extern everypath=/t/deps/libeverypath-1.rlib";

    fn digest(words: &str, library: &str) -> Option<u64> {
        let words = words.split_whitespace().map(str::to_owned).collect();
        let read = |path: &Path| match path.to_str() {
            Some("/t/deps/libeverypath-1.rmeta") => Ok(library.as_bytes().to_vec()),
            _ => Err(io::ErrorKind::NotFound.into()),
        };
        let found = Compilation::of(words, read)?;
        assert_eq!(found.root, Path::new("src/main.rs"));
        Some(found.digest)
    }

    #[test]
    fn all_that_decides_what_the_program_does_counts() {
        let now = digest(WORDS, "1").unwrap();
        assert_ne!(digest(WORDS, "2"), Some(now), "a package that it depends on");
        for (old, new) in [
            ("overflow-checks=on", "overflow-checks=off"),
            ("\"fast\"", "\"slow\""),
            ("metadata=abc", "metadata=abd"),
            ("--edition=2024", "--edition=2021"),
            ("--extern everypath", "--extern anypath"),
            ("-C embed-bitcode=no", "-Copt-level=3"),
        ] {
            assert_eq!(WORDS.matches(old).count(), 1, "{old}");
            assert_ne!(digest(&WORDS.replace(old, new), "1"), Some(now), "{old}");
        }
    }

    #[test]
    fn where_output_goes_does_not_count() {
        for (old, new) in [
            ("--out-dir /t/deps", "--out-dir /u/deps"),
            ("--error-format=json", "--error-format human"),
            ("incremental=/t", "incremental=/u"),
            ("-L dependency=/t/deps", "-L dependency=/u/deps"),
            ("--emit=dep-info,link", "--emit dep-info"),
        ] {
            assert_eq!(WORDS.matches(old).count(), 1, "{old}");
            assert_eq!(digest(&WORDS.replace(old, new), "1"), digest(WORDS, "1"), "{old}");
        }
    }

    #[test]
    fn what_cannot_be_looked_into_is_nothing() {
        for more in [
            "-L native=/t/out",
            "-L /t/out",
            "-l static=own",
            "--extern other=/t/deps/libother.rmeta",
        ] {
            assert_eq!(digest(&format!("{WORDS} {more}"), "1"), None, "{more}");
        }
        assert!(digest(&format!("{WORDS} --extern proc_macro"), "1").is_some());
        assert_eq!(digest(&WORDS.replace("src/main.rs", "-"), "1"), None);
    }
}
