//! Drives a probe with what was recorded.

use std::io;

use streamlag_core::{Config, Head, Input, Measurement, Mono, Probe, Stamp};

use crate::case::{self, Case, Closing};
use crate::collect::Collected;
use crate::error::CaseError;
use crate::{Hint, pieces, scenario};

/// What a replay came to.
#[derive(Debug)]
pub(crate) struct Replayed {
    pub(crate) measurement: Measurement,
    pub(crate) collected: Collected,
    pub(crate) last_event_id: String,
    /// The headers' time was given, so that it may be told.
    pub(crate) headers_timed: bool,
}

/// A probe and who listens to it.
#[derive(Debug)]
pub(crate) struct Drive {
    probe: Probe,
    collected: Collected,
    reads: u32,
    pub(crate) headers_timed: bool,
}

/// Replays a whole body. Nothing is known about its times.
pub(crate) fn whole(mut body: impl io::Read, hint: Hint<'_>) -> io::Result<Replayed> {
    let mut drive = Drive::new(Config {
        dialect: hint.dialect.map(str::to_owned),
        framing: hint.framing.map(str::to_owned),
        ..Config::default()
    });
    let at = Stamp::from_ns(0);
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match body.read(&mut buffer)? {
            0 => break,
            length => drive.bytes(at, buffer.get(..length).unwrap_or_default()),
        }
    }
    drive.close(at, Closing::Eof);
    Ok(drive.finish())
}

/// Replays a case.
pub(crate) fn case(case: &Case) -> Result<Replayed, CaseError> {
    let mut drive = Drive::new(Config {
        dialect: case.fmt.clone(),
        framing: case.framing().map(str::to_owned),
        clock: case.clock()?,
    });
    if case.scenario.is_empty() {
        body(case, &mut drive)?;
    } else {
        scenario::play(&case.scenario, &mut drive)?;
    }
    Ok(drive.finish())
}

/// Replays a body with its clock readings, and what happened to the page between the reads.
fn body(case: &Case, drive: &mut Drive) -> Result<(), CaseError> {
    let mut page = Page::new(case)?;
    if case.is_timed() {
        drive.request(Stamp::from_ns(0));
    }
    let first = case.t_headers_ms.or(case.at_ms.first().copied());
    let mut last = case::stamp(first.unwrap_or(0.0))?;
    page.until(last, drive);
    drive.head(case, last)?;
    let mut count = 0;
    for (index, read) in pieces::reads(case)?.enumerate() {
        count = index + 1;
        if let Some(ms) = case.at_ms.get(index) {
            last = case::stamp(*ms)?;
        }
        page.until(last, drive);
        if let Some(wall) = case.wall_ms.get(index) {
            drive.tell(last, Input::WallClock(case::stamp(*wall)?));
        }
        drive.bytes(last, &read);
    }
    let end = case.t_eof_ms.or(case.at_ms.get(count).copied());
    let end = end.map_or(Ok(last), case::stamp)?;
    page.until(end, drive);
    drive.close(end, case.ending()?);
    page.rest(drive);
    Ok(())
}

impl Drive {
    fn new(config: Config) -> Self {
        Self {
            probe: Probe::new(config),
            collected: Collected::default(),
            reads: 0,
            headers_timed: false,
        }
    }

    pub(crate) fn tell(&mut self, at: Stamp<Mono>, input: Input<'_>) {
        self.probe.handle(at, input, &mut self.collected);
    }

    /// A request goes out: what the one before gave is replaced.
    pub(crate) fn request(&mut self, at: Stamp<Mono>) {
        self.tell(at, Input::Send);
        self.collected = Collected::default();
        self.reads = 0;
    }

    pub(crate) fn bytes(&mut self, at: Stamp<Mono>, bytes: &[u8]) {
        self.tell(at, Input::Bytes(bytes));
        self.reads += u32::from(!bytes.is_empty());
    }

    /// A frame was painted. What was read before it is taken to be in the document.
    pub(crate) fn frame(&mut self, at: Stamp<Mono>) {
        if let Some(through_read) = self.reads.checked_sub(1) {
            self.tell(at, Input::Committed { through_read });
        }
        self.tell(at, Input::Painted { latest: at });
    }

    pub(crate) fn close(&mut self, at: Stamp<Mono>, closing: Closing) {
        match closing {
            Closing::Eof => self.tell(at, Input::Eof),
            Closing::Failed(failure) => self.tell(at, Input::Failed(failure)),
            Closing::Aborted(by) => self.tell(at, Input::Aborted(by)),
            Closing::Open => {}
        }
    }

    /// Status and headers. A recorded body without a status was answered with success.
    fn head(&mut self, case: &Case, at: Stamp<Mono>) -> Result<(), CaseError> {
        self.headers_timed = case.t_headers_ms.is_some();
        let hidden = |name: &str| {
            let mut names = case.headers_hidden.iter();
            names.any(|hidden| hidden.eq_ignore_ascii_case(name))
        };
        let headers: Vec<_> = case
            .headers
            .iter()
            .filter(|(name, _)| !hidden(name))
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        // `now_utc` is the wall clock as the headers are read.
        if let Some(now) = case.now()? {
            self.tell(at, Input::WallClock(now));
        }
        self.tell(
            at,
            Input::Headers(Head {
                status: case.status.unwrap_or(200),
                headers: &headers,
                may_hide_headers: !case.headers_hidden.is_empty(),
            }),
        );
        Ok(())
    }

    fn finish(self) -> Replayed {
        Replayed {
            measurement: self.probe.measurement(),
            last_event_id: self.probe.last_event_id().to_owned(),
            collected: self.collected,
            headers_timed: self.headers_timed,
        }
    }
}

/// What happened to the page, in order of time.
struct Page {
    /// When and what; latest first, so that the next is at the end.
    events: Vec<(Stamp<Mono>, PageEvent)>,
}

#[derive(Clone, Copy)]
enum PageEvent {
    Visibility(streamlag_core::Visibility),
    Frame,
}

impl Page {
    fn new(case: &Case) -> Result<Self, CaseError> {
        let mut events = Vec::new();
        for (ms, state) in &case.visibility {
            let state = PageEvent::Visibility(case::visibility(state)?);
            events.push((case::stamp(*ms)?, state));
        }
        for ms in &case.frames_ms {
            events.push((case::stamp(*ms)?, PageEvent::Frame));
        }
        events.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        Ok(Self { events })
    }

    /// Tells what happened before a read at `now`; of the same moment, only what the read may see.
    fn until(&mut self, now: Stamp<Mono>, drive: &mut Drive) {
        while let Some((at, event)) = self.events.last().copied() {
            let frame = matches!(event, PageEvent::Frame);
            if at > now || (frame && at == now) {
                return;
            }
            self.events.pop();
            Self::tell(at, event, drive);
        }
    }

    fn rest(&mut self, drive: &mut Drive) {
        while let Some((at, event)) = self.events.pop() {
            Self::tell(at, event, drive);
        }
    }

    fn tell(at: Stamp<Mono>, event: PageEvent, drive: &mut Drive) {
        match event {
            PageEvent::Visibility(state) => drive.tell(at, Input::Visibility(state)),
            PageEvent::Frame => drive.frame(at),
        }
    }
}
