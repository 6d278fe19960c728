//! The differences between searches, as text, comma-separated values and a drawing.

use std::fmt::Write;

use everypath_plot::{Panel, Plot, Point, Scale};
use everypath_report::Table;

use super::{
    differences::{Basis, Difference, Pair},
    report::{Report, nothing},
};
use crate::{arguments::compare::Quantity, output::numbers::counted};

impl Report<'_> {
    /// How a quantity of the first search of a pair differs from that of the second.
    pub(super) fn difference(&self, pair: Pair, quantity: Quantity) -> Option<Difference> {
        let (first, second) = (&self.compared[pair.0], &self.compared[pair.1]);
        Difference::of(first, second, quantity, self.spec.confidence)
    }

    fn differences(
        &self,
        quantity: Quantity,
    ) -> impl Iterator<Item = (String, Option<Difference>)> {
        let name = |pair: Pair| {
            let name = |place: usize| &self.compared[place].search.name;
            format!("{} − {}", name(pair.0), name(pair.1))
        };
        self.pairs.iter().map(move |&pair| (name(pair), self.difference(pair, quantity)))
    }

    /// A table for each quantity.
    pub(super) fn difference_text(&self) -> String {
        let has = |quantity: &Quantity| self.differences(*quantity).any(|(_, it)| it.is_some());
        let mut text = String::new();
        for quantity in self.quantities().into_iter().filter(has) {
            let title = format!("difference in {}", quantity.title());
            let mut table =
                Table::new([title.as_str(), "mean", &self.level(), "from", "first has"]);
            for (name, difference) in self.differences(quantity) {
                let cells = difference.map_or_else(
                    || [(); 4].map(|()| nothing()),
                    |it| {
                        let half_width = it.half_width_text(quantity).unwrap_or_else(nothing);
                        [it.mean_text(quantity), half_width, it.basis.text(), it.word().to_owned()]
                    },
                );
                table.push([name].into_iter().chain(cells));
            }
            let _ = write!(text, "\n{}", table.to_text());
        }
        text
    }

    /// What must be known of these tables.
    pub(super) fn difference_notes(&self) -> String {
        let quantities = self.quantities();
        let all = quantities.iter().flat_map(|&quantity| self.differences(quantity));
        let all: Vec<Option<Difference>> = all.map(|(_, difference)| difference).collect();
        let known = || all.iter().flatten();
        let mut notes = String::new();
        if known().any(|it| it.half_width.is_some()) {
            let _ = writeln!(
                notes,
                "first has less, more: 0 is not in the {} interval; pairs: runs with the same seed",
                self.level()
            );
        }
        if known().any(|it| it.is_skewed) {
            notes.push_str(
                "*: the differences are skewed and few, so the interval is too narrow; more seeds help\n",
            );
        }
        if all.iter().any(Option::is_none) {
            notes.push_str("–: no difference, since runs were stopped, or found nothing\n");
        }
        notes
    }

    /// A line for each pair of searches.
    pub(super) fn difference_csv(&self) -> Table {
        let quantities = self.quantities();
        let mut titles = vec!["search".to_owned(), "against".to_owned()];
        for quantity in &quantities {
            let of = ["difference", &self.half_width_title(), "basis", "pairs"];
            titles.extend(of.map(|what| format!("{}_{what}", quantity.field())));
        }
        let mut table = Table::new(titles);
        for &pair in self.pairs {
            let name = |place: usize| self.compared[place].search.name.clone();
            let mut cells = vec![name(pair.0), name(pair.1)];
            for &quantity in &quantities {
                let cell = self.difference(pair, quantity).map(|it| {
                    let half_width = it.half_width.map_or(String::new(), |half| half.to_string());
                    let pairs = it.basis.pairs().map_or(String::new(), |pairs| pairs.to_string());
                    [it.mean.to_string(), half_width, it.basis.name().to_owned(), pairs]
                });
                cells.extend(cell.unwrap_or_default());
            }
            table.push(cells);
        }
        table
    }

    pub(super) fn difference_plot(&self) -> Plot {
        let panel = |&quantity: &Quantity| Panel {
            title: format!("difference in {}", quantity.title()),
            points: self
                .differences(quantity)
                .map(|(_, it)| it.map(|difference| difference.to_point(quantity)))
                .collect(),
        };
        Plot {
            title: self.built.title(),
            about: self.about(),
            interval: format!("{} interval", self.level()),
            scale: Scale::Difference,
            rows: self.differences(Quantity::Events).map(|(name, _)| name).collect(),
            panels: self.spec.output.plot_of.iter().map(panel).collect(),
        }
    }
}

impl Basis {
    /// In JSON and comma-separated values.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Pairs(_) => "pairs",
            Self::Independent(..) => "independent",
            Self::Exact => "exact",
        }
    }

    pub(super) fn pairs(self) -> Option<usize> {
        match self {
            Self::Pairs(pairs) => Some(pairs),
            Self::Independent(..) | Self::Exact => None,
        }
    }

    fn text(self) -> String {
        match self {
            Self::Pairs(pairs) => counted(pairs as u64, "pair"),
            Self::Independent(one, other) => format!("{one} and {}", counted(other as u64, "run")),
            Self::Exact => self.name().to_owned(),
        }
    }
}

impl Difference {
    fn mean_text(&self, quantity: Quantity) -> String {
        let sign = if self.mean < 0.0 { "−" } else { "" };
        format!("{sign}{}", quantity.text_beside(self.mean.abs(), self.mean.abs()))
    }

    fn half_width_text(&self, quantity: Quantity) -> Option<String> {
        let mark = if self.is_skewed { " *" } else { "" };
        let text = |half| format!("± {}{mark}", quantity.text_beside(half, self.mean.abs()));
        self.half_width.map(text)
    }

    fn to_point(&self, quantity: Quantity) -> Point {
        let (min, max) = self.ends.unwrap_or((self.mean, self.mean));
        let mut text = self.mean_text(quantity);
        if let Some(interval) = self.half_width_text(quantity) {
            text = format!("{text} {interval}");
        }
        Point { min, mean: self.mean, max, half_width: self.half_width, at_least: false, text }
    }
}
