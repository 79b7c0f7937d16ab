//! A name for a prompt that does not give it away.

use sha2::{Digest, Sha256};

use crate::hex;

/// The start of the prompt's SHA-256, 16 hex digits: the same on every vantage, so that records of one
/// prompt can be paired. For configured prompts only: what a person typed could be found by trying.
pub fn id(prompt: &str) -> String {
    hex::lower(&Sha256::digest(prompt)[..8])
}

#[cfg(test)]
mod tests {
    use super::id;

    #[test]
    fn the_same_prompt_has_the_same_name_and_another_another() {
        assert_eq!(id("Count."), id("Count."));
        assert_ne!(id("Count."), id("Count"));
        assert_eq!(id("").len(), 16);
    }
}
