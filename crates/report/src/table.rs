//! Tables, for people and for other programs.

use std::fmt::Write;

use crate::{columns::text_width, terminal::escape_controls};

/// A table with a line of titles. The first column holds names, the others numbers.
///
/// ```
/// use everypath_report::Table;
///
/// let mut table = Table::new(["search", "events"]);
/// table.push(["bfs", "1,234"]);
/// assert_eq!(table.to_text(), "search  events\nbfs      1,234\n");
/// assert_eq!(table.to_csv(), "search,events\nbfs,\"1,234\"\n");
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without a row.
    #[must_use]
    pub fn new<T: Into<String>>(titles: impl IntoIterator<Item = T>) -> Self {
        Self { rows: vec![titles.into_iter().map(Into::into).collect()] }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If it has not as many cells as there are titles.
    pub fn push<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        let row: Vec<String> = cells.into_iter().map(Into::into).collect();
        assert_eq!(row.len(), self.rows[0].len(), "a cell for each title");
        self.rows.push(row);
    }

    /// Its titles, and then its rows.
    #[must_use]
    pub fn lines(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// With its columns aligned: names to the left, numbers to the right.
    #[must_use]
    pub fn to_text(&self) -> String {
        let columns = 0..self.rows[0].len();
        let shown = |row: &Vec<String>| -> Vec<String> {
            row.iter().map(|cell| escape_controls(cell, &[]).into_owned()).collect()
        };
        let rows: Vec<Vec<String>> = self.rows.iter().map(shown).collect();
        let widest = |column: usize| rows.iter().map(|row| text_width(&row[column])).max();
        let widths: Vec<usize> = columns.map(|column| widest(column).unwrap_or(0)).collect();
        let mut text = String::new();
        for row in &rows {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let gap = " ".repeat(widths[column] - text_width(cell));
                let _ = if column == 0 {
                    write!(line, "{cell}{gap}")
                } else {
                    write!(line, "  {gap}{cell}")
                };
            }
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text
    }

    /// As comma-separated values after RFC 4180, but for the ends of lines.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let lines = self.rows.iter().map(|row| {
            let cells: Vec<String> = row.iter().map(|cell| quoted(cell)).collect();
            cells.join(",") + "\n"
        });
        lines.collect()
    }
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_by_what_is_seen() {
        let mut table = Table::new(["name", "a", "b"]);
        table.push(["漢字", "10", ""]);
        table.push(["x", "≥ 7", "1"]);
        assert_eq!(table.to_text(), "name    a  b\n漢字   10\nx     ≥ 7  1\n");
    }

    #[test]
    fn cells_of_values_keep_their_commas_and_quotes() {
        let mut table = Table::new(["name", "value"]);
        table.push(["a \"b\", c", "1\n2"]);
        assert_eq!(table.to_csv(), "name,value\n\"a \"\"b\"\", c\",\"1\n2\"\n");
        assert_eq!(table.to_text(), "name      value\na \"b\", c   1\\n2\n");
    }
}
