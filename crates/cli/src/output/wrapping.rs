//! Line wrapping.

/// The width of lines.
const COLUMNS: usize = 78;

/// Wraps a text. The first line begins with one mark, the others with another of the same width.
pub(crate) fn wrapped(text: &str, first: &str, other: &str) -> String {
    let room = COLUMNS - first.chars().count();
    let mut lines = String::new();
    let mut mark = first;
    for paragraph in text.lines() {
        let mut line = String::new();
        let mut width = 0;
        for piece in pieces(paragraph, room) {
            // Spaces at the end of a line do not count.
            if width > 0 && width + piece.trim_end().chars().count() > room {
                lines += &format!("{}\n", format!("{mark}{line}").trim_end());
                mark = other;
                line.clear();
                width = 0;
            }
            line += piece;
            width += piece.chars().count();
        }
        lines += &format!("{}\n", format!("{mark}{line}").trim_end());
        mark = other;
    }
    lines
}

/// The pieces after which a line can end: a word with the spaces behind it, a part of one up to a hyphen, or as much of
/// one as fits.
fn pieces(text: &str, room: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut before = None;
        let mut count = 0;
        let end = rest.char_indices().find_map(|(place, letter)| {
            let after = rest[place + letter.len_utf8()..].chars().next();
            let is_word_over = letter == ' ' && after != Some(' ');
            let is_hyphen = letter == '-'
                && before.is_some_and(char::is_alphanumeric)
                && after.is_some_and(char::is_alphanumeric);
            count += usize::from(letter != ' ');
            before = Some(letter);
            let is_full = count == room && after != Some(' ');
            (is_word_over || is_hyphen || is_full).then_some(place + letter.len_utf8())
        });
        let (piece, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}
