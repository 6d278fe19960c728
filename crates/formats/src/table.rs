//! Comma-separated tables with a header line.

use everypath_model::did_you_mean;

use crate::Problem;

/// The fields of a line, without blanks and quotes around them. A comma always separates, also within
/// quotes.
pub(crate) fn fields(line: &str) -> impl Iterator<Item = &str> + Clone {
    line.split(',').map(|field| {
        let field = field.trim();
        let inner = field.strip_prefix('"').and_then(|field| field.strip_suffix('"'));
        inner.unwrap_or(field)
    })
}

/// The names of the columns for source and destination.
const ENDS: [&[&str]; 2] =
    [&["source", "src", "from"], &["target", "dst", "to", "dest", "destination"]];

/// Whether a word names a column, by any of its names, in any case.
fn means(name: &str, column: &str) -> bool {
    let is_one = |words: &[&str], name: &str| words.iter().any(|it| it.eq_ignore_ascii_case(name));
    name.eq_ignore_ascii_case(column)
        || ENDS.iter().any(|words| words.contains(&column) && is_one(words, name))
}

/// Whether these words include the columns for source and destination, in any order.
pub(crate) fn names_both_ends<'a>(words: impl Iterator<Item = &'a str> + Clone) -> bool {
    ENDS.iter().all(|names| words.clone().any(|word| means(word, names[0])))
}

/// The columns of a table, in its order.
pub(crate) struct Header<const N: usize>(Vec<usize>);

impl<const N: usize> Header<N> {
    /// Parses the header line. The first `needed` of the known columns are required.
    pub(crate) fn read(line: &str, known: [&str; N], needed: usize) -> Result<Self, Problem> {
        let mut columns = Vec::new();
        for name in fields(line) {
            let Some(column) = known.iter().position(|known| means(name, known)) else {
                let remedy = did_you_mean(name, known);
                return Err(Problem::UnknownColumn { name: name.to_owned(), remedy });
            };
            if columns.contains(&column) {
                return Err(Problem::Twice(format!("the column `{name}`")));
            }
            columns.push(column);
        }
        if let Some(missing) = (0..needed).find(|column| !columns.contains(column)) {
            return Err(Problem::Missing {
                what: format!("the column `{}`", known[missing]),
                remedy: format!("the first line names the columns, {}", known[..needed].join(",")),
            });
        }
        Ok(Self(columns))
    }

    /// Whether one column comes before another.
    pub(crate) fn is_before(&self, one: usize, other: usize) -> bool {
        let place = |column| self.0.iter().position(|it| *it == column);
        place(one) < place(other)
    }

    /// The fields of a line in the order of the known columns; empty where the table has no such
    /// column.
    pub(crate) fn row<'a>(&self, line: &'a str) -> Result<[&'a str; N], Problem> {
        let mut row = [""; N];
        let mut count = 0;
        for (index, field) in fields(line).enumerate() {
            if let Some(&column) = self.0.get(index) {
                row[column] = field;
            }
            count += 1;
        }
        if count != self.0.len() {
            let named = self.0.len();
            let expected = format!("there are {count} fields, but the first line names {named}");
            return Err(Problem::unreadable(line, expected));
        }
        Ok(row)
    }
}
