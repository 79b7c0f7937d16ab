//! What all of them have to find out.

/// What a reader tells of some streams: every event is parsed, and its text handed out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Events, comments not among them.
    pub(crate) events: u64,
    /// Bytes of answer text.
    pub(crate) text_bytes: u64,
    /// The text itself, where it is kept to be compared.
    pub(crate) text: Option<String>,
}

impl Seen {
    /// One that keeps the text.
    pub(crate) fn keeping() -> Self {
        Self {
            text: Some(String::new()),
            ..Self::default()
        }
    }

    /// Takes a piece of answer text.
    pub(crate) fn say(&mut self, piece: &str) {
        self.text_bytes += piece.len() as u64;
        if let Some(text) = &mut self.text {
            text.push_str(piece);
        }
    }
}
