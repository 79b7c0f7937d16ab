//! What the timeline shows: every read as it came, every frame as it was shown, every silence.
//! Times are milliseconds since the request was sent.

use streamlag_core::EventKinds;

/// What a read brought. Where it brought several things, the one that matters most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Answer text.
    Content,
    /// Reasoning text.
    Reasoning,
    /// A tool call.
    Tool,
    /// An error.
    Error,
    /// Role, usage, end, keep-alive or anything else without text.
    Other,
}

impl Kind {
    /// The kind of a read from the kinds of its events.
    pub fn of(kinds: EventKinds) -> Self {
        [
            (EventKinds::ERROR, Self::Error),
            (EventKinds::CONTENT, Self::Content),
            (EventKinds::TOOL, Self::Tool),
            (EventKinds::REASONING, Self::Reasoning),
        ]
        .into_iter()
        .find(|(set, _)| kinds.contains(*set))
        .map_or(Self::Other, |(_, kind)| kind)
    }

    /// Whether it is generated text.
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Content | Self::Reasoning | Self::Tool)
    }
}

/// One read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Read {
    /// When it returned.
    pub at: f64,
    /// Its bytes.
    pub bytes: u32,
    /// What it brought.
    pub kind: Kind,
}

/// A span of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// Its start.
    pub from: f64,
    /// Its end.
    pub to: f64,
}

impl Span {
    /// Its length.
    pub fn length(self) -> f64 {
        self.to - self.from
    }
}

/// Gaps longer than this read choppily.
pub const CHOPPY_MS: f64 = 200.0;
/// Gaps longer than this are felt as stuck.
pub const STALL_MS: f64 = 500.0;
/// Reads and frames kept one by one; an endless stream must not grow the page.
const MOST: usize = 20_000;

/// Everything to draw.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Timeline {
    /// Headers came.
    pub headers: Option<f64>,
    /// The first body byte came.
    pub first_byte: Option<f64>,
    /// The first generated text came.
    pub first_text: Option<f64>,
    /// Every read.
    pub reads: Vec<Read>,
    /// Frames with new text: earliest and latest bound.
    pub frames: Vec<Span>,
    /// Silences between texts longer than [`CHOPPY_MS`].
    pub gaps: Vec<Span>,
    /// The longest silence between two texts with different stamps.
    pub longest_gap: Option<f64>,
    /// Times in which the page's main thread was blocked.
    pub blocked: Vec<Span>,
    /// The end of the body.
    pub ended: Option<f64>,
    last_text: Option<f64>,
    /// Texts so far: reads with generated text.
    pub texts: u32,
}

impl Timeline {
    /// A read returned.
    pub fn read(&mut self, at: f64, bytes: u32, kinds: EventKinds) {
        let kind = Kind::of(kinds);
        self.first_byte.get_or_insert(at);
        if kind.is_text() {
            self.text(at);
        }
        if self.reads.len() < MOST {
            self.reads.push(Read { at, bytes, kind });
        }
    }

    /// A frame showed new text.
    pub fn frame(&mut self, from: f64, to: f64) {
        if self.frames.len() < MOST {
            self.frames.push(Span { from, to });
        }
    }

    /// The main thread was busy. Reports of one busy time overlap (a long task within a long frame): joined.
    pub fn block(&mut self, new: Span) {
        let touches = |old: &Span| old.from <= new.to && new.from <= old.to;
        let (touching, mut apart): (Vec<Span>, Vec<Span>) =
            self.blocked.iter().partition(|old| touches(old));
        let joined = touching.into_iter().fold(new, |all, old| Span {
            from: all.from.min(old.from),
            to: all.to.max(old.to),
        });
        if apart.len() < MOST {
            apart.push(joined);
        }
        self.blocked = apart;
    }

    /// The latest moment with anything to show.
    pub fn extent(&self) -> f64 {
        let last_read = self.reads.last().map(|read| read.at);
        let last_frame = self.frames.last().map(|frame| frame.to);
        [self.headers, last_read, last_frame, self.ended]
            .into_iter()
            .flatten()
            .fold(0.0, f64::max)
    }

    /// The timeline in words, for those who do not see it.
    pub fn summary(&self) -> String {
        use super::format::{counted, duration};
        let Some(first) = self.first_byte else {
            return "No byte of the answer has come.".to_owned();
        };
        let reads = counted(self.reads.len() as u64, "read");
        let last = self.reads.last().map_or(first, |read| read.at);
        let gap = self.longest_gap.map_or_else(String::new, |gap| {
            format!(", longest gap {}", duration(gap, None))
        });
        let frames = counted(self.frames.len() as u64, "frame");
        format!(
            "{reads} between {} and {} after sending{gap}; {frames} with new text.",
            duration(first, None),
            duration(last, None)
        )
    }

    fn text(&mut self, at: f64) {
        self.first_text.get_or_insert(at);
        self.texts += 1;
        if let Some(from) = self.last_text.filter(|from| at > *from) {
            let gap = at - from;
            self.longest_gap = Some(self.longest_gap.map_or(gap, |longest| longest.max(gap)));
            if gap > CHOPPY_MS && self.gaps.len() < MOST {
                self.gaps.push(Span { from, to: at });
            }
        }
        self.last_text = Some(at);
    }
}

/// The time that the whole width stands for: steps, so that the drawing rests between them.
pub fn scale(extent: f64) -> f64 {
    const STEPS: [f64; 9] = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0];
    let needed = extent.max(1.0) * 1.02;
    let power = 10_f64.powf(needed.log10().floor());
    let fits = |step: &&f64| **step * power >= needed;
    STEPS
        .iter()
        .find(fits)
        .map_or(power * 10.0, |step| step * power)
}

/// Round tick positions: as many as fit at least `least_px` apart.
pub fn ticks(scale: f64, width_px: f64, least_px: f64) -> Vec<f64> {
    let most = (width_px / least_px).max(1.0);
    let rough = scale / most;
    let power = 10_f64.powf(rough.max(1e-9).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|n| n * power)
        .find(|step| *step >= rough)
        .unwrap_or(power * 10.0);
    let count = (scale / step + 1e-9).floor() as usize;
    (0..=count).map(|n| n as f64 * step).collect()
}

/// A tick's label: one unit along the whole axis.
pub fn tick_label(at: f64, scale: f64) -> String {
    use super::format::plain;
    match scale >= 2_000.0 {
        _ if at <= 0.0 => "0".to_owned(),
        true => format!("{}\u{202f}s", plain(at / 1e3, 2)),
        false => format!("{}\u{202f}ms", plain(at, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silences_are_between_texts_and_other_reads_do_not_break_them() {
        let mut t = Timeline::default();
        t.read(100.0, 10, EventKinds::EMPTY);
        t.read(300.0, 10, EventKinds::CONTENT);
        t.read(500.0, 2, EventKinds::KEEPALIVE);
        t.read(900.0, 10, EventKinds::REASONING);
        t.read(1000.0, 10, EventKinds::CONTENT);
        assert_eq!((t.first_byte, t.first_text), (Some(100.0), Some(300.0)));
        assert_eq!(
            t.gaps,
            [Span {
                from: 300.0,
                to: 900.0
            }]
        );
        assert_eq!((t.longest_gap, t.texts), (Some(600.0), 3));
    }

    #[test]
    fn overlapping_reports_of_a_busy_page_are_one_span() {
        let mut t = Timeline::default();
        let span = |from, to| Span { from, to };
        t.block(span(10.0, 60.0));
        t.block(span(100.0, 160.0));
        t.block(span(5.0, 70.0));
        assert_eq!(t.blocked, [span(100.0, 160.0), span(5.0, 70.0)]);
        t.block(span(65.0, 110.0));
        assert_eq!(t.blocked, [span(5.0, 160.0)]);
    }

    #[test]
    fn texts_of_one_stamp_make_no_gap() {
        let mut t = Timeline::default();
        t.read(300.0, 10, EventKinds::CONTENT);
        t.read(300.0, 10, EventKinds::CONTENT);
        assert_eq!(t.longest_gap, None);
    }

    #[test]
    fn a_read_is_coloured_by_what_matters_most_in_it() {
        let both = EventKinds::USAGE.with(EventKinds::CONTENT);
        assert_eq!(Kind::of(both), Kind::Content);
        assert_eq!(Kind::of(both.with(EventKinds::ERROR)), Kind::Error);
        assert_eq!(
            Kind::of(EventKinds::USAGE.with(EventKinds::END)),
            Kind::Other
        );
    }

    #[test]
    fn an_endless_stream_does_not_grow_without_bound() {
        let mut t = Timeline::default();
        for n in 0..MOST + 10 {
            t.read(n as f64, 1, EventKinds::CONTENT);
            t.frame(n as f64, n as f64);
        }
        assert_eq!((t.reads.len(), t.frames.len()), (MOST, MOST));
        assert_eq!(t.texts as usize, MOST + 10);
    }

    #[test]
    fn the_scale_always_holds_what_is_shown_and_changes_rarely() {
        let mut distinct = std::collections::BTreeSet::new();
        for extent in 1..30_000 {
            let scale = scale(f64::from(extent));
            assert!(scale >= f64::from(extent));
            assert!(
                scale <= f64::from(extent).max(1.0) * 1.6,
                "{extent} {scale}"
            );
            distinct.insert(scale.to_bits());
        }
        assert!(distinct.len() < 48);
    }

    #[test]
    fn ticks_are_round_and_far_enough_apart() {
        for (scale, width) in [
            (3_000.0, 300.0),
            (1_500.0, 1000.0),
            (10.0, 200.0),
            (75_000.0, 600.0),
        ] {
            let ticks = ticks(scale, width, 60.0);
            assert!(ticks.len() >= 2, "{scale}");
            let px = (ticks[1] - ticks[0]) / scale * width;
            assert!((60.0..=160.0).contains(&px), "{scale} {width}: {px}");
            assert!(ticks.iter().all(|tick| *tick <= scale));
        }
        assert_eq!(tick_label(500.0, 3_000.0), "0.5\u{202f}s");
        assert_eq!(tick_label(500.0, 1_500.0), "500\u{202f}ms");
    }

    #[test]
    fn the_summary_says_what_the_picture_shows() {
        let mut t = Timeline::default();
        assert_eq!(t.summary(), "No byte of the answer has come.");
        t.read(300.0, 10, EventKinds::CONTENT);
        t.read(341.0, 10, EventKinds::CONTENT);
        let words = t.summary().replace(['\u{202f}', '\u{a0}'], " ");
        assert_eq!(
            words,
            "2 reads between 300 ms and 341 ms after sending, longest gap 41.0 ms; 0 frames with new text."
        );
    }
}
