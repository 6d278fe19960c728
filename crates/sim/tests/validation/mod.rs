//! Comparisons of simulated results with known ones. Each is asserted, and is a row of the table in
//! docs/validation.md, which `benches/validation/run` makes.

#![allow(dead_code, reason = "each test uses a part")]

use std::{env, fs};

use everypath_sim::Estimate;

/// With 20 runs, a right simulator is farther off with a probability of 0.0008: too seldom to be mistaken for chance,
/// also in a table of a hundred rows. Seeds are the first that come to mind, and so not chosen for what they give.
const STANDARD_ERRORS: f64 = 4.0;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/validation.md");

/// The formula is exact for what is simulated, which has some chance in it: the mean is within four standard errors of
/// it, and both its error and its 95 % interval are at most such a share of it.
pub fn against_formula(what: &str, found: &Estimate, expected: f64, within: f64) {
    assert!(found.runs >= 20, "{what}: {} runs are too few for that", found.runs);
    let errors = (found.mean - expected) / (found.deviation / f64::from(found.runs).sqrt());
    report(what, found, expected, &format!("{errors:+.1}"));
    assert!(errors.abs() <= STANDARD_ERRORS, "{what}: {errors} standard errors from {expected}");
    assert_close(what, found, expected, within);
}

/// The formula idealises what is simulated: only its error and its 95 % interval are looked at.
pub fn against_approximation(what: &str, found: &Estimate, expected: f64, within: f64) {
    report(what, found, expected, "");
    assert_close(what, found, expected, within);
}

/// There is no chance in what is simulated.
pub fn against_exact(what: &str, unit: &str, found: f64, expected: f64) {
    let error = (found / expected - 1.0).abs();
    assert!(error < 1e-9, "{what}: {found} {unit} instead of {expected}");
    row(what, &with_unit(&number(found, 0.0), unit), &number(expected, 0.0), "0", "");
}

/// There is no formula, but there are words; what they say is asserted by whoever calls.
pub fn against_words(what: &str, found: &Estimate, words: &str) {
    row(what, &estimate(found), words, "", "");
}

fn assert_close(what: &str, found: &Estimate, expected: f64, within: f64) {
    let error = found.mean / expected - 1.0;
    assert!(error.abs() <= within, "{what}: {error:+} of {expected}, {found:?}");
    let precision = found.half_width / expected;
    assert!(precision <= within, "{what}: a precision of {precision} says too little");
}

fn report(what: &str, found: &Estimate, expected: f64, errors: &str) {
    // Adding 0 makes 0 of what would be shown as -0.
    let percent = (1e4 * (found.mean / expected - 1.0)).round() / 1e2 + 0.0;
    let expected = number(expected, found.half_width);
    row(what, &estimate(found), &expected, &format!("{percent:+.2} %"), errors);
}

fn estimate(found: &Estimate) -> String {
    let Estimate { mean, half_width, .. } = *found;
    let text = format!("{} ± {}", number(mean, half_width), number(half_width, half_width));
    with_unit(&text, &found.unit)
}

fn with_unit(text: &str, unit: &str) -> String {
    format!("{text} {unit}").trim_end().to_owned()
}

/// With two digits of what is uncertain; or with six, if nothing is.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn number(value: f64, half_width: f64) -> String {
    let (leading, digits) = if half_width == 0.0 { (value, 5.0) } else { (half_width, 1.0) };
    let exponent = if leading == 0.0 { 0.0 } else { leading.abs().log10().floor() };
    format!("{value:.*}", (digits - exponent).max(0.0) as usize)
}

/// Prints a row, on a line of its own whatever others print, and compares it with the page; or, with
/// `EVERYPATH_UPDATE=1`, puts it into the page.
fn row(what: &str, found: &str, expected: &str, difference: &str, errors: &str) {
    let row = format!("| {what} | {found} | {expected} | {difference} | {errors} |");
    print!("\n{row}\n");
    if env::var_os("EVERYPATH_UPDATE").is_some() {
        return renew(&format!("| {what} | "), &row);
    }
    let page = fs::read_to_string(PAGE).unwrap();
    assert!(
        page.lines().any(|line| line == row),
        "docs/validation.md has another row than this one; EVERYPATH_UPDATE=1 renews it:\n{row}"
    );
}

/// Puts a row into the page in place of the one with the same beginning, or behind the last row. Tests run side by side,
/// so the page is locked meanwhile.
fn renew(beginning: &str, row: &str) {
    let lock = fs::File::open(PAGE).unwrap();
    lock.lock().unwrap();
    let page = fs::read_to_string(PAGE).unwrap();
    let mut lines: Vec<&str> = page.lines().collect();
    match lines.iter().position(|line| line.starts_with(beginning)) {
        Some(place) => lines[place] = row,
        None => {
            let title = lines.iter().position(|line| line.starts_with("| what | simulated"));
            let rows = lines.iter().skip(title.unwrap()).take_while(|line| line.starts_with('|'));
            lines.insert(title.unwrap() + rows.count(), row);
        }
    }
    fs::write(PAGE, lines.join("\n") + "\n").unwrap();
}
