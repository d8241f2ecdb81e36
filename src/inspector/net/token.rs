//! The secret in the link: other programs on this machine, and pages of other sites, do not know it.

use std::fmt::Write;
use std::io;

/// 128 random bits, as 32 hexadecimal digits.
#[derive(Clone)]
pub(super) struct Token(String);

impl Token {
    /// A new secret, from the system's source of random numbers.
    pub(super) fn new() -> io::Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Self(bytes.iter().fold(String::new(), |mut digits, byte| {
            let _ = write!(digits, "{byte:02x}");
            digits
        })))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a guess is right. It takes the same time for every guess of this length, so time tells nothing of the
    /// digits.
    pub(super) fn is(&self, guess: &str) -> bool {
        let (ours, theirs) = (self.0.as_bytes(), guess.as_bytes());
        let differing = ours.iter().zip(theirs).fold(0, |all, (a, b)| all | (a ^ b));
        // Nothing may be left out because the result is known.
        ours.len() == theirs.len() && std::hint::black_box(differing) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::Token;

    #[test]
    fn only_the_whole_token_is_right() {
        let (token, other) = (Token::new().unwrap(), Token::new().unwrap());
        assert_eq!(token.as_str().len(), 32);
        assert!(token.is(token.as_str()));
        assert!(!token.is(other.as_str()) && !token.is("") && !token.is(&token.as_str()[..31]));
        assert!(!token.is(&format!("{}0", token.as_str())));
    }
}
