//! `buffered_suspected` and `single_burst`: the body was held back and came at once, so its inner times
//! tell about the path, not about the model.

use std::time::Duration;

/// Fewer events with text than this come at once without anybody's fault.
pub const MIN_EVENTS: u32 = 5;
/// So many cannot be generated at once: held back even where earlier bytes (a role, a keep-alive) came.
pub const MANY_EVENTS: u32 = 20;
/// The text came within this many percent of the time before it.
pub const AT_ONCE_PERCENT: u32 = 1;
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
    let whole_body = a.events >= MIN_EVENTS && at_once(a.body, a.ttfb);
    let all_text = a.events >= MANY_EVENTS && at_once(a.window, a.ttft);
    whole_body || all_text
}

fn at_once(span: Option<Duration>, wait: Option<Duration>) -> bool {
    let (Some(span), Some(wait)) = (span, wait) else {
        return false;
    };
    wait >= MIN_WAIT && span.saturating_mul(100) <= wait.saturating_mul(AT_ONCE_PERCENT)
}
