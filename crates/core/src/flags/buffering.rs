//! `buffered_suspected` and `single_burst`: the body was held back and came at once, so its inner times
//! tell about the path, not about the model.

use std::time::Duration;

/// Fewer events with text than this come at once without anybody's fault.
pub const MIN_EVENTS: u32 = 5;
/// So many are needed where earlier bytes (a role, a keep-alive) came in time.
pub const MANY_EVENTS: u32 = 8;
/// The text came within this many percent of the time before it.
pub const AT_ONCE_PERCENT: u32 = 1;
/// And faster, on average, than any model writes. (A short answer after long hidden reasoning also takes
/// a small share of the time.)
pub const FASTEST_GAP: Duration = Duration::from_millis(1);
/// A wait shorter than this hides nothing worth a flag.
pub const MIN_WAIT: Duration = Duration::from_millis(500);

/// What the rules look at.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Arrivals {
    /// Events with generated text.
    pub(crate) events: u32,
    /// First → last generated text; zero: one reading.
    pub(crate) window: Option<Duration>,
    /// First → last body byte.
    pub(crate) body: Option<Duration>,
    /// Send → first body byte.
    pub(crate) ttfb: Option<Duration>,
    /// Send → first generated text.
    pub(crate) ttft: Option<Duration>,
}

/// All generated text came at one reading.
pub(crate) fn single_burst(a: Arrivals) -> bool {
    a.events >= 2 && a.window.is_some_and(|window| window.is_zero())
}

/// Nearly all time passed before the first byte and then the whole body came at once, or more text came
/// at once than can be generated at once.
pub(crate) fn buffered(a: Arrivals) -> bool {
    let gaps = a.events.saturating_sub(1);
    let too_fast = a
        .window
        .is_some_and(|window| window <= FASTEST_GAP.saturating_mul(gaps));
    let whole_body = a.events >= MIN_EVENTS && at_once(a.body, a.ttfb);
    let all_text = a.events >= MANY_EVENTS && at_once(a.window, a.ttft);
    too_fast && (whole_body || all_text)
}

fn at_once(span: Option<Duration>, wait: Option<Duration>) -> bool {
    let (Some(span), Some(wait)) = (span, wait) else {
        return false;
    };
    wait >= MIN_WAIT && span.saturating_mul(100) <= wait.saturating_mul(AT_ONCE_PERCENT)
}
