//! Failures that the stream itself tells.

use crate::measurement::ErrorClass;

/// Failures told within the stream. Two reports with no text between them are about one failure.
#[derive(Debug, Default)]
pub(crate) struct Errors {
    class: Option<ErrorClass>,
    count: u32,
    /// The latest report may still be repeated in other words.
    open: bool,
    reported: bool,
}

impl Errors {
    /// The class of the first failure, in its most telling words.
    pub(crate) fn class(&self) -> Option<ErrorClass> {
        self.class
    }

    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    pub(super) fn report(&mut self, class: ErrorClass) {
        if !self.open {
            self.count = self.count.saturating_add(1);
        }
        self.open = true;
        self.reported = true;
        // `Server` is what is said where nothing better is known.
        if matches!(self.class, None | Some(ErrorClass::Server)) {
            self.class = Some(class);
        }
    }

    pub(super) fn event_over(&mut self, generated: bool) {
        if generated && !std::mem::take(&mut self.reported) {
            self.open = false;
        }
        self.reported = false;
    }
}
