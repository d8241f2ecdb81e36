//! Text on a picture: made harmless, measured in columns of a terminal, shortened.

/// The text with every control character, and every mark that changes the writing direction, replaced by `\u{FFFD}`:
/// a name can neither move the cursor nor end a line. Tabs and line breaks become spaces.
pub fn clean(text: &str) -> String {
    text.chars().map(harmless).collect()
}

/// [`clean`] for each line of a text: line breaks stay.
pub fn clean_lines(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let words = line.strip_suffix('\n').unwrap_or(line);
        cleaned.extend(words.strip_suffix('\r').unwrap_or(words).chars().map(harmless));
        cleaned.push_str(if words.len() < line.len() { "\n" } else { "" });
    }
    cleaned
}

/// The replacement of a character.
fn harmless(c: char) -> char {
    match c {
        '\t' | '\n' | '\r' => ' ',
        '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
            char::REPLACEMENT_CHARACTER
        }
        // Unicode line breaks, and noncharacters.
        '\u{2028}' | '\u{2029}' | '\u{FFFE}' | '\u{FFFF}' => char::REPLACEMENT_CHARACTER,
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

/// The number of columns of a character in a terminal: only the undisputed ranges, which is enough for names.
pub(super) fn columns(c: char) -> usize {
    match u32::from(c) {
        0x0300..=0x036F | 0x200B..=0x200D | 0xFE00..=0xFE0F | 0x20D0..=0x20FF => 0,
        0x1100..=0x115F | 0x2E80..=0xA4CF | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF | 0xFE30..=0xFE6F => 2,
        0xFF00..=0xFF60 | 0xFFE0..=0xFFE6 | 0x1F300..=0x1FAFF | 0x20000..=0x3FFFD => 2,
        _ => 1,
    }
}

/// The number of columns of a text in a terminal.
pub fn width_of(text: &str) -> usize {
    text.chars().map(columns).sum()
}

/// The text cut to at most `limit` columns, with an ellipsis where it is cut.
pub fn shorten(text: &str, limit: usize) -> String {
    if width_of(text) <= limit {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut used = 1; // the ellipsis
    for c in text.chars() {
        used += columns(c);
        if used > limit {
            break;
        }
        short.push(c);
    }
    if limit > 0 {
        short.truncate(short.trim_end().len());
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_command_the_terminal() {
        assert_eq!(clean("a\u{1b}[2Jb\nc\u{202e}d"), "a\u{FFFD}[2Jb c\u{FFFD}d");
        assert_eq!(clean("\u{9b}2J\u{61c}\u{2028}\u{7f}"), "\u{FFFD}2J\u{FFFD}\u{FFFD}\u{FFFD}");
        assert_eq!(clean_lines("a\r\n\tb\u{1b}\n\n"), "a\n b\u{FFFD}\n\n");
        assert_eq!(clean_lines("a\rb"), "a b");
    }

    #[test]
    fn long_words_are_cut_with_an_ellipsis() {
        assert_eq!(shorten("barkeep", 7), "barkeep");
        assert_eq!(shorten("the barkeep", 5), "the…");
        assert_eq!(shorten("酒場の主人", 5), "酒場…");
        assert_eq!(shorten("x", 0), "");
    }
}
