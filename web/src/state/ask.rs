//! One question from click to record, as the page sees it.

use super::format::duration;
use super::timeline::Timeline;

/// How far the question has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Phase {
    /// Nothing was asked yet.
    #[default]
    Idle,
    /// Sent; no text yet.
    Waiting,
    /// Text comes.
    Streaming,
    /// The stream is over; the record is being made.
    Closing,
    /// The record is made.
    Done,
}

impl Phase {
    /// Whether Ask would start a second question.
    pub const fn is_busy(self) -> bool {
        matches!(self, Self::Waiting | Self::Streaming | Self::Closing)
    }
}

/// The phase that the timeline shows.
pub fn phase(timeline: &Timeline) -> Phase {
    match (timeline.ended, timeline.first_text) {
        (Some(_), _) => Phase::Closing,
        (None, Some(_)) => Phase::Streaming,
        (None, None) => Phase::Waiting,
    }
}

/// One short sentence for people who listen instead of look. It changes with the phase, not with each chunk.
pub fn status(phase: Phase, timeline: &Timeline, label: &str) -> String {
    let first = timeline.first_text.map(|at| duration(at, None));
    match (phase, first) {
        (Phase::Idle, _) => "Choose a target and press Ask.".to_owned(),
        (Phase::Waiting, _) => format!("Asked {label}. Waiting for the first word."),
        (Phase::Streaming, Some(first)) => {
            format!("First word after {first}. The answer is coming in.")
        }
        (Phase::Streaming, None) => "The answer is coming in.".to_owned(),
        (Phase::Closing | Phase::Done, _) => "The stream is over.".to_owned(),
    }
}

/// The few numbers that are followed while the stream runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Headline {
    /// Send → first byte.
    pub ttfb: Option<String>,
    /// Send → first generated text.
    pub ttft: Option<String>,
    /// The longest gap so far.
    pub longest_gap: Option<String>,
    /// Send → last generated text so far.
    pub total: Option<String>,
}

/// The headline of a running stream.
pub fn headline(timeline: &Timeline) -> Headline {
    let text = |ms: Option<f64>| ms.map(|ms| duration(ms, None));
    let last_text = timeline.reads.iter().rev().find(|read| read.kind.is_text());
    Headline {
        ttfb: text(timeline.first_byte),
        ttft: text(timeline.first_text),
        longest_gap: text(timeline.longest_gap),
        total: text(last_text.map(|read| read.at)),
    }
}

/// What became of the record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Posting {
    /// On its way.
    #[default]
    Sending,
    /// Stored.
    Posted,
    /// Refused, with the collector's reason.
    Refused(String),
    /// The collector did not take it; tried again in so many seconds.
    Waiting(u32),
}

impl Posting {
    /// In words.
    pub fn words(&self) -> String {
        match self {
            Self::Sending => "Sending the record to the collector …".to_owned(),
            Self::Posted => "The record is stored.".to_owned(),
            Self::Refused(reason) => format!("The collector refused the record: {reason}."),
            Self::Waiting(seconds) => format!(
                "The collector cannot be reached. The record waits here and is sent again in {seconds}\u{202f}s; keep this page open."
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use streamlag_core::EventKinds;

    #[test]
    fn the_phase_follows_the_stream() {
        let mut timeline = Timeline::default();
        assert_eq!(phase(&timeline), Phase::Waiting);
        timeline.read(20.0, 9, EventKinds::EMPTY);
        assert_eq!(phase(&timeline), Phase::Waiting, "a role is no text");
        timeline.read(301.0, 9, EventKinds::CONTENT);
        assert_eq!(phase(&timeline), Phase::Streaming);
        timeline.ended = Some(400.0);
        assert_eq!(phase(&timeline), Phase::Closing);
        assert!(Phase::Closing.is_busy() && !Phase::Done.is_busy());
    }

    #[test]
    fn the_status_is_read_out_once_a_phase() {
        let mut timeline = Timeline::default();
        timeline.read(301.0, 9, EventKinds::CONTENT);
        let first = status(Phase::Streaming, &timeline, "x");
        timeline.read(350.0, 9, EventKinds::CONTENT);
        assert_eq!(first, status(Phase::Streaming, &timeline, "x"));
        assert!(first.contains("First word after 301"));
    }

    #[test]
    fn the_running_total_is_the_last_text_and_not_the_last_read() {
        let mut timeline = Timeline::default();
        timeline.read(301.0, 9, EventKinds::CONTENT);
        timeline.read(900.0, 2, EventKinds::KEEPALIVE);
        let shown = headline(&timeline);
        assert_eq!(shown.total.as_deref(), Some("301\u{202f}ms"));
        assert_eq!(shown.longest_gap, None);
    }

    #[test]
    fn a_record_that_waits_says_what_to_do() {
        assert!(Posting::Waiting(4).words().contains("keep this page open"));
    }
}
