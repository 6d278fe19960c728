//! The pages as a book: each stands in the summary once, and every link leads somewhere.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// All pages of the repository that are written by hand.
fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for folder in [".", "docs", "docs/design", "docs/reproduced"] {
        let files = fs::read_dir(Path::new(ROOT).join(folder)).unwrap();
        let files = files.map(|file| file.unwrap().path());
        pages.extend(files.filter(|path| path.extension().is_some_and(|it| it == "md")));
    }
    pages
}

/// The targets of the links of a page, without code.
fn links(text: &str) -> Vec<String> {
    let mut is_code = false;
    let mut links = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        }
        // Every second piece between backticks is code.
        let prose = line.split('`').step_by(2).collect::<String>();
        let targets = prose.split("](").skip(1).filter(|_| !is_code);
        links.extend(targets.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())));
    }
    links
}

/// The name under which a heading can be linked.
fn anchor(heading: &str) -> String {
    let kept = |symbol: &char| symbol.is_alphanumeric() || " -_".contains(*symbol);
    heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")
}

fn has_anchor(page: &Path, name: &str) -> bool {
    let text = fs::read_to_string(page).unwrap();
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.into_iter().any(|line| anchor(line.trim_start_matches('#').trim()) == name)
        || text.contains(&format!("<a id=\"{name}\">"))
}

#[test]
fn every_link_leads_somewhere() {
    let mut checked = 0;
    for page in pages() {
        for link in links(&fs::read_to_string(&page).unwrap()) {
            if link.starts_with("https://") || link.starts_with("http://") {
                continue;
            }
            let (file, name) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => page.clone(),
                _ => page.parent().unwrap().join(file),
            };
            assert!(target.exists(), "{}: no such file: {link}", page.display());
            let is_named = name.is_empty() || has_anchor(&target, name);
            assert!(is_named, "{}: no such heading: {link}", page.display());
            checked += 1;
        }
    }
    assert!(checked > 200, "{checked} links");
}

#[test]
fn every_page_says_for_whom_it_is() {
    let folder = fs::read_dir(Path::new(ROOT).join("docs")).unwrap();
    let pages = folder.map(|file| file.unwrap().path()).filter(|path| {
        let lists = ["README.md", "SUMMARY.md"];
        path.extension().is_some_and(|it| it == "md") && lists.iter().all(|it| !path.ends_with(it))
    });
    let mut checked = 0;
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        let said = text.lines().nth(2).unwrap_or_default();
        assert!(said.starts_with("*For ") && said.ends_with(".*"), "{}: {said}", page.display());
        checked += 1;
    }
    assert!(checked > 25, "{checked} pages");
}

#[test]
fn the_front_page_leads_to_every_page() {
    let docs = Path::new(ROOT).join("docs");
    let front = fs::read_to_string(docs.join("README.md")).unwrap();
    let linked: BTreeSet<String> = links(&front).into_iter().collect();
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    for page in links(&summary).into_iter().filter(|page| !page.contains('/')) {
        assert!(
            page == "README.md" || linked.contains(&page),
            "docs/README.md has no link to {page}"
        );
    }
}

#[test]
fn the_architecture_is_read_in_one_sitting() {
    let bytes = fs::metadata(Path::new(ROOT).join("ARCHITECTURE.md")).unwrap().len();
    assert!(bytes <= 10 * 1024, "ARCHITECTURE.md has {bytes} bytes; move details to docs/design");
}

/// Design pages by name, with their text.
fn design_pages() -> Vec<(String, String)> {
    let folder = fs::read_dir(Path::new(ROOT).join("docs/design")).unwrap();
    let pages = folder.map(|file| file.unwrap().path()).filter_map(|path| {
        let name = path.file_name()?.to_str()?.to_owned();
        name.starts_with('0').then(|| (name, fs::read_to_string(path).unwrap()))
    });
    pages.collect()
}

#[test]
fn design_pages_are_listed_by_their_titles() {
    let docs = Path::new(ROOT).join("docs");
    let lists = ["SUMMARY.md", "design/README.md"].map(|list| (list, docs.join(list)));
    let lists = lists.map(|(list, path)| (list, fs::read_to_string(path).unwrap()));
    for (name, text) in design_pages() {
        let title = text.lines().next().unwrap().trim_start_matches("# ");
        for (list, listed) in &lists {
            let entries = listed.matches(&format!("[{title}](")).count();
            assert_eq!(entries, 1, "{name}: `{title}` in docs/{list}");
        }
    }
}

/// The files that a design page names in the line below its title.
fn code_of(text: &str) -> Vec<String> {
    let (_, rest) = text.split_once("Code:").expect("a design page says where its code is");
    let (line, _) = rest.split_once(".*").expect("the line ends in italics");
    let mut paths = Vec::new();
    for path in line.split('`').skip(1).step_by(2) {
        let Some((before, rest)) = path.split_once('{') else {
            paths.push(path.to_owned());
            continue;
        };
        let (names, after) = rest.split_once('}').expect("braces are closed");
        paths.extend(names.split(',').map(|name| format!("{before}{name}{after}")));
    }
    paths
}

#[test]
fn design_pages_name_files_that_exist() {
    let mut named = 0;
    for (name, text) in design_pages() {
        for path in code_of(&text) {
            assert!(Path::new(ROOT).join(&path).exists(), "docs/design/{name}: no file {path}");
            named += 1;
        }
    }
    assert!(named > 100, "{named} files");
}

#[test]
fn the_summary_lists_every_page_once() {
    let docs = Path::new(ROOT).join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let mut listed = BTreeSet::new();
    for link in links(&summary) {
        assert!(listed.insert(docs.join(&link)), "{link} is listed twice");
    }
    let is_page = |page: &PathBuf| page.starts_with(&docs) && !page.ends_with("SUMMARY.md");
    assert_eq!(pages().into_iter().filter(is_page).collect::<BTreeSet<_>>(), listed);
}
