//! Everything a shell can tell a probe. Each input comes with one reading of the shell's clock.

use std::time::Duration;

use crate::clock::{Mono, Stamp, Wall};

/// One thing that happened, told to [`Probe::handle`](crate::probe::Probe::handle) with its stamp.
#[derive(Debug, Clone, Copy)]
pub enum Input<'a> {
    /// The user acted, or the schedule said so. At most once; without it, wait is not observed.
    Intent,
    /// The request was handed to the network. A second one starts another attempt.
    Send,
    /// Status and headers arrived.
    Headers(Head<'a>),
    /// A body read returned these bytes. The stamp is taken at read return, before anything else.
    Bytes(&'a [u8]),
    /// Parsing (and delivering) the latest `Bytes` was done. Shells that parse later don't send it.
    Parsed,
    /// The body ended cleanly.
    Eof,
    /// The request or its body failed.
    Failed(Failure),
    /// Somebody ended the request on purpose.
    Aborted(AbortBy),
    /// The page's visibility, at start and at every change. Shells without a page don't send it.
    Visibility(Visibility),
    /// A wall-clock reading taken beside this stamp: shows sleep and jumps.
    WallClock(Stamp<Wall>),
    /// All text delivered by reads up to and including number `through_read` (from 0) is in the DOM.
    Committed {
        /// Index of the last read whose text is shown. Reads are counted from 0 in every attempt, empty
        /// ones left out.
        through_read: u32,
    },
    /// A frame was produced: the stamp is its earliest bound (its animation-frame callback), `latest`
    /// the first task after it.
    Painted {
        /// Latest bound of the frame's submission.
        latest: Stamp<Mono>,
    },
    /// The main thread was blocked from the stamp until `until` (long task or long frame).
    MainThreadBlocked {
        /// End of the block.
        until: Stamp<Mono>,
    },
    /// The measuring itself cost this much since the last such input.
    OwnCost(Duration),
}

/// Response status and headers.
#[derive(Debug, Clone, Copy)]
pub struct Head<'a> {
    /// HTTP status.
    pub status: u16,
    /// Header names in any case, and values.
    pub headers: &'a [(&'a str, &'a str)],
    /// True where the platform hides some headers (a browser across origins): a missing header is then
    /// unknown, not absent.
    pub may_hide_headers: bool,
}

/// Why a request or its body failed. Classes, never message texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The name could not be resolved.
    Dns,
    /// The connection was refused or unreachable.
    Connect,
    /// TLS could not be agreed.
    Tls,
    /// The connection broke after the request was sent.
    Reset,
    /// The platform does not say more (a browser's `TypeError`).
    Network,
    /// The measuring side itself failed; never counted against the target.
    Prober,
}

/// Who ended the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AbortBy {
    /// The user pressed Stop.
    User,
    /// The page went away.
    Page,
    /// The application or one of its libraries.
    Library,
    /// A time limit.
    Timeout(TimeoutPhase),
}

/// Which limit ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeoutPhase {
    /// No connection or headers in time.
    Connect,
    /// No first body byte in time.
    FirstByte,
    /// Silence between two reads.
    BetweenChunks,
    /// The whole request.
    Total,
}

/// Whether the page was on screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// On screen.
    Visible,
    /// In the background.
    Hidden,
    /// Frozen by the browser (page lifecycle, back-forward cache).
    Frozen,
}
