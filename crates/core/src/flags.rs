//! What makes a number untrustworthy, and what was seen on the way. One word each.
//!
//! The rules that need more than one look are in a file each, with their thresholds named.

pub mod batching;
pub mod buffering;
pub mod coarse;
pub mod late;
pub mod throttle;

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident = $bit:literal, $word:literal;)*) => {
        /// A set of flags.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub struct Flags(u32);

        impl Flags {
            $($(#[$doc])* pub const $name: Self = Self(1 << $bit);)*

            /// Every flag with its word, in the order of the words in a record.
            pub const ALL: &'static [(Self, &'static str)] = &[$((Self::$name, $word),)*];
        }
    };
}
flags! {
    /// Nearly all time passed before the first read and the body came at once: something held it back.
    BUFFERED_SUSPECTED = 0, "buffered_suspected";
    /// All generated text came at one reading: no gap was observed.
    SINGLE_BURST = 1, "single_burst";
    /// Equal blocks at an even pace: a gateway flushes on a timer.
    PERIODIC_BATCHING = 2, "periodic_batching";
    /// The machine slept during the stream: the clocks say so, or a silence that no stream survives.
    SUSPENDED = 3, "suspended";
    /// The clock ran backwards or jumped.
    CLOCK_ANOMALY = 4, "clock_anomaly";
    /// The clock's step is large against what was measured.
    COARSE_CLOCK = 5, "coarse_clock";
    /// No wall-clock reading was given: sleep cannot be seen.
    NO_WALL_CLOCK = 6, "no_wall_clock";
    /// The page was hidden at some time of the stream.
    HIDDEN = 7, "hidden";
    /// Reads came at the pace of a throttled timer.
    READER_THROTTLED = 8, "reader_throttled";
    /// The answer started over within one stream.
    RESTARTED = 9, "restarted";
    /// The answer came as one whole, not as a stream.
    NOT_STREAMED = 10, "not_streamed";
    /// No event had a known shape.
    UNRECOGNISED_FORMAT = 11, "unrecognised_format";
    /// The answer finished without any text.
    EMPTY_ANSWER = 12, "empty_answer";
    /// Events came after the terminal marker; they do not count.
    DATA_AFTER_DONE = 13, "data_after_done";
    /// Some events were not JSON where JSON was due.
    INVALID_JSON = 14, "invalid_json";
    /// The usage contradicts itself.
    USAGE_INCONSISTENT = 15, "usage_inconsistent";
    /// An all-zero usage came beside a real one and was ignored.
    USAGE_ZERO_IGNORED = 16, "usage_zero_ignored";
    /// Bytes were left after the last whole event.
    TAIL_UNTERMINATED = 17, "tail_unterminated";
    /// Reads came back to back while the reader was busy: stamps may be late.
    READER_LATE = 18, "reader_late";
    /// A binary frame's checksum was wrong; the frame was dropped.
    BAD_CHECKSUM = 19, "bad_checksum";
    /// The body was taken as one whole: when its parts came was not seen. Set by a shell.
    BODY_UNSEEN = 20, "body_unseen";
}

impl Flags {
    /// Adds all of `other`.
    pub fn insert(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// Both sets together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether any of `other` is set.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether all of `other` is set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The words of the flags that are set.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        Self::ALL
            .iter()
            .filter(move |(flag, _)| self.contains(*flag))
            .map(|(_, word)| *word)
    }
}
