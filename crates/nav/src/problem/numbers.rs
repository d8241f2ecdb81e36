//! Numbers in messages.

use std::borrow::Cow;

/// Numbers with more characters than this are written with an exponent. No sensible number has as many.
const MOST_CHARS: usize = 30;

/// A text whose very long numbers are written with an exponent: `1e308` instead of three hundred digits. Rust, and
/// libraries that quote numbers, write all digits.
pub fn brief_numbers(text: &str) -> Cow<'_, str> {
    let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    if !text.as_bytes().windows(MOST_CHARS + 1).any(|part| part.iter().all(is_part)) {
        return Cow::Borrowed(text);
    }
    let mut brief = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(start);
        let end = number.bytes().position(|byte| !is_part(&byte)).unwrap_or(number.len());
        let (number, behind) = number.split_at(end);
        brief.push_str(before);
        let digits = number.trim_end_matches('.'); // the end of a sentence
        match digits.parse::<f64>() {
            Ok(value) if digits.len() > MOST_CHARS && value.is_finite() => {
                brief.push_str(&format!("{value:e}{}", &number[digits.len()..]));
            }
            _ => brief.push_str(number),
        }
        rest = behind;
    }
    brief.push_str(rest);
    Cow::Owned(brief)
}

/// A length as people write it. Short ones are in millimetres, so that none but zero looks like zero.
pub fn length_text(length_m: f64) -> String {
    match length_m {
        0.0 => "0 m".to_owned(),
        ..0.000_1 => "less than 0.1 mm".to_owned(),
        ..0.01 => format!("{:.1} mm", length_m * 1000.0),
        _ => format!("{length_m:.2} m"),
    }
}

#[cfg(test)]
mod tests {
    use super::{brief_numbers, length_text};

    #[test]
    fn no_length_but_zero_looks_like_zero() {
        for (length_m, text) in [
            (0.0, "0 m"),
            (1e-12, "less than 0.1 mm"),
            (0.0001, "0.1 mm"),
            (0.004, "4.0 mm"),
            (0.01, "0.01 m"),
            (12.345, "12.35 m"),
        ] {
            assert_eq!(length_text(length_m), text);
        }
    }

    #[test]
    fn only_very_long_numbers_have_an_exponent() {
        let huge = format!("from 0 to 1.5, not {}.", 1e308);
        assert_eq!(brief_numbers(&huge), "from 0 to 1.5, not 1e308.");
        assert_eq!(brief_numbers(&format!("`{}.0`, {}", -1e300, 5e-324)), "`-1e300`, 5e-324");
        for text in ["", "0.1 and 123456789012345678", "rooms/a.json:12:13", "ä 1.7976931348623157 ü"] {
            assert_eq!(brief_numbers(text), text);
        }
        let version = "1.2.3.4.5.6.7.8.9.0.1.2.3.4.5.6.7.8.9";
        assert_eq!(brief_numbers(version), version);
        assert_eq!(brief_numbers(&"9".repeat(400)), "9".repeat(400)); // beyond all numbers
    }
}
