//! Published tables, made again.

use std::{fs, path::Path, thread};

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
    for known in [
        "000/4.1",
        "000/4.2",
        "000/5.3",
        "000/6.1",
        "000/8.1",
        "000/8.2-costly",
        "000/figure-6.2",
        "002/15",
    ] {
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

/// The events that the thesis executes, ours and published: with a graph of which no, one, two, … events are modified.
#[test]
fn executed_events_stand_beside_the_published_ones() {
    let words = ["reproduce", "000/8.2", "000/8.14", "--repeat", "1", "--json"];
    let output = run(&words);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let told = json(&output);
    assert_fits("reproduce.schema.json", &told);
    let aodv = [457_927, 31_878, 35_672, 150_844, 206_032, 246_211, 368_375];
    let printed = [460_150, 32_114, 36_228, 151_658, 206_985, 247_422, 369_781];
    let tables = told["tables"].as_array().unwrap();
    assert_eq!(numbers(&tables[0], "executed events", "ours"), aodv);
    assert_eq!(numbers(&tables[0], "executed events", "published"), printed);
    assert_eq!(numbers(&tables[1], "executed events", "ours"), [318_223, 314_480]);
    assert_eq!(numbers(&tables[1], "executed events", "published"), [318_216, 314_473]);
    // All times but those of operations that there are not.
    let times = ["execute handlers", "read the file", "total", "times as fast"];
    for table in tables {
        for name in times {
            let row = row(table, name);
            assert_eq!(row["mark"], "uncompared", "{row}");
            let cells = row["cells"].as_array().unwrap();
            assert!(cells.iter().all(|cell| cell["agrees"].is_null()), "{row}");
            assert!(cells[1]["ours"].is_number() && !cells[1]["published"].is_null(), "{row}");
        }
        assert_eq!(row(table, "copy the state back")["mark"], "not-reproducible");
    }
}

/// However long handlers take, the same events are executed.
#[test]
fn costly_handlers_execute_the_same_events() {
    let words = ["reproduce", "000/8.2", "000/8.2-costly", "--quick", "--json"];
    let output = run(&words);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let told = json(&output);
    assert_fits("reproduce.schema.json", &told);
    let tables = told["tables"].as_array().unwrap();
    assert_eq!(tables[1]["source"], "Sobeih's thesis, Table 8.2 with costly handlers");
    // To 6 events.
    let expected = [8_693, 758, 797, 2_667, 4_013, 4_608, 6_584];
    for (table, name) in [
        (&tables[0], "executed events"),
        (&tables[1], "memoised: executed events"),
        (&tables[1], "for every event: executed events"),
        (&tables[1], "costly: executed events"),
    ] {
        assert_eq!(numbers(table, name, "ours"), expected, "{name}");
    }
}

fn row<'a>(table: &'a Value, name: &str) -> &'a Value {
    rows(table).iter().find(|row| row["name"] == name).unwrap()
}

/// The counts of a row.
fn numbers(table: &Value, name: &str, which: &str) -> Vec<u64> {
    let cells = row(table, name)["cells"].as_array().unwrap();
    cells.iter().filter_map(|cell| cell[which].as_u64()).collect()
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
    assert_page("000.md", &[&["000/3", "000/4", "000/5", "000/6", "000/B", "000/C"]]);
}

/// Each search once, but where a mean is compared.
#[test]
fn the_page_of_graphs_is_what_comes_out() {
    let first = ["000/8.1", "000/8.2", "000/8.2-costly", "000/8.8", "--repeat", "1"];
    let rest = ["000/8.4", "000/8.6", "000/8.6-costly", "000/8.11", "000/8.13", "000/8.14"];
    let rest = [&rest[..], &["--repeat", "1"]].concat();
    assert_page("000-8.md", &[&first, &rest, &["000/8.9"]]);
}

#[test]
fn the_page_of_mobile_networks_is_what_comes_out() {
    assert_page("002.md", &[&["002"]]);
}

#[test]
fn the_page_of_dynamic_data_is_what_comes_out() {
    assert_page("001.md", &[&["001"]]);
}

#[test]
fn the_page_of_icfem_is_what_comes_out() {
    assert_page("003.md", &[&["003"]]);
}

/// Maude is not asked here, whether or not it is installed: the page has its published numbers alone.
#[test]
fn the_page_of_memocode_is_what_comes_out() {
    assert_page("004.md", &[&["004"]]);
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
        assert!(pages.contains(&format!("\n## {id}: ")), "{id}");
    }
}

/// A page has what is written for these tables, by one command or several at once.
fn assert_page(page: &str, commands: &[&[&str]]) {
    let written = tempfile::tempdir().unwrap();
    let make = |words: &[&str]| {
        let words = [&["reproduce"], words, &["--out", "tables"]].concat();
        let output = run_alone_in(written.path(), &words);
        assert_eq!(code(&output), 0, "{page}: {}{}", out(&output), complaint(&output));
    };
    thread::scope(|scope| {
        for words in commands {
            scope.spawn(|| make(words));
        }
    });
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
