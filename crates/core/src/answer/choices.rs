//! Several answers to one request, side by side in one stream.

/// Parallel answers, the first 64 told apart.
#[derive(Debug, Default)]
pub(super) struct Choices {
    seen: u64,
    finished: u64,
}

impl Choices {
    pub(super) fn seen(&mut self, choice: u32) {
        self.seen |= Self::bit(choice);
    }

    pub(super) fn finished(&mut self, choice: u32) {
        self.seen(choice);
        self.finished |= Self::bit(choice);
    }

    pub(super) fn all_finished(&self) -> bool {
        self.seen != 0 && self.seen == self.finished
    }

    pub(super) fn count(&self) -> u32 {
        self.seen.count_ones()
    }

    fn bit(choice: u32) -> u64 {
        1 << choice.min(63)
    }
}
