//! Escaping of foreign text for a terminal.

use std::borrow::Cow;

/// A text in which control characters are written as in Rust, such as `\u{1b}`. So what a state, a message or a file
/// says can neither move the cursor nor erase what stands above it. Some sequences are kept: ends of lines, one's own
/// colours.
///
/// ```
/// use everypath_report::escape_controls;
///
/// let forged = "\u{1b}[2K\rall is well\n";
/// assert_eq!(escape_controls(forged, &["\n"]), "\\u{1b}[2K\\rall is well\n");
/// ```
#[must_use]
pub fn escape_controls<'a>(text: &'a str, kept: &[&str]) -> Cow<'a, str> {
    let mut escaped = String::new();
    let mut done = 0;
    while let Some(found) = first_control(&text[done..]) {
        let at = done + found;
        escaped.push_str(&text[done..at]);
        let rest = &text[at..];
        match kept.iter().find(|sequence| rest.starts_with(**sequence)) {
            Some(sequence) => {
                escaped.push_str(sequence);
                done = at + sequence.len();
            }
            None => {
                let len = rest.chars().next().map_or(0, char::len_utf8);
                escaped.extend(rest[..len].chars().flat_map(char::escape_default));
                done = at + len;
            }
        }
    }
    if done == 0 {
        return text.into();
    }
    escaped.push_str(&text[done..]);
    escaped.into()
}

/// Where the first of them is. Most of what is printed is ASCII, so bytes are looked at before characters.
fn first_control(text: &str) -> Option<usize> {
    let is_candidate = |byte: &u8| !matches!(byte, b' '..=b'~');
    let mut from = 0;
    loop {
        let at = from + text.as_bytes()[from..].iter().position(is_candidate)?;
        let found = text[at..].chars().next()?;
        if is_control(found) {
            return Some(at);
        }
        from = at + found.len_utf8();
    }
}

/// Whether a terminal does something else with a character than to show it, or shows others in another order.
///
/// ```
/// use everypath_report::is_control;
///
/// assert!(is_control('\u{1b}') && is_control('\u{202e}'));
/// assert!(!is_control('é'));
/// ```
#[must_use]
pub fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}')
        || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_what_is_kept_reaches_the_terminal() {
        let text = "a\tb\n\u{1b}[1mc\u{1b}[2Kd\u{9b}e\u{7f}f\u{202e}g → 漢";
        let kept = ["\n", "\u{1b}[1m"];
        let shown = escape_controls(text, &kept);
        assert_eq!(shown, "a\\tb\n\u{1b}[1mc\\u{1b}[2Kd\\u{9b}e\\u{7f}f\\u{202e}g → 漢");
        assert_eq!(escape_controls(&shown, &kept), shown);
        assert_eq!(escape_controls("\n", &[]), "\\n");
        assert!(matches!(escape_controls("plain", &[]), Cow::Borrowed("plain")));
    }
}
