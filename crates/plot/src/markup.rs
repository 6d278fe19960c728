//! Text in SVG and HTML.

use std::fmt::Write;

use everypath_report::{shortened, text_width};

/// A text as content or attribute of markup. What XML cannot hold becomes U+FFFD.
pub(crate) fn escaped(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut markup, character| {
        match character {
            '&' => markup.push_str("&amp;"),
            '<' => markup.push_str("&lt;"),
            '>' => markup.push_str("&gt;"),
            '"' => markup.push_str("&quot;"),
            '\'' => markup.push_str("&#39;"),
            other if is_markup(other) => markup.push(other),
            _ => markup.push(char::REPLACEMENT_CHARACTER),
        }
        markup
    })
}

/// JSON as content of a script element: no text in it can end the element.
pub(crate) fn embedded(json: &str) -> String {
    json.chars().fold(String::with_capacity(json.len()), |mut text, character| {
        if matches!(character, '<' | '>' | '&') || !is_markup(character) {
            // JSON has such characters only in strings.
            let _ = write!(text, "\\u{:04x}", u32::from(character));
        } else {
            text.push(character);
        }
        text
    })
}

/// A self-contained page: its title as a text, its style and its body as markup. The body ends with a
/// line break.
pub(crate) fn page(title: &str, style: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}</body>
</html>
"#
    )
}

/// Whether XML can hold a character at all.
fn is_markup(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// A path and its value in at most this many columns: the start of the path is cut first.
pub(crate) fn shortened_line(path: &str, value: &str, room: usize) -> String {
    if path.is_empty() {
        return shortened(value, room);
    }
    let mut line = format!("{path}: {value}");
    let mut rest = path;
    while text_width(&line) > room {
        let Some((_, after)) = rest.split_once('.') else { break };
        rest = after;
        line = format!("….{rest}: {value}");
    }
    shortened(&line, room)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_markup() {
        assert_eq!(escaped("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
        assert_eq!(escaped("\u{0}\u{ffff}é"), "\u{fffd}\u{fffd}é");
        assert_eq!(embedded(r#"["</script>"]"#), r#"["\u003c/script\u003e"]"#);
    }

    #[test]
    fn paths_lose_their_start_before_values_lose_their_end() {
        assert_eq!(
            shortened_line("lower.packet.number", "Some(3)", 40),
            "lower.packet.number: Some(3)"
        );
        assert_eq!(
            shortened_line("lower.packet.number", "Some(3)", 25),
            "….packet.number: Some(3)"
        );
        assert_eq!(shortened_line("lower.number", "Some(3)", 12), "….number: S…");
    }
}
