//! What the prober needs of its platform, and nothing more: a clock, a timer and one HTTP call.
//!
//! The worker implements it with the platform's own functions; tests implement it with a clock that
//! stands still between I/O, as production's does and local `workerd`'s does not.

use std::future::Future;

use streamlag_core::Failure;

/// One request to a target, ready to send with `POST`.
#[derive(Clone, PartialEq, Eq)]
pub struct Ask {
    /// The exact URL; redirects from it are not followed.
    pub url: String,
    /// Header names (lower case) and values, the key among them.
    pub headers: Vec<(String, String)>,
    /// The body's text.
    pub body: String,
}

/// Status and headers of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Head {
    /// HTTP status.
    pub status: u16,
    /// Header names and values as they came.
    pub headers: Vec<(String, String)>,
}

/// A platform that can ask a target.
pub trait Host {
    /// A prepared call.
    type Call: Call;

    /// Whole milliseconds since 1970 UTC by the platform's clock. It may stand still between I/O.
    fn now_ms(&self) -> i64;

    /// Resolves after about this many milliseconds.
    fn sleep(&self, ms: u32) -> impl Future<Output = ()>;

    /// Builds all that can be built before the send, so that nothing of it is measured.
    /// The error says in words what the platform refused, without the URL's or a header's value.
    fn prepare(&self, ask: &Ask) -> Result<Self::Call, String>;
}

/// One HTTP call and its body. Dropping it gives the request up.
pub trait Call {
    /// Hands the request to the network; resolves with status and headers.
    fn send(&mut self) -> impl Future<Output = Result<Head, Failure>>;

    /// The bytes of one read; `None`: the body ended cleanly.
    fn read(&mut self) -> impl Future<Output = Result<Option<Vec<u8>>, Failure>>;

    /// Ends the request, wherever it is.
    fn abort(&mut self);
}
