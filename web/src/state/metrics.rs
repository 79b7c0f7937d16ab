//! A record as rows of words and numbers. What was not observed is "—" with the reason.

mod measurement;
mod screen;
mod stream;
mod tokens;
mod value;

use streamlag_wire::Record;

/// A named part of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Its heading.
    pub title: &'static str,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// One number.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// In plain words.
    pub label: &'static str,
    /// Its name in records, columns and the API.
    pub word: &'static str,
    /// The number itself.
    pub value: Value,
}

/// A number, or why there is none.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Observed.
    Known {
        /// As text, with its unit.
        text: String,
        /// What else is to be known about it. May be empty.
        note: String,
    },
    /// Not observed.
    Missing {
        /// Why.
        reason: String,
    },
}

/// The whole table of one record.
pub fn sections(record: &Record) -> Vec<Section> {
    vec![
        Section {
            title: "Until the first word",
            rows: stream::waiting(record),
        },
        Section {
            title: "While it streamed",
            rows: stream::streaming(record),
        },
        Section {
            title: "Tokens",
            rows: tokens::tokens(record),
        },
        Section {
            title: "On this screen",
            rows: screen::screen(record),
        },
        Section {
            title: "The measurement itself",
            rows: measurement::measurement(record),
        },
    ]
}

/// A flag in words.
pub fn flag_words(flag: &str) -> &str {
    match flag {
        "buffered_suspected" => "everything came late and at once: something held it back",
        "single_burst" => "all text came at one reading: no gap was observed",
        "periodic_batching" => "equal blocks at an even pace: a gateway flushes on a timer",
        "suspended" => "the machine slept during the stream",
        "clock_anomaly" => "the clock jumped or ran backwards",
        "coarse_clock" => "the clock's step is large against what was measured",
        "no_wall_clock" => "no calendar clock was read: sleep would not show",
        "hidden" => "the page was hidden for a while",
        "reader_throttled" => "reads came at the pace of a throttled timer",
        "restarted" => "the answer started over",
        "not_streamed" => "the answer came as one whole",
        "unrecognised_format" => "no event had a known shape",
        "empty_answer" => "the answer had no text",
        "data_after_done" => "events came after the end marker; they do not count",
        "invalid_json" => "some events were not JSON",
        "usage_inconsistent" => "the token usage contradicts itself",
        "usage_zero_ignored" => "an all-zero usage was ignored",
        "tail_unterminated" => "bytes were left after the last event",
        "bad_checksum" => "a binary frame had a wrong checksum",
        "body_unseen" => "the page took the answer as one whole: its parts were not seen",
        "reduced" => "WebAssembly was refused: only the arrival of bytes was seen",
        "reader_late" => "reads were late: the page was busy",
        other => other,
    }
}

#[cfg(test)]
pub(crate) fn example() -> Record {
    serde_json::from_str(include_str!("metrics/example.json")).unwrap()
}

#[cfg(test)]
mod tests;
