//! All published tables and figures that can be made, by id.

use everypath_model::did_you_mean;

use super::{heaps, icfem, incremental, listed::Listed, manet, memocode, thesis};
use crate::error::CliError;

/// A published document. Its tables lie in a folder of their own.
pub(crate) struct Document {
    /// What the ids of its tables begin with.
    pub(crate) id: &'static str,
    /// What it is, as in `docs/references.md`.
    pub(crate) name: &'static str,
    /// Its tables and figures: by folder, by file.
    pub(crate) tables: &'static [&'static [&'static [Listed]]],
}

/// All documents.
const DOCUMENTS: &[Document] = &[
    Document {
        id: "000",
        name: "Sobeih's thesis",
        tables: &[thesis::TABLES, &[incremental::TABLES]],
    },
    Document {
        id: "001",
        name: "d'Amorim's thesis on programs with dynamic data",
        tables: &[heaps::TABLES],
    },
    Document {
        id: "002",
        name: "Kojima, Nagashima and Tsuchiya's article on mobile networks",
        tables: &[&[manet::TABLES]],
    },
    Document { id: "003", name: "the paper at ICFEM 2005", tables: &[&[icfem::TABLES]] },
    Document { id: "004", name: "the paper at MEMOCODE 2004", tables: &[&[memocode::TABLES]] },
];

/// Names for several tables: what their ids begin with.
const ALIASES: &[(&str, &str)] =
    &[("incremental", "000/8."), ("mixed", "001/3."), ("delta", "001/4."), ("manet", "002/")];

/// What the numbers of figures begin with.
const FIGURE: &str = "figure-";

/// Everything.
const ALL: &str = "all";

impl Document {
    fn listed(&self) -> impl Iterator<Item = &'static Listed> {
        self.tables.iter().copied().flatten().copied().flatten()
    }
}

/// The document that a table belongs to.
fn document(listed: &Listed) -> &'static Document {
    let of = |document: &&Document| listed.id.split('/').next() == Some(document.id);
    DOCUMENTS.iter().find(of).unwrap_or(&DOCUMENTS[0])
}

/// Where a table was published.
pub(crate) fn source(listed: &Listed) -> String {
    let name = |id| published_name(number(id));
    // The other ids of a figure are short names of it, and those of a table are other tables.
    let is_figure = number(listed.id).starts_with(FIGURE);
    let others = listed.others.iter().filter(|_| !is_figure).map(|id| name(id));
    let numbers: Vec<String> = [name(listed.id)].into_iter().chain(others).collect();
    format!("{}, {}", document(listed).name, numbers.join(", "))
}

/// Without the document.
fn number(id: &str) -> &str {
    id.split_once('/').map_or(id, |(_, number)| number)
}

fn published_name(number: &str) -> String {
    match (number.strip_prefix(FIGURE), number.strip_suffix("-costly")) {
        (Some(number), _) => format!("Figure {number}"),
        (None, Some(number)) => format!("Table {number} with costly handlers"),
        (None, None) => format!("Table {number}"),
    }
}

/// All tables, document by document.
pub(crate) fn all() -> impl Iterator<Item = &'static Listed> {
    DOCUMENTS.iter().flat_map(Document::listed)
}

/// The tables that these words name, each once, in the order of the list.
pub(crate) fn selected(words: &[String]) -> Result<Vec<&'static Listed>, CliError> {
    if let Some(word) = words.iter().find(|word| !all().any(|listed| is_named(listed, word))) {
        return Err(CliError::Unknown { what: "table", name: word.clone(), help: help(word) });
    }
    Ok(all().filter(|listed| words.iter().any(|word| is_named(listed, word))).collect())
}

/// By its id, or by what names several.
fn is_named(listed: &Listed, word: &str) -> bool {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == word);
    let word = alias.map_or(word, |(_, begins)| begins);
    word == ALL || listed.ids().any(|id| id == word || belongs(id, word))
}

/// Whether an id belongs to a document (`000`), or to a chapter of it (`000/8`, `000/8.*`); figures as well.
fn belongs(id: &str, word: &str) -> bool {
    let word = word.trim_end_matches('*').trim_end_matches(['.', '/']);
    let (document, chapter) = word.split_once('/').unwrap_or((word, ""));
    let Some((of, number)) = id.split_once('/') else { return false };
    let plain = number.strip_prefix(FIGURE).unwrap_or(number);
    let begins =
        |number: &str| number.strip_prefix(chapter).is_some_and(|rest| rest.starts_with('.'));
    let in_chapter = begins(number) || begins(plain);
    of == document && (chapter.is_empty() || in_chapter)
}

/// What was probably meant.
fn help(word: &str) -> String {
    let known = all().flat_map(Listed::ids).chain(ALIASES.iter().map(|(alias, _)| *alias));
    let near = did_you_mean(word, known.chain([ALL]));
    if near.starts_with("did you mean") {
        return near;
    }
    "`reproduce list` names all tables".to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn ids(words: &[&str]) -> Vec<&'static str> {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        selected(&words).unwrap().into_iter().map(|listed| listed.id).collect()
    }

    #[test]
    fn each_table_has_an_id_of_its_own_and_a_document() {
        let mut known = BTreeSet::new();
        for listed in all() {
            assert!(listed.ids().all(|id| known.insert(id)), "{}", listed.id);
            assert!(listed.id.starts_with(&format!("{}/", document(listed).id)), "{}", listed.id);
            assert!(listed.long_seconds.is_none_or(|long| long > listed.seconds), "{}", listed.id);
        }
        for document in DOCUMENTS {
            assert!(include_str!("../../../../docs/references.md").contains(document.id));
        }
    }

    #[test]
    fn words_name_tables_documents_and_chapters() {
        assert_eq!(ids(&["000/8.6"]), ["000/8.6"]);
        assert_eq!(ids(&["000/8.7"]), ["000/8.6"], "memory is a part of it");
        assert_eq!(ids(&["000/8.6-costly"]), ["000/8.6-costly"]);
        assert_eq!(ids(&["000/8.6", "000/8.1", "000/8.6"]), ["000/8.1", "000/8.6"]);
        let chapter: Vec<&str> =
            all().map(|listed| listed.id).filter(|id| id.starts_with("000/8.")).collect();
        for words in ["000/8", "000/8.*", "incremental"] {
            assert_eq!(ids(&[words]), chapter, "{words}");
        }
        assert_eq!(ids(&["000/B"]), ["000/figure-B.1", "000/figure-B.2", "000/figure-B.3"]);
        assert_eq!(ids(&["000/figure-C"]), ids(&["000/C"]));
        assert_eq!(ids(&["manet"]), ids(&["002"]));
        assert_eq!(ids(&["all"]).len(), all().count());
        let first = ids(&["000/8.1"]).len();
        assert_eq!(first, 1, "`8.1` is not `8.11`");
    }

    #[test]
    fn a_source_names_what_was_published() {
        let source = |word: &str| source(selected(&[word.to_owned()]).unwrap()[0]);
        assert_eq!(source("000/F4.3"), "Sobeih's thesis, Figure 4.3");
        assert!(
            source("002/5").ends_with(", Table 4, Table 5, Table 6, Table 7, Table 8, Table 9")
        );
    }

    #[test]
    fn a_word_that_names_nothing_is_answered_by_what_is_near() {
        let error = selected(&["000/8.9999".to_owned()]).err().unwrap();
        assert_eq!(error.to_string(), "there is no table `000/8.9999`");
        assert!(help("000/8.61").starts_with("did you mean `000/8."), "{}", help("000/8.61"));
        assert_eq!(help("zebra"), "`reproduce list` names all tables");
    }
}
