//! Pages, comments and messages keep to the word list of CONTRIBUTING.md, and every source file begins with a line that
//! says what it holds.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

use unicase::UniCase;

use crate::source_tree::files;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Names of assertions, assumptions and counters. They cannot change: saved runs and published numbers refer to them.
const NAMES: [&str; 3] =
    ["nobody counts to infinity", "data nobody wants", "nobody is told what it has signed"];

/// A phrase to avoid, and its replacements.
struct Entry {
    words: Vec<String>,
    instead: String,
}

/// A word or a punctuation mark, and its line.
type Token = (String, usize);

/// The phrases in code font in the second column of the word list.
fn word_list() -> Vec<Entry> {
    let page = fs::read_to_string(Path::new(ROOT).join("CONTRIBUTING.md")).unwrap();
    let (_, list) = page.split_once("\n## Word list\n").expect("there is a word list");
    let rows = list.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    let entries = rows.flat_map(|(instead, avoid)| {
        let phrases = avoid.split('`').skip(1).step_by(2);
        phrases.map(move |phrase| Entry {
            words: phrase.split(' ').map(str::to_owned).collect(),
            instead: instead.to_owned(),
        })
    });
    entries.collect()
}

/// The source files of all libraries and programs, and the examples.
fn sources() -> Vec<PathBuf> {
    let except = ["target", "tests", "benches"];
    let folders = ["src", "crates", "examples"].map(|folder| Path::new(ROOT).join(folder));
    let mut found: Vec<PathBuf> =
        folders.iter().flat_map(|folder| files(folder, ".rs", &except)).collect();
    found.retain(|path| !shown(path).starts_with("crates/") || shown(path).contains("/src/"));
    found
}

fn shown(path: &Path) -> String {
    path.strip_prefix(ROOT).unwrap().display().to_string().replace('\\', "/")
}

/// Splits a line of a text into lower-case words and punctuation marks. Code between backticks is skipped if `is_prose`. A
/// name with underscores, such as a key of JSON, is one word.
fn add_tokens(tokens: &mut Vec<Token>, text: &str, line: usize, is_prose: bool) {
    let mut word = String::new();
    let mut is_code = false;
    for letter in text.chars().chain([' ']) {
        if letter == '`' && is_prose {
            is_code = !is_code;
        }
        if is_code {
            continue;
        }
        if letter.is_alphanumeric() || ['\'', '_'].contains(&letter) {
            word.extend(letter.to_lowercase());
            continue;
        }
        if !word.is_empty() {
            tokens.push((std::mem::take(&mut word), line));
        }
        if !letter.is_whitespace() {
            tokens.push((letter.to_string(), line));
        }
    }
}

/// The prose of a page, without code blocks and without the word list itself.
fn page_texts(page: &str) -> Vec<Vec<Token>> {
    let mut tokens = Vec::new();
    let (mut is_code, mut is_list) = (false, false);
    for (place, line) in page.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if line.starts_with("## ") {
            is_list = line == "## Word list";
        }
        if !is_code && !is_list {
            add_tokens(&mut tokens, line, place + 1, true);
        }
    }
    vec![tokens]
}

/// The comments and the string literals of a source file, without its unit tests.
fn source_texts(source: &str) -> Vec<Vec<Token>> {
    let source = source.split("\n#[cfg(test)]\nmod tests").next().unwrap_or(source);
    let (mut texts, mut comment) = (Vec::new(), Vec::new());
    let mut lines = source.lines().enumerate();
    while let Some((place, line)) = lines.next() {
        let (code, remark) = split_comment(line);
        if let Some(remark) = remark {
            add_tokens(&mut comment, remark, place + 1, true);
        } else {
            texts.push(std::mem::take(&mut comment));
        }
        let mut code = code.to_owned();
        // A literal may go on in the next lines.
        while code.matches('"').count() % 2 == 1 {
            let Some((_, next)) = lines.next() else { break };
            code = format!("{code}\n{}", without_escapes(next));
        }
        for (number, literal) in code.split('"').enumerate().filter(|(number, _)| number % 2 == 1) {
            let before: String = code.split('"').take(number).collect();
            let mut tokens = Vec::new();
            for (further, part) in literal.lines().enumerate() {
                let line = place + 1 + before.matches('\n').count() + further;
                add_tokens(&mut tokens, &without_placeholders(part), line, false);
            }
            texts.push(tokens);
        }
    }
    texts.push(comment);
    texts
}

/// A line without escaped characters, in which quotation marks only begin and end literals.
fn without_escapes(line: &str) -> String {
    let line =
        line.replace("\\\\", "").replace("\\\"", "").replace("'\"'", "").replace("b'\"'", "");
    line.replace("\\n", " ").replace("\\t", " ")
}

/// The code of a line without escapes, and the comment at its end.
fn split_comment(line: &str) -> (String, Option<&str>) {
    let mut is_literal = false;
    for (place, letter) in line.char_indices() {
        let before = &line[..place];
        if letter == '"' && !before.ends_with('\\') && !before.ends_with('\'') {
            is_literal = !is_literal;
        }
        if !is_literal && line[place..].starts_with("//") {
            let remark = line[place..].trim_start_matches('/').trim_start_matches('!');
            return (without_escapes(before), Some(remark));
        }
    }
    (without_escapes(line), None)
}

/// A literal without the names of what is inserted into it.
fn without_placeholders(literal: &str) -> String {
    let mut depth = 0;
    let kept = literal.chars().filter(|letter| {
        depth += i32::from(*letter == '{');
        let is_kept = depth == 0;
        depth -= i32::from(*letter == '}');
        is_kept
    });
    kept.collect()
}

/// The entries of the list by their first word.
type Index<'l> = HashMap<&'l str, Vec<&'l Entry>>;

fn index(list: &[Entry]) -> Index<'_> {
    let mut index = Index::new();
    for entry in list {
        index.entry(&entry.words[0][..]).or_default().push(entry);
    }
    index
}

/// The entries that a text breaks, each with its line.
fn breaches<'l>(text: &[Token], index: &Index<'l>) -> Vec<(usize, &'l Entry)> {
    let mut found = Vec::new();
    for (place, (first, line)) in text.iter().enumerate() {
        for entry in index.get(&first[..]).into_iter().flatten() {
            let words = text[place..].iter().map(|(word, _)| word).take(entry.words.len());
            if words.eq(&entry.words) {
                found.push((*line, *entry));
            }
        }
    }
    found
}

/// Whether a text is one of the names that cannot change.
fn is_name(text: &[Token]) -> bool {
    let words: Vec<&str> = text.iter().map(|(word, _)| &word[..]).collect();
    NAMES.contains(&&words.join(" ")[..])
}

fn complaints(path: &Path, texts: &[Vec<Token>], index: &Index<'_>) -> Vec<String> {
    let texts = texts.iter().filter(|text| !is_name(text));
    let found = texts.flat_map(|text| breaches(text, index));
    let complaint = |(line, Entry { words, instead }): (usize, &Entry)| {
        format!("{}:{line}: `{}`; write: {instead}", shown(path), words.join(" "))
    };
    found.map(complaint).collect()
}

#[test]
fn texts_keep_to_the_word_list() {
    let list = word_list();
    assert!(list.len() > 10, "the word list has phrases in code font");
    let index = index(&list);
    let mut found = Vec::new();
    for path in files(Path::new(ROOT), ".md", &["target"]) {
        if !path.ends_with("CHANGELOG.md") {
            let page = fs::read_to_string(&path).unwrap();
            found.extend(complaints(&path, &page_texts(&page), &index));
        }
    }
    for path in sources() {
        let source = fs::read_to_string(&path).unwrap();
        found.extend(complaints(&path, &source_texts(&source), &index));
    }
    assert!(found.is_empty(), "{}\n{} in all", found.join("\n"), found.len());
}

/// Words that are right here: names, and what tests misspell to see it refused.
const RIGHT: [&str; 14] = [
    "abd",
    "agian",
    "bimap",
    "chekc",
    "cleints",
    "comand",
    "curent",
    "efficency",
    "equl",
    "exipre",
    "mesage",
    "noy",
    "pease",
    "rnage",
];

/// The corrections of the misspelt words in texts, each with its place.
fn misspelt(path: &Path, texts: &[Vec<Token>]) -> Vec<String> {
    let words = texts
        .iter()
        .flatten()
        .flat_map(|(token, line)| token.split(['_', '\'']).map(move |word| (word, line)));
    let corrected = words.filter_map(|(word, line)| {
        let corrections = typos_dict::WORD.find(&UniCase::new(word))?;
        let shown = format!("{}:{line}: `{word}`; write: {}", shown(path), corrections.join(", "));
        (!RIGHT.contains(&word)).then_some(shown)
    });
    corrected.collect()
}

#[test]
fn texts_are_spelled_right() {
    let mut found = Vec::new();
    for path in files(Path::new(ROOT), ".md", &["target"]) {
        found.extend(misspelt(&path, &page_texts(&fs::read_to_string(&path).unwrap())));
    }
    for path in files(Path::new(ROOT), ".rs", &["target"]) {
        found.extend(misspelt(&path, &source_texts(&fs::read_to_string(&path).unwrap())));
    }
    assert!(found.is_empty(), "{}\n{} in all", found.join("\n"), found.len());
    let misspelt_word = ["rec", "ieve"].concat();
    let wrong = [vec![(misspelt_word.clone(), 1)]];
    assert_eq!(
        misspelt(&Path::new(ROOT).join("page.md"), &wrong),
        [format!("page.md:1: `{misspelt_word}`; write: receive")]
    );
}

#[test]
fn every_source_file_begins_with_what_it_holds() {
    let lacks = |path: &&PathBuf| {
        let source = fs::read_to_string(path).unwrap();
        !source.starts_with("//! ") && (shown(path).contains("src/"))
    };
    let bare: Vec<String> = sources().iter().filter(lacks).map(|path| shown(path)).collect();
    assert!(bare.is_empty(), "no `//!` in the first line: {}", bare.join(", "));
}

#[test]
fn phrases_are_found_in_prose_and_literals_alone() {
    let source = "//! It is done\n//! anew, `anew`.\nlet anew = \"{anew} is_anew \\\" Anew\"; // not so\n// many\n";
    let lines = |phrase: &str| -> Vec<usize> {
        let words = phrase.split(' ').map(str::to_owned).collect();
        let list = [Entry { words, instead: String::new() }];
        let texts = source_texts(source);
        let found = texts.iter().flat_map(|text| breaches(text, &index(&list)));
        let mut lines: Vec<usize> = found.map(|(line, _)| line).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(lines("anew"), [2, 3]);
    assert_eq!(lines("done anew"), [1]);
    assert_eq!(lines("so many"), [3]);
}
