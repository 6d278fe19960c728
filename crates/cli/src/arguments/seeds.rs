//! The seeds of a comparison.

use std::{collections::HashSet, fmt, str::FromStr};

/// Seeds as they are written: numbers and ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seeds {
    text: String,
    pub(crate) numbers: Vec<u64>,
}

/// More would be a mistake.
const SEEDS_MAX: usize = 100_000;

impl Default for Seeds {
    fn default() -> Self {
        "1-10".parse().expect("it is a range")
    }
}

impl fmt::Display for Seeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut numbers = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let number = |text: &str| {
                text.parse::<u64>()
                    .map_err(|_| "write numbers and ranges, e.g. 1-20 or 3,5,10-15".to_owned())
            };
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(format!("{part} is empty: write the smaller number first"));
            }
            if last - first >= (SEEDS_MAX - numbers.len()) as u64 {
                return Err(format!("at most {SEEDS_MAX} seeds are allowed"));
            }
            numbers.extend(first..=last);
        }
        let mut seen = HashSet::new();
        match numbers.iter().find(|seed| !seen.insert(**seed)) {
            Some(twice) => Err(format!("{twice} occurs twice")),
            None => Ok(Self { text: text.to_owned(), numbers }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_numbers_and_ranges() {
        let numbers = |text: &str| text.parse().map(|seeds: Seeds| seeds.numbers);
        assert_eq!(numbers("7"), Ok(vec![7]));
        assert_eq!(numbers("3,5,10-12"), Ok(vec![3, 5, 10, 11, 12]));
        assert_eq!(numbers("18446744073709551615"), Ok(vec![u64::MAX]));
        assert_eq!(numbers("0-99999").unwrap().len(), SEEDS_MAX);
        for wrong in
            ["", "a", "1,", "-3", "1-", "5-4", "1-5,3", "0-100000", "0-18446744073709551615"]
        {
            assert!(numbers(wrong).is_err(), "{wrong}");
        }
    }
}
