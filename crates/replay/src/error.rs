//! Why a case cannot be replayed.

/// What is wrong with a case, in words for its author.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The line is not JSON, or a field has another type.
    #[error("is no case: {0}")]
    Json(#[from] serde_json::Error),
    /// A field that is needed is not there.
    #[error("has no `{0}`")]
    Missing(&'static str),
    /// A field says something that means nothing here.
    #[error("`{field}`: {value} is no {wanted}")]
    Value {
        /// Which.
        field: &'static str,
        /// What it says.
        value: String,
        /// What is known.
        wanted: &'static str,
    },
    /// Of these, one at most.
    #[error("`text` and `bytes_base64` are both given")]
    TwoBodies,
    /// A read ends where the body does not reach, or before it begins.
    #[error("`splits`: {end} lies outside {start}..{length}")]
    Split {
        /// Where it ends.
        end: usize,
        /// Where it begins.
        start: usize,
        /// Bytes of the body.
        length: usize,
    },
    /// More clock readings than reads.
    #[error("`at_ms` has {readings} readings for {reads} reads")]
    Readings {
        /// How many readings.
        readings: usize,
        /// How many reads.
        reads: usize,
    },
    /// One of these in a step of a scenario.
    #[error("step {index} ({event:?}): {source}")]
    Step {
        /// Which, from 0.
        index: usize,
        /// What should happen.
        event: String,
        /// What is wrong.
        source: Box<CaseError>,
    },
}

impl CaseError {
    pub(crate) fn value(
        field: &'static str,
        value: impl ToString,
        wanted: &'static str,
    ) -> impl FnOnce() -> Self {
        let value = value.to_string();
        move || Self::Value {
            field,
            value,
            wanted,
        }
    }
}
