//! Short pieces of text that a measurement may keep.

/// The start of `text`, at most so many bytes, cut between characters.
pub(crate) fn cut(text: &str, bytes: usize) -> String {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    text.get(..end).unwrap_or("").to_owned()
}
