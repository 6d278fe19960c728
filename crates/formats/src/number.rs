//! Numbers in files: finite, and within limits.

use std::time::Duration;

use crate::Problem;

/// Larger than any field; its square is still finite.
const METRES_MAX: f64 = 1e12;

/// Enough for a node that jumps across a field within a nanosecond.
const SPEED_MAX: f64 = 1e30;

/// Longer than any simulation: three hundred years.
const SECONDS_MAX: u64 = 10_000_000_000;

pub(crate) fn coordinate(text: &str) -> Result<f64, Problem> {
    number(text).filter(|metres| metres.abs() <= METRES_MAX).ok_or_else(|| {
        Problem::unreadable(text, "a coordinate is a number of metres between -1e12 and 1e12")
    })
}

pub(crate) fn speed(text: &str) -> Result<f64, Problem> {
    number(text).filter(|speed| (0.0..=SPEED_MAX).contains(speed)).ok_or_else(|| {
        Problem::unreadable(text, "a speed is a number of metres per second from 0 to 1e30")
    })
}

pub(crate) fn probability(text: &str) -> Result<f64, Problem> {
    number(text)
        .filter(|probability| (0.0..=1.0).contains(probability))
        .ok_or_else(|| Problem::unreadable(text, "a probability is a number from 0 to 1"))
}

/// Bits per second, whole or with an exponent.
pub(crate) fn bandwidth(text: &str) -> Result<u64, Problem> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let rounded = |rate: f64| rate.round() as u64;
    number(text).filter(|rate| (1.0..=1e18).contains(rate)).map(rounded).ok_or_else(|| {
        Problem::unreadable(text, "a bandwidth is a number of bits per second from 1 to 1e18")
    })
}

fn number(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|number| number.is_finite())
}

/// Seconds, to the nearest nanosecond.
pub(crate) fn time(text: &str) -> Result<Duration, Problem> {
    decimal(text)
        .or_else(|| number(text).and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()))
        .filter(|time| *time <= Duration::from_secs(SECONDS_MAX))
        .ok_or_else(|| Problem::unreadable(text, "a time is a number of seconds from 0 to 1e10"))
}

/// Reads plain decimals exactly; floating point would lose nanoseconds after some months.
fn decimal(text: &str) -> Option<Duration> {
    const DIGITS: usize = 9;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if whole.is_empty()
        || !whole.bytes().chain(fraction.bytes()).all(|digit| digit.is_ascii_digit())
    {
        return None;
    }
    let kept = &fraction[..fraction.len().min(DIGITS)];
    let nanoseconds: u32 = format!("{kept:0<DIGITS$}").parse().ok()?;
    let up = fraction.as_bytes().get(DIGITS).is_some_and(|digit| *digit >= b'5');
    let seconds = Duration::from_secs(whole.parse().ok()?);
    seconds.checked_add(Duration::from_nanos(u64::from(nanoseconds) + u64::from(up)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_to_the_nanosecond() {
        let nanoseconds = |text: &str| time(text).ok().map(|time| time.as_nanos());
        assert_eq!(nanoseconds("0"), Some(0));
        assert_eq!(nanoseconds("186.627706"), Some(186_627_706_000));
        assert_eq!(nanoseconds("9999999999.999999999"), Some(9_999_999_999_999_999_999));
        assert_eq!(nanoseconds("0.9999999996"), Some(1_000_000_000));
        assert_eq!(nanoseconds("1.5e-3"), Some(1_500_000));
        assert_eq!(nanoseconds("+2."), Some(2_000_000_000));
        for text in ["", ".", "-1", "-0.5", "1e11", "NaN", "inf", "1e400", "$start", "1,5", "1.-5"]
        {
            assert_eq!(nanoseconds(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_finite_and_in_range() {
        assert_eq!(coordinate("-3.5").unwrap(), -3.5);
        assert_eq!(bandwidth("1e7").unwrap(), 10_000_000);
        for text in ["", "NaN", "inf", "-inf", "1e31", "1e999", "0x10", "1_000"] {
            assert!(coordinate(text).is_err() && speed(text).is_err(), "{text}");
            assert!(probability(text).is_err(), "{text}");
        }
        assert!(speed("-1").is_err() && probability("1.01").is_err() && bandwidth("0").is_err());
    }
}
