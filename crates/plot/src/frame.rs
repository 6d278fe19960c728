//! Frame of a plot: paper, title, and the text along the axes.

use std::fmt::Write;

use everypath_report::{shortened, text_width};

use crate::{
    axis::Tick,
    markup::escaped,
    plot::{COLUMN, STYLE},
};

/// Words at the edge of the paper begin here.
pub(crate) const EDGE: f64 = 20.0;
/// What lies between a tick's words and the axis.
const TICK_GAP: f64 = 9.0;

/// Where the axes of a plot lie on the paper.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

/// The beginning of a drawing: its paper, its title and more about it in a line.
pub(crate) fn paper(title: &str, about: &str, page_width: f64, page_height: f64) -> String {
    let label = escaped(title);
    let room = ((page_width - 2.0 * EDGE) / COLUMN) as usize;
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {page_width:.0} {page_height:.0}" width="{page_width:.0}" height="{page_height:.0}" role="img" aria-label="{label}"><style>{STYLE}</style><rect class="paper" width="{page_width:.0}" height="{page_height:.0}" rx="8"/><text class="title" x="{EDGE}" y="33">{}<title>{label}</title></text><text class="muted" x="{EDGE}" y="54">{}</text>"#,
        // The letters of a title are larger.
        escaped(&shortened(title, room * 7 / 10)),
        escaped(&shortened(about, room))
    )
}

/// What words of an axis upwards take to its left, the edge of the paper included.
pub(crate) fn room_of(ticks: &[Tick]) -> f64 {
    let widest = ticks.iter().map(|(_, label)| text_width(label)).max().unwrap_or(0);
    EDGE + COLUMN * widest as f64 + TICK_GAP
}

impl Frame {
    /// How far to the right a share of the axis is.
    pub(crate) fn x(&self, share: f64) -> f64 {
        self.left + (self.right - self.left) * share
    }

    /// How far down the paper a share of the axis upwards is.
    pub(crate) fn y(&self, share: f64) -> f64 {
        self.bottom - (self.bottom - self.top) * share
    }

    /// Whether what is written at these shares of the axis to the right has room.
    pub(crate) fn holds(&self, ticks: &[Tick]) -> bool {
        self.legible(ticks).all(|(_, _, is_legible)| is_legible)
    }

    /// How far to the right each is, with its words, and whether they keep clear of those before.
    fn legible<'a>(&self, ticks: &'a [Tick]) -> impl Iterator<Item = (f64, &'a str, bool)> {
        let frame = *self;
        let mut free = f64::NEG_INFINITY;
        ticks.iter().map(move |(share, label)| {
            let x = frame.x(*share);
            let half = 0.5 * COLUMN * text_width(label) as f64;
            let is_legible = x - half >= free;
            if is_legible {
                free = x + half + COLUMN;
            }
            (x, label.as_str(), is_legible)
        })
    }

    /// Lines and words at shares of the axis to the right, in increasing order. Words without room are
    /// skipped.
    pub(crate) fn draw_across(&self, out: &mut String, ticks: &[Tick]) {
        let Self { top, bottom, .. } = *self;
        for (x, label, is_legible) in self.legible(ticks) {
            let _ = write!(
                out,
                r#"<line class="grid" x1="{x:.1}" y1="{top:.1}" x2="{x:.1}" y2="{:.1}"/>"#,
                bottom + 5.0
            );
            if is_legible {
                let _ = write!(
                    out,
                    r#"<text class="tick" x="{x:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
                    bottom + 20.0,
                    escaped(label)
                );
            }
        }
    }

    /// Lines and words at shares of the axis upwards.
    pub(crate) fn draw_up(&self, out: &mut String, ticks: &[Tick]) {
        for (share, label) in ticks {
            let y = self.y(*share);
            let _ = write!(
                out,
                r#"<line class="grid" x1="{:.1}" y1="{y:.1}" x2="{:.1}" y2="{y:.1}"/><text class="tick" x="{:.1}" y="{:.1}" text-anchor="end">{label}</text>"#,
                self.left - 5.0,
                self.right,
                self.left - TICK_GAP,
                y + 4.0
            );
        }
    }

    /// What the axes are of.
    pub(crate) fn draw_titles(&self, out: &mut String, across: &str, up: &str) {
        let room = ((self.right - EDGE) / COLUMN) as usize;
        let _ = write!(
            out,
            r#"<text class="axis" x="{:.1}" y="{:.1}" text-anchor="end">{}</text><text class="axis" x="{EDGE}" y="{:.1}">{}</text>"#,
            self.right,
            self.bottom + 46.0,
            escaped(&shortened(across, room)),
            self.top - 14.0,
            escaped(&shortened(up, room))
        );
    }
}
