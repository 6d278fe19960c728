//! Published tables, made again.

use std::{fs, path::Path};

use crate::command::{
    assert_refused, code, complaint, json, out, refuses, run, run_alone_in, run_in,
};
use crate::schema::assert_fits;
use crate::transcript::is_update;

use serde_json::Value;

fn rows(table: &Value) -> &[Value] {
    table["rows"].as_array().unwrap()
}

#[test]
fn the_list_has_every_table_and_each_can_be_named() {
    let listed = json(&run(&["reproduce", "list", "--json"]));
    assert_fits("reproduce.schema.json", &listed);
    let ids: Vec<&str> =
        listed["tables"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
    let text = out(&run(&["reproduce", "list"]));
    for id in &ids {
        assert!(text.lines().any(|line| line.starts_with(&format!("{id} "))), "{id}: {text}");
    }
    for known in ["000/4.1", "000/4.2", "000/5.3", "000/6.1", "000/8.1", "000/figure-6.2", "002/15"]
    {
        assert!(ids.contains(&known), "{known}");
    }
}

#[test]
fn rows_are_what_they_are_declared_to_be() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["reproduce", "000/4.2", "000/4.6", "000/figure-B", "000/figure-6.2", "--json"];
    let output = run_in(folder.path(), &words);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let told = json(&output);
    assert_fits("reproduce.schema.json", &told);
    assert_eq!((&told["failures"], &told["better"]), (&Value::from([0; 0]), &Value::from([0; 0])));
    let tables = told["tables"].as_array().unwrap();
    let marks = |id: &str, mark: &str| {
        let table = tables.iter().find(|table| table["id"] == id).unwrap();
        rows(table).iter().filter(|row| row["mark"] == mark).count()
    };
    assert_eq!((marks("000/4.2", "exact"), marks("000/4.2", "different")), (9, 12));
    assert_eq!(marks("000/4.6", "exact"), 5);
    let runs = [("6.2", 8), ("B.1", 9), ("B.2", 10), ("B.3", 10)];
    for (figure, steps) in runs {
        assert_eq!(marks(&format!("000/figure-{figure}"), "exact"), steps, "{figure}");
    }
    // The first row of the printed table: 4699 states, 26303 events; ours are fewer, by less than 1 %.
    let cells = rows(&tables[0])[0]["cells"].as_array().unwrap();
    for (cell, published) in cells.iter().zip([4699_u64, 26303]) {
        let ours = cell["ours"].as_u64().unwrap();
        assert_eq!((&cell["published"], &cell["agrees"]), (&published.into(), &false.into()));
        assert!(ours < published && ours * 100 > published * 99, "{cell}");
    }
}

/// Counts of states and executions of subjects, and tables that cannot be made.
#[test]
fn tables_on_dynamic_data_are_exact() {
    let words = ["reproduce", "001/3.3", "001/3.4", "001/4.1", "001/4.6", "--quick", "--json"];
    let output = run(&words);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let told = json(&output);
    assert_fits("reproduce.schema.json", &told);
    let tables = told["tables"].as_array().unwrap();
    let marks = |place: usize, mark: &str| {
        rows(&tables[place]).iter().filter(|row| row["mark"] == mark).count()
    };
    let ids: Vec<&Value> = tables.iter().map(|table| &table["id"]).collect();
    assert_eq!(ids, ["001/3.3", "001/3.4", "001/4.1", "001/4.6"]);
    assert_eq!((marks(0, "exact"), marks(0, "not-run")), (13, 1));
    assert_eq!(marks(1, "not-reproducible"), 3);
    // Stacks of up to six, and Fibonacci heaps; the file system is not known.
    assert_eq!((marks(2, "exact"), marks(2, "not-reproducible")), (2, 3));
    assert_eq!(marks(3, "not-reproducible"), 5);
    let wrong = ["reproduce", "001/4.9"];
    refuses(&wrong, &["there is no table `001/4.9`"]);
}

#[test]
fn tables_are_written_to_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let output = run_in(folder.path(), &["reproduce", "000/4.6", "002/2", "--out", "tables"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let text = out(&output);
    let last = text.trim_end().lines().last().unwrap();
    assert_eq!(last, "9 rows: 6 exact, 3 not compared");
    for (file, id) in [("000-4.6.md", "000/4.6"), ("002-2.md", "002/2")] {
        let page = fs::read_to_string(folder.path().join("tables").join(file)).unwrap();
        assert!(page.starts_with(&format!("## {id}: ")), "{page}");
        assert!(text.contains(&format!("{id}: ")), "{text}");
    }
    let words = ["reproduce", "002/2", "--out", "tables", "--json"];
    let told = json(&run_in(folder.path(), &words));
    let written = fs::read(folder.path().join("tables/002-2.json")).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&written).unwrap(), told["tables"][0]);
}

#[test]
fn what_cannot_be_made_is_refused() {
    let near = ["there is no table `000/4.12`", "did you mean `000/4.1`?"];
    refuses(&["reproduce", "000/4.12"], &near);
    refuses(
        &["reproduce", "000/4.2", "chapter"],
        &["there is no table `chapter`", "reproduce list"],
    );
    refuses(&["reproduce", "list", "--quick"], &["--quick has no effect with reproduce list"]);
    refuses(&["reproduce", "list", "--out", "x"], &["--out has no effect with reproduce list"]);
    refuses(&["reproduce", "all", "--quick", "--long"], &["cannot be used with"]);
    refuses(&["reproduce"], &["<TABLE>"]);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let output = run_in(folder.path(), &["reproduce", "002/2", "--out", "file"]);
    assert_refused(&output, &["cannot use the folder file"]);
}

#[test]
fn the_page_of_the_thesis_is_what_comes_out() {
    assert_page("000.md", &["000/4", "000/5", "000/6", "000/B", "000/C"]);
}

#[test]
fn the_page_of_mobile_networks_is_what_comes_out() {
    assert_page("002.md", &["002"]);
}

#[test]
fn the_page_of_dynamic_data_is_what_comes_out() {
    assert_page("001.md", &["001"]);
}

#[test]
fn the_page_of_icfem_is_what_comes_out() {
    assert_page("003.md", &["003"]);
}

/// Maude is not asked here, whether or not it is installed: the page has its published numbers alone.
#[test]
fn the_page_of_memocode_is_what_comes_out() {
    assert_page("004.md", &["004"]);
}

/// So all that `reproduce all` makes is made by the tests of these pages.
#[test]
fn each_table_is_on_a_page() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reproduced");
    let pages = fs::read_dir(folder).unwrap().map(|page| page.unwrap().path());
    let pages: String = pages.map(|page| fs::read_to_string(page).unwrap()).collect();
    let listed = json(&run(&["reproduce", "list", "--json"]));
    for listed in listed["tables"].as_array().unwrap() {
        let id = listed["id"].as_str().unwrap();
        // Chapter 8 is measured: a page of its own is about it.
        let is_here = pages.contains(&format!("\n## {id}: ")) || id.starts_with("000/8.");
        assert!(is_here, "{id}");
    }
}

/// A page has what is written for these tables.
fn assert_page(page: &str, words: &[&str]) {
    let written = tempfile::tempdir().unwrap();
    let words = [&["reproduce"], words, &["--out", "tables"]].concat();
    let output = run_alone_in(written.path(), &words);
    assert_eq!(code(&output), 0, "{page}: {}{}", out(&output), complaint(&output));
    let listed = json(&run(&["reproduce", "list", "--json"]));
    let listed = listed["tables"].as_array().unwrap();
    let tables = listed.iter().filter_map(|listed| {
        let file = format!("tables/{}.md", listed["id"].as_str().unwrap().replace('/', "-"));
        fs::read_to_string(written.path().join(file)).ok()
    });
    let tables = tables.collect::<Vec<_>>().join("\n");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reproduced").join(page);
    let known = fs::read_to_string(&path).unwrap();
    let begins = known.find("\n## ").map_or(known.len(), |place| place + 1);
    let made = format!("{}{tables}", &known[..begins]);
    if without_measured(&made) == without_measured(&known) {
        return;
    }
    assert!(is_update(), "{page} is out of date, EVERYPATH_UPDATE=1 renews it:\n{made}");
    fs::write(&path, made).unwrap();
}

/// Without times and memory, which are another day's.
fn without_measured(page: &str) -> String {
    let mut parts = page.split('≈');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |page, part| {
        let ends = part.find(['(', '|']).unwrap_or(part.len());
        page + &part[ends..]
    })
}
