//! Which frame shows which text, as far as a page can know. Pure; `paint.rs` holds the callbacks.
//!
//! A frame's callback runs *before* style and layout, and a message posted from it arrives after the
//! frame: the paint lies between the two. Text written into the DOM between them may belong to this frame
//! or to the next one. Where the page does not say which, its bounds are widened instead of guessed.

use streamlag_core::{Input, Mono, Stamp};

/// One stamp with what the probe is told of it.
pub(crate) type Told = (Stamp<Mono>, Input<'static>);

/// When text was written into the DOM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// Within an animation-frame callback: the frame that is being made shows it.
    InFrame,
    /// At any other time.
    Anytime,
}

/// What the shell has to ask the browser for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Asks {
    /// An animation frame, after which [`Frames::frame`] is called.
    pub(crate) frame: bool,
    /// A task after the present frame, in which [`Frames::after`] is called.
    pub(crate) task: bool,
}

/// Between the DOM and the screen.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    frame_asked: bool,
    /// Earliest bound of the frame whose task is awaited.
    open: Option<Stamp<Mono>>,
    /// Written while a frame was open: first such stamp, and through which read.
    late: Option<(Stamp<Mono>, u32)>,
    /// Earliest bound of the next frame, where late text goes with it.
    earliest: Option<Stamp<Mono>>,
}

impl Frames {
    /// Text through this read is in the DOM since `at`.
    pub(crate) fn committed(
        &mut self,
        at: Stamp<Mono>,
        through_read: u32,
        written: Written,
        told: &mut Vec<Told>,
    ) -> Asks {
        let open = self.open.is_some();
        if open && written == Written::Anytime {
            let first = self.late.map_or(at, |(first, _)| first);
            self.late = Some((first, through_read));
            return Asks::default();
        }
        told.push((at, Input::Committed { through_read }));
        match written {
            Written::InFrame => self.open(at),
            Written::Anytime => self.ask_frame(),
        }
    }

    /// An animation-frame callback runs.
    pub(crate) fn frame(&mut self, at: Stamp<Mono>) -> Asks {
        self.frame_asked = false;
        self.open(at)
    }

    /// The task after a frame runs.
    pub(crate) fn after(&mut self, latest: Stamp<Mono>, told: &mut Vec<Told>) -> Asks {
        if let Some(earliest) = self.open.take() {
            told.push((earliest, Input::Painted { latest }));
        }
        let Some((at, through_read)) = self.late.take() else {
            return Asks::default();
        };
        told.push((at, Input::Committed { through_read }));
        self.earliest = Some(at);
        self.ask_frame()
    }

    /// Whether all that was committed was also painted.
    pub(crate) fn is_idle(&self) -> bool {
        !self.frame_asked && self.open.is_none() && self.late.is_none()
    }

    fn open(&mut self, at: Stamp<Mono>) -> Asks {
        let task = self.open.is_none();
        if task {
            self.open = Some(self.earliest.take().unwrap_or(at));
        }
        Asks { frame: false, task }
    }

    fn ask_frame(&mut self) -> Asks {
        let frame = !self.frame_asked;
        self.frame_asked = true;
        Asks { frame, task: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: i64) -> Stamp<Mono> {
        Stamp::from_ns(ms * 1_000_000)
    }

    /// What was told, in short: `c<through>@<at>` and `p@<earliest>..<latest>`.
    fn words(told: &[Told]) -> Vec<String> {
        let word = |(at, input): &Told| match input {
            Input::Committed { through_read } => format!("c{through_read}@{}", at.ms()),
            Input::Painted { latest } => format!("p@{}..{}", at.ms(), latest.ms()),
            other => panic!("{other:?}"),
        };
        told.iter().map(word).collect()
    }

    const FRAME: Asks = Asks {
        frame: true,
        task: false,
    };
    const TASK: Asks = Asks {
        frame: false,
        task: true,
    };
    const NOTHING: Asks = Asks {
        frame: false,
        task: false,
    };

    #[test]
    fn text_written_before_a_frame_is_painted_by_it_and_asks_for_one_frame_only() {
        let (mut f, mut told) = (Frames::default(), Vec::new());
        assert_eq!(f.committed(ms(1), 0, Written::Anytime, &mut told), FRAME);
        assert_eq!(f.committed(ms(2), 1, Written::Anytime, &mut told), NOTHING);
        assert_eq!(f.frame(ms(16)), TASK);
        assert_eq!(f.after(ms(18), &mut told), NOTHING);
        assert_eq!(words(&told), ["c0@1", "c1@2", "p@16..18"]);
        assert!(f.is_idle());
    }

    #[test]
    fn text_written_within_a_frame_is_painted_by_that_frame() {
        let (mut f, mut told) = (Frames::default(), Vec::new());
        assert_eq!(f.committed(ms(16), 3, Written::InFrame, &mut told), TASK);
        assert_eq!(f.after(ms(18), &mut told), NOTHING);
        assert_eq!(words(&told), ["c3@16", "p@16..18"]);
    }

    #[test]
    fn text_written_between_a_frame_and_its_task_gets_bounds_that_hold_for_both_frames() {
        let (mut f, mut told) = (Frames::default(), Vec::new());
        f.committed(ms(1), 0, Written::Anytime, &mut told);
        f.frame(ms(16));
        assert_eq!(f.committed(ms(17), 1, Written::Anytime, &mut told), NOTHING);
        assert_eq!(f.committed(ms(18), 2, Written::Anytime, &mut told), NOTHING);
        assert!(!f.is_idle());
        assert_eq!(f.after(ms(19), &mut told), FRAME);
        assert_eq!(f.frame(ms(33)), TASK);
        f.after(ms(35), &mut told);
        assert_eq!(words(&told), ["c0@1", "p@16..19", "c2@17", "p@17..35"]);
        assert!(f.is_idle());
    }

    #[test]
    fn a_frame_whose_task_is_starved_keeps_its_earliest_bound() {
        let (mut f, mut told) = (Frames::default(), Vec::new());
        f.committed(ms(16), 0, Written::InFrame, &mut told);
        assert_eq!(f.committed(ms(33), 1, Written::InFrame, &mut told), NOTHING);
        f.after(ms(34), &mut told);
        assert_eq!(words(&told), ["c0@16", "c1@33", "p@16..34"]);
    }
}
