//! What the page asks for and what it holds in its hand meanwhile.

use std::rc::Rc;

use streamlag_core::{AbortBy, Mono, Stamp};
use streamlag_wire::Target;
use web_sys::Element;

use crate::frames::Written;
use crate::limits::Limits;
use crate::live::Live;

/// A request to send and measure.
#[derive(Debug, Clone)]
pub struct Ask {
    /// Where to: the page's own relay, or any URL that allows the page's origin.
    pub url: String,
    /// Headers. `x-request-id` (the record's id) and `traceparent` are added.
    pub headers: Vec<(String, String)>,
    /// The body of the `POST`.
    pub body: String,
    /// What the record says was measured.
    pub target: Target,
    /// The target's dialect, where known.
    pub dialect: Option<String>,
    /// When the user acted.
    pub intent: Option<Stamp<Mono>>,
    /// When to give up.
    pub limits: Limits,
    /// A name for the prompt, never its text.
    pub prompt_id: Option<String>,
    /// Characters of the prompt.
    pub prompt_chars: Option<u32>,
    /// The page shows the text and says when ([`Stream::committed`] or [`Stream::observe`]): the record
    /// then waits for the last frame.
    pub is_shown: bool,
}

/// A stream under way. Dropping the handle does not end it.
#[derive(Clone)]
pub struct Stream(Rc<Live>);

impl Stream {
    pub(crate) const fn new(live: Rc<Live>) -> Self {
        Self(live)
    }

    /// The id of the record to come.
    pub fn id(&self) -> &str {
        self.0.id()
    }

    /// The user pressed Stop.
    pub fn stop(&self) {
        self.0.abort(AbortBy::User);
    }

    /// The text of all reads through this one is in the DOM.
    pub fn committed(&self, through_read: u32, written: Written) {
        if let Some(painter) = self.0.painter() {
            painter.committed(through_read, written);
        }
    }

    /// Takes every change below `element` as: all text delivered so far is in the DOM.
    pub fn observe(&self, element: &Element) {
        if let Some(painter) = self.0.painter() {
            painter.observe(element);
        }
    }
}
