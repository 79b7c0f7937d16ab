//! A case's body, piece by piece as the reads delivered it. A recipe of many megabytes is never whole in
//! memory.

use serde::Deserialize;

use crate::case::{Case, decode_base64};
use crate::error::CaseError;

/// Bytes of a read where a case gives none and its body comes from a recipe.
const READ_SIZE: usize = 64 * 1024;

/// One part of a recipe: a text, `n` times.
#[derive(Debug, Deserialize)]
pub(crate) struct Part {
    #[serde(alias = "repeat")]
    text: String,
    #[serde(default = "once", alias = "times")]
    n: usize,
}

fn once() -> usize {
    1
}

/// The reads of a case's body, in order.
pub(crate) fn reads(case: &Case) -> Result<Box<dyn Iterator<Item = Vec<u8>> + '_>, CaseError> {
    if !case.recipe.is_empty() {
        let size = case.read_size.unwrap_or(READ_SIZE);
        return Ok(Box::new(Recipe::new(&case.recipe, size)));
    }
    let bytes = match (&case.text, &case.bytes_base64) {
        (Some(text), None) => text.clone().into_bytes(),
        (None, Some(encoded)) => decode_base64(encoded)?,
        (None, None) => Vec::new(),
        (Some(_), Some(_)) => return Err(CaseError::TwoBodies),
    };
    Ok(Box::new(split(case, &bytes)?.into_iter()))
}

fn split(case: &Case, bytes: &[u8]) -> Result<Vec<Vec<u8>>, CaseError> {
    if let Some(size) = case.read_size {
        return Ok(bytes.chunks(size).map(<[u8]>::to_vec).collect());
    }
    let mut reads = Vec::new();
    let mut start = 0;
    for end in &case.splits {
        let read = bytes.get(start..*end).ok_or(CaseError::Split {
            end: *end,
            start,
            length: bytes.len(),
        })?;
        reads.push(read.to_vec());
        start = *end;
    }
    let rest = bytes.get(start..).unwrap_or_default();
    if !rest.is_empty() {
        reads.push(rest.to_vec());
    }
    // One more than there are reads: the body's end.
    if case.at_ms.len() > reads.len() + 1 {
        return Err(CaseError::Readings {
            readings: case.at_ms.len(),
            reads: reads.len(),
        });
    }
    Ok(reads)
}

/// Walks through the parts and cuts what they give into reads.
struct Recipe<'a> {
    parts: &'a [Part],
    part: usize,
    /// Bytes of the current part, all its repeats counted, that have been given out.
    given: usize,
    size: usize,
}

impl<'a> Recipe<'a> {
    fn new(parts: &'a [Part], size: usize) -> Self {
        Self {
            parts,
            part: 0,
            given: 0,
            size,
        }
    }
}

impl Iterator for Recipe<'_> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut read = Vec::with_capacity(self.size);
        while let Some(part) = self.parts.get(self.part) {
            let room = self.size - read.len();
            if room == 0 {
                break;
            }
            let left = part
                .text
                .len()
                .saturating_mul(part.n)
                .saturating_sub(self.given);
            if left == 0 {
                self.part += 1;
                self.given = 0;
                continue;
            }
            let bytes = part.text.bytes().cycle();
            let from = self.given % part.text.len();
            read.extend(bytes.skip(from).take(room.min(left)));
            self.given += room.min(left);
        }
        (!read.is_empty()).then_some(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_gives_the_same_bytes_in_reads_of_any_size() {
        let parts = [("ab", 3), ("", 2), ("xyz", 1), ("-", 4)].map(|(text, n)| Part {
            text: text.to_owned(),
            n,
        });
        for size in 1..16 {
            let reads: Vec<_> = Recipe::new(&parts, size).collect();
            assert_eq!(reads.concat(), b"abababxyz----", "{size}");
            assert!(reads.iter().rev().skip(1).all(|read| read.len() == size));
        }
    }

    #[test]
    fn splits_outside_the_body_are_named() {
        let case = Case {
            text: Some("abc".to_owned()),
            splits: vec![2, 9],
            ..Case::default()
        };
        let error = reads(&case).err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("`splits`: 9 lies outside 2..3"));
    }
}
