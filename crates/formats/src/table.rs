//! Tables: a line that names the columns, and fields between commas.

use everypath_model::nearest;

use crate::Problem;

/// The fields of a line, without blanks and quotes around them. A comma always separates, also within
/// quotes.
pub(crate) fn fields(line: &str) -> impl Iterator<Item = &str> {
    line.split(',').map(|field| {
        let field = field.trim();
        let inner = field.strip_prefix('"').and_then(|field| field.strip_suffix('"'));
        inner.unwrap_or(field)
    })
}

/// Which columns a table has, of those that it could have, and in which order.
pub(crate) struct Header<const N: usize>(Vec<usize>);

impl<const N: usize> Header<N> {
    /// From the first line. The first `needed` of the columns must be there.
    pub(crate) fn read(line: &str, known: [&str; N], needed: usize) -> Result<Self, Problem> {
        let mut columns = Vec::new();
        for name in fields(line) {
            let Some(column) = known.iter().position(|known| *known == name) else {
                let help = match nearest(name, known) {
                    Some(meant) => format!("did you mean the column `{meant}`?"),
                    None => format!("the columns are {}", known.join(",")),
                };
                return Err(Problem::unreadable(name, help));
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

    /// The fields of a line in the order of all columns that there could be; empty where there is
    /// none.
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
