//! Tables that were made: rows of cells, what each row is declared to be, and what it turned out to be.

use serde::Serialize;

use super::cell::{Cell, Kind};

/// What a row is declared to be, in code.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Declared {
    /// All compared values are the published ones.
    Exact,
    /// All published means lie in the intervals of ours.
    Within,
    /// Some values are others: the reason, in a sentence.
    Different(&'static str),
    /// The published values cannot be made: the reason, in a sentence.
    NotReproducible(&'static str),
    /// Nothing in it is compared: only times and memory, or values of our own.
    Uncompared,
}

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Mark {
    /// All compared values are the published ones.
    Exact,
    /// All published means lie in the intervals of ours.
    Within,
    /// At least one value is not the published one, or not in its interval.
    Different,
    /// The published values cannot be made.
    NotReproducible,
    /// Nothing in it is compared.
    Uncompared,
    /// It was not run.
    NotRun,
}

impl Mark {
    pub(crate) const ALL: [Self; 6] = [
        Self::Exact,
        Self::Within,
        Self::Different,
        Self::NotReproducible,
        Self::Uncompared,
        Self::NotRun,
    ];

    /// In a table.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Within => "within",
            Self::Different => "different",
            Self::NotReproducible => "not reproducible",
            Self::Uncompared => "not compared",
            Self::NotRun => "not run",
        }
    }
}

impl Declared {
    fn mark(&self) -> Mark {
        match self {
            Self::Exact => Mark::Exact,
            Self::Within => Mark::Within,
            Self::Different(_) => Mark::Different,
            Self::NotReproducible(_) => Mark::NotReproducible,
            Self::Uncompared => Mark::Uncompared,
        }
    }

    fn reason(&self) -> Option<&'static str> {
        match *self {
            Self::Different(reason) | Self::NotReproducible(reason) => Some(reason),
            Self::Exact | Self::Within | Self::Uncompared => None,
        }
    }
}

/// A row of a table.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Row {
    /// What the row is about.
    name: String,
    /// A cell for each column but the first.
    cells: Vec<Cell>,
    /// What the row is.
    mark: Mark,
    /// Why, if it is different, not reproducible or not run.
    reason: Option<String>,
    /// What the row should be; another mark below that is a failure.
    declared: Mark,
    /// Whether it is worse than it should be.
    failed: bool,
}

impl Row {
    /// A row that is compared.
    pub(crate) fn new(name: impl Into<String>, cells: Vec<Cell>, declared: Declared) -> Self {
        let mark = mark_of(&cells, &declared);
        let expected = declared.mark();
        let failed = matches!(expected, Mark::Exact | Mark::Within) && mark != expected;
        let known = declared.reason().filter(|_| mark == expected);
        let unknown =
            (mark == Mark::Different).then(|| format!("it should be {}", expected.word()));
        let reason = known.map(str::to_owned).or(unknown);
        Self { name: name.into(), cells, mark, reason, declared: expected, failed }
    }

    /// A row of which less was run than was published, and why: nothing in it is compared.
    pub(crate) fn reduced(
        name: impl Into<String>,
        cells: Vec<Cell>,
        declared: &Declared,
        why: impl Into<String>,
    ) -> Self {
        Self {
            name: name.into(),
            cells: cells.into_iter().map(Cell::uncompared).collect(),
            mark: Mark::Uncompared,
            reason: Some(why.into()),
            declared: declared.mark(),
            failed: false,
        }
    }

    /// A row that was not run, with what was published.
    pub(crate) fn not_run(
        name: impl Into<String>,
        cells: Vec<Cell>,
        declared: &Declared,
        why: impl Into<String>,
    ) -> Self {
        Self { mark: Mark::NotRun, ..Self::reduced(name, cells, declared, why) }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    pub(crate) fn mark(&self) -> Mark {
        self.mark
    }

    pub(crate) fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    pub(crate) fn declared(&self) -> Mark {
        self.declared
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.failed
    }

    /// Whether it is better than declared: what the code says of it is out of date.
    pub(crate) fn is_better(&self) -> bool {
        self.declared == Mark::Different && self.mark < Mark::Different
    }
}

/// Cells decide; where none does, the declaration.
fn mark_of(cells: &[Cell], declared: &Declared) -> Mark {
    let decided: Vec<&Cell> = cells.iter().filter(|cell| cell.agrees().is_some()).collect();
    match declared {
        _ if decided.iter().any(|cell| cell.agrees() == Some(false)) => Mark::Different,
        _ if decided.iter().any(|cell| cell.kind() == Kind::Sampled) => Mark::Within,
        _ if !decided.is_empty() => Mark::Exact,
        Declared::NotReproducible(_) => Mark::NotReproducible,
        _ => Mark::Uncompared,
    }
}

/// A table that was made.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Table"))]
pub(crate) struct MadeTable {
    /// How it is called on the command line.
    id: String,
    /// What it is about.
    title: String,
    /// Where it was published.
    source: String,
    /// What readers must know of it.
    notes: Vec<String>,
    /// The titles of the columns; the first is that of the names of rows.
    columns: Vec<String>,
    /// The rows.
    rows: Vec<Row>,
    /// Whether every row was made; not if the user stopped it.
    complete: bool,
}

impl MadeTable {
    pub(super) fn new(id: &str, title: &str, source: String) -> Self {
        Self {
            id: id.to_owned(),
            title: title.to_owned(),
            source,
            notes: Vec::new(),
            columns: Vec::new(),
            rows: Vec::new(),
            complete: false,
        }
    }

    /// Names the columns. The first is that of the names of rows.
    pub(crate) fn columns<T: Into<String>>(&mut self, titles: impl IntoIterator<Item = T>) {
        self.columns = titles.into_iter().map(Into::into).collect();
    }

    /// Adds a sentence for readers.
    pub(crate) fn note(&mut self, sentence: impl Into<String>) {
        self.notes.push(sentence.into());
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If it has not a cell for each column but the first.
    pub(crate) fn push(&mut self, row: Row) {
        assert_eq!(row.cells.len() + 1, self.columns.len(), "a cell for each column");
        self.rows.push(row);
    }

    pub(super) fn end(&mut self) {
        self.complete = true;
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }

    pub(crate) fn titles(&self) -> &[String] {
        &self.columns
    }

    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.complete
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::value::Unit;

    fn row(cells: Vec<Cell>, declared: Declared) -> (Mark, Option<String>, bool, bool) {
        let row = Row::new("row", cells, declared);
        (row.mark(), row.reason().map(str::to_owned), row.has_failed(), row.is_better())
    }

    #[test]
    fn a_row_is_what_its_cells_say() {
        let same = || Cell::compared(7).published(7);
        let other = || Cell::compared(7).published(8);
        let near = || Cell::sampled(&[6.0, 8.0], 2).published(7.5);
        let far = || Cell::sampled(&[6.0, 8.0], 2).published(700.0);
        let time = || Cell::measured(1.0, Unit::Seconds, 1).published(9.0);
        let why = "why";
        assert_eq!(row(vec![same(), time()], Declared::Exact), (Mark::Exact, None, false, false));
        let (mark, reason, failed, _) = row(vec![same(), other()], Declared::Exact);
        assert_eq!((mark, failed), (Mark::Different, true));
        assert_eq!(reason.as_deref(), Some("it should be exact"));
        let (mark, reason, failed, _) = row(vec![other()], Declared::Different(why));
        assert_eq!((mark, reason.as_deref(), failed), (Mark::Different, Some(why), false));
        let better = row(vec![same()], Declared::Different(why));
        assert_eq!(better, (Mark::Exact, None, false, true));
        assert_eq!(row(vec![near(), same()], Declared::Within).0, Mark::Within);
        let (mark, _, failed, _) = row(vec![far()], Declared::Within);
        assert_eq!((mark, failed), (Mark::Different, true));
        assert_eq!(row(vec![time()], Declared::Uncompared).0, Mark::Uncompared);
        let (mark, reason, ..) = row(vec![time()], Declared::NotReproducible(why));
        assert_eq!((mark, reason.as_deref()), (Mark::NotReproducible, Some(why)));
        // What should be compared is not: that is a failure, too.
        let (mark, _, failed, _) = row(vec![time()], Declared::Exact);
        assert_eq!((mark, failed), (Mark::Uncompared, true));
    }

    #[test]
    fn a_row_that_was_reduced_or_not_run_cannot_fail() {
        let cells = || vec![Cell::compared(7).published(8)];
        for row in [
            Row::reduced("row", cells(), &Declared::Exact, "less deep"),
            Row::not_run("row", cells(), &Declared::Exact, "--long"),
        ] {
            assert!(!row.has_failed(), "{row:?}");
            assert_eq!(row.cells()[0].agrees(), None);
        }
    }
}
