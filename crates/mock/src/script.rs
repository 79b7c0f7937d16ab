//! The script: what to send and when, as a line of comma-separated items.

use std::time::Duration;

/// What to send and when. All times count from the moment the request was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    /// When status and headers go out. `None`: at once, or with the body where the body is held back.
    pub headers: Option<Duration>,
    /// When the first generated event is due.
    pub first: Duration,
    /// From one generated event to the next.
    pub gap: Duration,
    /// Content events.
    pub n: u32,
    /// Reasoning events before the content.
    pub reasoning: u32,
    /// Tool-call events after the content.
    pub tool: u32,
    /// From the last generated event to the end of the stream. `None`: one gap.
    pub tail: Option<Duration>,
    /// After so many generated events, the next one comes so much later instead of one gap later.
    pub stalls: Vec<(u32, Duration)>,
    /// So many generated events go out in one write.
    pub burst: u32,
    /// Everything waits for the next multiple of this after the headers.
    pub flush: Option<Duration>,
    /// Nothing goes out before the end of the stream.
    pub buffered: bool,
    /// Each generated event is moved by at most this, either way.
    pub jitter: Duration,
    /// Seeds the jitter.
    pub seed: u64,
    /// A keep-alive goes out at every multiple of this after the headers.
    pub keepalive: Option<Duration>,
    /// HTTP status; anything but 200 sends an error body in the dialect's shape.
    pub status: u16,
    /// `Retry-After`, in seconds.
    pub retry_after: Option<u32>,
    /// Where and how the stream breaks off.
    pub stop: Option<Stop>,
    /// Leaves the usage out.
    pub no_usage: bool,
    /// Leaves the opening event without text out, where the dialect has one.
    pub no_role: bool,
    /// Ends lines with CRLF.
    pub crlf: bool,
    /// What the answer is made of.
    pub body: Body,
    /// Characters of each piece of text. `None`: a word an event.
    pub text_chars: Option<u32>,
    /// Tokens that the usage counts for each generated event.
    pub tokens: u32,
}

/// How a stream breaks off after a number of generated events, one gap after the last of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// An error inside the stream, then a clean end of the body.
    Error(u32),
    /// The connection is reset.
    Cut(u32),
    /// A clean end of the body without a terminal event.
    Eof(u32),
}

impl Stop {
    /// After how many generated events.
    pub const fn after(self) -> u32 {
        match self {
            Self::Error(n) | Self::Cut(n) | Self::Eof(n) => n,
        }
    }
}

/// What the answer is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// A stream of events.
    Stream,
    /// A web page, as a gateway in the way sends it.
    Html,
    /// One whole JSON answer.
    Json,
    /// Nothing, until the client goes.
    Hang,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            headers: None,
            first: Duration::from_millis(100),
            gap: Duration::from_millis(20),
            n: 20,
            reasoning: 0,
            tool: 0,
            tail: None,
            stalls: Vec::new(),
            burst: 1,
            flush: None,
            buffered: false,
            jitter: Duration::ZERO,
            seed: 1,
            keepalive: None,
            status: 200,
            retry_after: None,
            stop: None,
            no_usage: false,
            no_role: false,
            crlf: false,
            body: Body::Stream,
            text_chars: None,
            tokens: 1,
        }
    }
}

impl Script {
    /// Generated events of the whole script, whether or not it breaks off before.
    pub const fn generated(&self) -> u32 {
        self.reasoning + self.n + self.tool
    }
}
