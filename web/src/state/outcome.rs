//! How a request ended, as a sentence and what to do about it.

mod failure;

use streamlag_wire::Record;

use super::format::{counted, duration};

/// The colour of the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// As it should be.
    Good,
    /// It ended well, or on purpose, but something is to be known.
    Notice,
    /// It failed.
    Bad,
}

impl Tone {
    /// The word in the page's classes.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Notice => "notice",
            Self::Bad => "bad",
        }
    }
}

/// What a reader wants to know first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// Its colour.
    pub tone: Tone,
    /// What happened.
    pub headline: String,
    /// What to do. Empty: nothing.
    pub advice: String,
}

/// What the page knows about the target beside the record.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked<'a> {
    /// Its label.
    pub label: &'a str,
    /// Its host and port.
    pub host: Option<&'a str>,
    /// The environment variable of its key.
    pub key: Option<&'a str>,
    /// That variable is not set.
    pub is_key_missing: bool,
}

/// The record in a sentence.
pub fn explain(record: &Record, asked: Asked<'_>) -> Explanation {
    let (headline, advice) = match (record.outcome.as_str(), record.error_class.as_deref()) {
        ("ok", _) => return ended_well(record),
        ("aborted", _) => return stopped(record),
        ("timeout", _) | (_, Some("timeout")) => failure::ran_out(record, asked),
        ("truncated", _) | (_, Some("truncated")) => failure::cut(record),
        (_, Some(class)) => failure::failed(class, record, asked),
        (_, None) => (
            "The request failed, and nothing says why.".to_owned(),
            "Ask again; if it stays so, look into the target's own log.".to_owned(),
        ),
    };
    Explanation {
        tone: Tone::Bad,
        headline,
        advice,
    }
}

fn has(record: &Record, flag: &str) -> bool {
    record.flags.iter().any(|f| f == flag)
}

fn ended_well(record: &Record) -> Explanation {
    let step = record.clock.step_ms;
    let notice = NOTICES.iter().find(|(flag, ..)| has(record, flag));
    if let Some((_, headline, advice)) = notice {
        return Explanation {
            tone: Tone::Notice,
            headline: (*headline).to_owned(),
            advice: (*advice).to_owned(),
        };
    }
    let headline = match (record.timing.ttft_ms, record.timing.total_ms) {
        (Some(ttft), Some(total)) => format!(
            "Complete. First text after {}, last after {}.",
            duration(ttft, step),
            duration(total, step)
        ),
        _ => "Complete, but without any text.".to_owned(),
    };
    let stalls = u64::from(record.gaps.stalls);
    let advice = match (stalls, longest_gap(record)) {
        (1.., Some(longest)) => format!(
            "{} over 500\u{202f}ms on the way, the longest {}: readers feel this as stuck.",
            counted(stalls, "gap"),
            duration(longest, step)
        ),
        _ => String::new(),
    };
    let tone = if stalls > 0 { Tone::Notice } else { Tone::Good };
    Explanation {
        tone,
        headline,
        advice,
    }
}

/// Flags that matter more than the numbers, most important first: flag, headline, advice.
const NOTICES: [(&str, &str, &str); 8] = [
    (
        "not_streamed",
        "The target answered with one JSON object instead of a stream.",
        "Check that the request asks for a stream and that no gateway on the way collects the answer first.",
    ),
    (
        "unrecognised_format",
        "The answer came, but in no format that is known here.",
        "Check the target's dialect in streamlag.toml (openai, anthropic or ollama).",
    ),
    (
        "empty_answer",
        "The answer ended properly, without any text.",
        "Try another prompt, or raise max_tokens: some models spend all tokens on reasoning.",
    ),
    (
        "suspended",
        "Complete, but the machine slept meanwhile: the times are not to be trusted.",
        "Ask again.",
    ),
    (
        "hidden",
        "Complete, but this page was hidden for a while: browsers slow hidden pages down.",
        "Ask again and keep the page in view.",
    ),
    (
        "buffered_suspected",
        "Complete, but everything came at once at the end: something on the way held the stream back.",
        "Look for buffering or compression in proxies and gateways (nginx: proxy_buffering off).",
    ),
    (
        "single_burst",
        "Complete, but all text came in one burst: nothing streamed.",
        "Look for buffering between the model and here; short answers may also fit into one chunk.",
    ),
    (
        "periodic_batching",
        "Complete, but the text came in even blocks: a gateway flushes on a timer.",
        "Shorten the gateway's flush interval, or let it flush after each event.",
    ),
];

fn stopped(record: &Record) -> Explanation {
    let step = record.clock.step_ms;
    let after = last_seen(record).map_or_else(String::new, |ms| {
        format!(", last text {} after sending", duration(ms, step))
    });
    let chars = record.counts.answer_chars + record.counts.reasoning_chars;
    let headline = match chars {
        0 => "You stopped it before any text came.".to_owned(),
        _ => format!(
            "You stopped it after {}{after}.",
            counted(chars, "character")
        ),
    };
    Explanation {
        tone: Tone::Notice,
        headline,
        advice: "It is recorded as aborted, which is neither a success nor an error.".to_owned(),
    }
}

/// The longest gap between texts.
pub fn longest_gap(record: &Record) -> Option<f64> {
    record.gaps.longest.first().map(|gap| gap.gap_ms)
}

fn last_seen(record: &Record) -> Option<f64> {
    record.timing.total_ms
}

#[cfg(test)]
mod tests;
