//! Width of a text in columns.

/// How many columns of a monospaced font a character takes, roughly.
fn columns(character: char) -> usize {
    let wide = matches!(character,
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}'
        | '\u{1f300}'..='\u{1faff}' | '\u{20000}'..);
    if wide { 2 } else { 1 }
}

/// How many columns of a monospaced font a text takes, roughly.
///
/// ```
/// use everypath_report::text_width;
///
/// assert_eq!(text_width("n0 → n1"), 7);
/// assert_eq!(text_width("漢字"), 4);
/// ```
#[must_use]
pub fn text_width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

/// A text in at most this many columns, with an ellipsis for what is cut.
///
/// ```
/// use everypath_report::shortened;
///
/// assert_eq!(shortened("acknowledgement", 8), "acknowl…");
/// assert_eq!(shortened("frame", 8), "frame");
/// ```
#[must_use]
pub fn shortened(text: &str, room: usize) -> String {
    if text_width(text) <= room {
        return text.to_owned();
    }
    let mut left = room.saturating_sub(1);
    let fits = |character: &char| {
        let fits = columns(*character) <= left;
        left = left.saturating_sub(columns(*character));
        fits
    };
    let mut short: String = text.chars().take_while(fits).collect();
    short.truncate(short.trim_end().len());
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_end_in_an_ellipsis() {
        assert_eq!(shortened("abc", 3), "abc");
        assert_eq!(shortened("abcd", 3), "ab…");
        assert_eq!(shortened("漢字漢字", 5), "漢字…");
        assert_eq!(shortened("ab cd", 4), "ab…");
        assert_eq!(shortened("abc", 0), "…");
    }
}
