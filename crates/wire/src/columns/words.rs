//! A column of words from a closed list: each word once, and which one each row has.

use serde::{Deserialize, Serialize};

use super::packed;

/// The column as it travels.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Words {
    /// The words that occur.
    pub words: Vec<String>,
    /// For each row the place of its word in `words`, from 0; packed. `.`: it has none.
    pub each: String,
}

impl Words {
    pub(super) fn new<'a>(rows: impl Iterator<Item = Option<&'a str>>) -> Self {
        let mut words: Vec<String> = Vec::new();
        let places = rows.map(|word| {
            let word = word?;
            let known = words.iter().position(|known| known == word);
            let place = known.unwrap_or_else(|| {
                words.push(word.to_owned());
                words.len() - 1
            });
            i64::try_from(place).ok()
        });
        let each = packed::pack(places);
        Self { words, each }
    }

    pub(super) fn rows(&self, name: &str) -> Result<Vec<Option<String>>, String> {
        let places: Vec<Option<u16>> = super::optional(&format!("{name}.each"), &self.each)?;
        let word = |place: u16| {
            self.words.get(usize::from(place)).cloned().ok_or_else(|| {
                let words = self.words.len();
                format!("the column {name}.each names word {place}, and {name}.words has {words}: count from 0")
            })
        };
        places
            .into_iter()
            .map(|place| place.map(word).transpose())
            .collect()
    }
}
