//! Numbers in sentences.

use std::time::Duration;

/// A whole number with separated thousands.
///
/// ```
/// assert_eq!(everypath_report::grouped(1_234_567), "1,234,567");
/// ```
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things, which are in the singular if there is one.
///
/// ```
/// use everypath_report::counted;
///
/// assert_eq!([0, 1, 2].map(|steps| counted(steps, "step")), ["0 steps", "1 step", "2 steps"]);
/// ```
#[must_use]
pub fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A span of time with its unit, to the microsecond if it is longer than that.
///
/// ```
/// use std::time::Duration;
/// use everypath_report::span;
///
/// assert_eq!(span(Duration::from_nanos(1_801_400)), "1.801ms");
/// assert_eq!([Duration::from_nanos(700), Duration::ZERO].map(span), ["700ns", "0s"]);
/// ```
#[must_use]
pub fn span(span: Duration) -> String {
    let rounded = match span.as_nanos() {
        0 => return "0s".to_owned(),
        1..1_000 => span,
        nanoseconds => {
            let microseconds = u64::try_from(nanoseconds / 1000).unwrap_or(u64::MAX);
            Duration::from_micros(microseconds)
        }
    };
    format!("{rounded:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
