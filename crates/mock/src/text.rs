//! The text of the answers: neutral, written for this purpose, the same at every run.

/// Cycled through for answers. A few letters outside ASCII, because readers must cope with them.
const ANSWER: &str = "The river rises in the hills and turns north at the old stone bridge. \
    In spring the water is high, and the ferry at Zürich waits until noon. \
    A small café near the landing sells bread, honey and black tea. \
    Most visitors walk the lower path, which is dry and easy to follow. \
    The upper path is longer but opens to a wide view over the valley. \
    Farmers cut the first hay in June and the second late in August. \
    After rain the clay holds the water, so the fields stay green for weeks. \
    The mill was rebuilt twice; its wheel still turns on market days. \
    On clear evenings the far peaks look blue, then grey, then black. \
    Nobody here hurries, and the clock on the tower is seven minutes slow.";

/// Cycled through for reasoning.
const REASONING: &str = "First look at what is asked, then at what is known. \
    The numbers agree, so the simple way should do. \
    One case remains open and needs a closer look. \
    It holds there too, which settles the question.";

/// The first `n` pieces of the answer: words, or runs of exactly `chars` characters.
pub(crate) fn answer(n: u32, chars: Option<u32>) -> Vec<String> {
    pieces(ANSWER, n, chars)
}

/// The first `n` pieces of the reasoning.
pub(crate) fn reasoning(n: u32, chars: Option<u32>) -> Vec<String> {
    pieces(REASONING, n, chars)
}

/// A tool call's arguments, one valid JSON object in `n` pieces.
pub(crate) fn tool_arguments(n: u32) -> Vec<String> {
    let query: String = pieces(ANSWER, n.max(2), None).concat();
    let whole = serde_json::json!({ "query": query }).to_string();
    let letters: Vec<char> = whole.chars().collect();
    // Every word is at least one character, so each of the n pieces gets at least one, too.
    let n = n as usize;
    (0..n)
        .map(|i| {
            let (from, to) = (i * letters.len() / n, (i + 1) * letters.len() / n);
            letters[from..to].iter().collect()
        })
        .collect()
}

fn pieces(source: &str, n: u32, chars: Option<u32>) -> Vec<String> {
    match chars {
        None => words(source).take(n as usize).collect(),
        Some(size) => {
            let mut letters = source.chars().chain([' ']).cycle();
            (0..n)
                .map(|_| letters.by_ref().take(size as usize).collect())
                .collect()
        }
    }
}

/// Words as a tokenizer would cut them: all but the first carry the blank before them.
fn words(source: &str) -> impl Iterator<Item = String> + '_ {
    source
        .split_whitespace()
        .cycle()
        .enumerate()
        .map(|(i, word)| match i {
            0 => word.to_owned(),
            _ => format!(" {word}"),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_concatenate_to_running_text() {
        assert_eq!(answer(4, None).concat(), "The river rises in");
    }

    #[test]
    fn pieces_of_a_given_size_have_that_size() {
        let pieces = answer(500, Some(7));
        assert_eq!(pieces.len(), 500);
        assert!(pieces.iter().all(|p| p.chars().count() == 7));
    }

    #[test]
    fn tool_arguments_are_one_json_object_in_nonempty_pieces() {
        for n in [1, 2, 13, 400] {
            let pieces = tool_arguments(n);
            assert_eq!(pieces.len(), n as usize);
            assert!(pieces.iter().all(|p| !p.is_empty()));
            serde_json::from_str::<serde_json::Value>(&pieces.concat()).unwrap();
        }
    }
}
