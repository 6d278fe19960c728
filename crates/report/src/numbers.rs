//! Numbers in sentences.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
