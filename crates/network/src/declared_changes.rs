//! Changes of a protocol that the user declares, whatever the prints say.

use everypath_explore::EventPattern;
use everypath_model::EventKind;

/// Code that is treated as changed or as unchanged, whatever its
/// [print](everypath_model::Code::print) says. It is given by patterns of its
/// [name](everypath_model::Code::name), in which `*` matches anything.
///
/// ```
/// use everypath_network::DeclaredChanges;
///
/// let patterns = |patterns: &[&str]| patterns.iter().map(|it| it.to_string()).collect::<Vec<_>>();
/// let changes = DeclaredChanges::new(patterns(&["timer:*"]), patterns(&["message:Ask", "timer:Again"]));
/// assert!(!changes.is_modified("start", 1, 1));
/// assert!(changes.is_modified("start", 1, 2), "the print decides");
/// assert!(changes.is_modified("timer:Begin", 1, 1));
/// assert!(!changes.is_modified("message:Ask", 1, 2));
/// assert!(changes.is_modified("timer:Again", 1, 2), "in doubt it has changed");
/// ```
#[derive(Clone, Debug, Default)]
pub struct DeclaredChanges {
    modified: Vec<String>,
    unmodified: Vec<String>,
    /// Events all of whose code is treated as changed.
    events: Vec<EventPattern>,
}

impl DeclaredChanges {
    /// Code that matches one of `modified` is treated as changed. Other code that matches one of
    /// `unmodified` is treated as unchanged, at the caller's own risk.
    #[must_use]
    pub fn new(modified: Vec<String>, unmodified: Vec<String>) -> Self {
        Self { modified, unmodified, events: Vec::new() }
    }

    /// Treats all code as changed that may handle such events: for memos, which know code and no
    /// events.
    ///
    /// ```
    /// use everypath_network::DeclaredChanges;
    ///
    /// let event = "deliver@1:Ack".parse().unwrap();
    /// let changes = DeclaredChanges::default().handling(vec![event]);
    /// assert!(changes.says_modified("message") && changes.says_modified("message:Ack|Nak"));
    /// assert!(!changes.says_modified("message:Data") && !changes.says_modified("timer"));
    /// ```
    #[must_use]
    pub fn handling(mut self, events: Vec<EventPattern>) -> Self {
        self.events = events;
        self
    }

    /// Whether code has changed, given its print before and its print now.
    #[must_use]
    pub fn is_modified(&self, name: &str, before: u64, now: u64) -> bool {
        self.says_modified(name) || before != now && !matches_any(&self.unmodified, name)
    }

    /// Whether code is treated as changed even if its print is equal.
    #[must_use]
    pub fn says_modified(&self, name: &str) -> bool {
        matches_any(&self.modified, name) || self.events.iter().any(|event| handles(name, event))
    }

    /// The first pattern that matches no name.
    ///
    /// ```
    /// use everypath_network::DeclaredChanges;
    ///
    /// let changes = DeclaredChanges::new(vec!["timer:*".to_owned()], vec!["mesage:*".to_owned()]);
    /// let names = ["start", "timer:Retransmit", "message:Data"];
    /// assert_eq!(changes.unmatched(names.into_iter()), Some("mesage:*"));
    /// ```
    #[must_use]
    pub fn unmatched<'n>(&self, names: impl Iterator<Item = &'n str> + Clone) -> Option<&str> {
        let patterns = self.modified.iter().chain(&self.unmodified);
        let mut idle = patterns.filter(|pattern| !names.clone().any(|name| matches(pattern, name)));
        idle.next().map(String::as_str)
    }
}

/// Whether code may handle an event that a pattern matches. A name without a handler that is known
/// is that of a whole program.
fn handles(name: &str, event: &EventPattern) -> bool {
    let own = name.rsplit('/').next().unwrap_or(name);
    let (word, arm) = own.split_once(':').map_or((own, None), |(word, arm)| (word, Some(arm)));
    let kinds: &[EventKind] = match word {
        "start" => &[],
        "restart" => &[EventKind::Reboot],
        "message" => &[EventKind::Deliver],
        "undeliverable" => &[EventKind::Undeliverable],
        "timer" => &[EventKind::Timer],
        "command" => &[EventKind::Command],
        _ => &EventKind::ALL,
    };
    let is_kind = |kind: &EventKind| event.kind.as_ref().is_none_or(|said| said == kind.name());
    let about = event.about.as_deref().unwrap_or_default();
    let variant = about.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(about);
    kinds.iter().any(is_kind)
        && arm.is_none_or(|arm| arm.split('|').any(|arm| arm == "other" || arm.contains(variant)))
}

fn matches_any(patterns: &[String], name: &str) -> bool {
    patterns.iter().any(|pattern| matches(pattern, name))
}

fn matches(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut left) = name.strip_prefix(start) else { return false };
    let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
    // The first match of each piece leaves the most for the pieces behind it.
    for piece in middle.split('*') {
        let Some(place) = left.find(piece) else { return false };
        left = &left[place + piece.len()..];
    }
    left.ends_with(end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Whether a pattern matches a name, by trying all values of a star.
    fn matches_slowly(pattern: &[u8], name: &[u8]) -> bool {
        match pattern {
            [] => name.is_empty(),
            [b'*', rest @ ..] => (0..=name.len()).any(|taken| matches_slowly(rest, &name[taken..])),
            [letter, rest @ ..] => name.first() == Some(letter) && matches_slowly(rest, &name[1..]),
        }
    }

    proptest! {
        #[test]
        fn a_star_stands_for_anything(pattern in "[ab*]{0,7}", name in "[ab]{0,8}") {
            let expected = matches_slowly(pattern.as_bytes(), name.as_bytes());
            prop_assert_eq!(matches(&pattern, &name), expected);
        }
    }

    #[test]
    fn a_pattern_that_matches_nothing_is_named() {
        let patterns = |patterns: &[&str]| patterns.iter().map(|it| (*it).to_owned()).collect();
        let changes = DeclaredChanges::new(patterns(&["timer:*"]), patterns(&["start", "strat"]));
        assert_eq!(changes.unmatched(["timer:Begin", "start"].into_iter()), Some("strat"));
        assert_eq!(changes.unmatched(["timer:Begin", "start", "strat"].into_iter()), None);
    }
}
