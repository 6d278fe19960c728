//! Numbers for readers.

use std::time::Duration;

pub(crate) use everypath_report::{counted, grouped};

/// A number with six significant digits, without a tail of zeros.
pub(crate) fn significant(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return number.to_string();
    }
    let magnitude = number.abs().log10().floor();
    if !(-4.0..15.0).contains(&magnitude) {
        return format!("{number:.5e}");
    }
    let decimals = (5.0 - magnitude).max(0.0) as usize;
    let text = format!("{number:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// A non-negative number with three digits, or with all digits before the point if there are more.
pub(crate) fn brief(number: f64) -> String {
    let larger = [1.0, 10.0, 100.0].into_iter().filter(|most| number >= *most).count();
    decimal(number, 3 - larger)
}

/// A non-negative number with this many decimals and separated thousands.
pub(crate) fn decimal(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    whole.parse().map_or_else(|_| text.clone(), |whole| grouped(whole) + rest)
}

/// A number of bytes with its unit.
pub(crate) fn size(bytes: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB"];
    let unit = (bytes.max(1).ilog2() / 10).min(3);
    if unit == 0 {
        return counted(bytes, "byte");
    }
    format!("{:.1} {}", bytes as f64 / f64::from(1u32 << (10 * unit)), units[unit as usize])
}

/// A moment of a run, in seconds.
pub(crate) fn moment(time: Duration) -> String {
    format!("{}.{:09} s", time.as_secs(), time.subsec_nanos())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(significant(0.282_485_9), "0.282486");
        assert_eq!(significant(-1500.0), "-1500");
        assert_eq!(
            [0.012_34, 2.382_24, 23.82, 1234.5].map(brief),
            ["0.012", "2.38", "23.8", "1,234"]
        );
        assert_eq!(decimal(0.5, 3), "0.500");
        assert_eq!(decimal(1234.96, 1), "1,235.0");
        assert_eq!(decimal(999.6, 0), "1,000");
        assert_eq!(significant(1e-9), "1.00000e-9");
        assert_eq!([size(1), size(512)], ["1 byte", "512 bytes"]);
        assert_eq!(size(3 << 20), "3.0 MiB");
    }
}
