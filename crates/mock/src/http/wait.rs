//! Waits for a moment and watches the client meanwhile.
//!
//! `poll` with an absolute goal sleeps on the kernel's high-resolution timer: it neither spins nor drifts,
//! and it wakes at once when the client goes.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// What ended a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wake {
    /// The moment has come.
    Due,
    /// The client closed its side, or reset the connection.
    Gone,
}

/// Watches one client during one response.
pub(crate) struct Watch<'a> {
    stream: &'a TcpStream,
    /// The client sent its next request already: input no longer tells whether it is there.
    sent_more: bool,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(stream: &'a TcpStream) -> Self {
        Self {
            stream,
            sent_more: false,
        }
    }

    /// Waits until `due`.
    pub(crate) fn until(&mut self, due: Instant) -> Wake {
        loop {
            let left = due.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Wake::Due;
            }
            if self.wait(Some(left)) == Wake::Gone {
                return Wake::Gone;
            }
        }
    }

    /// Waits until the client goes.
    pub(crate) fn until_gone(&mut self) {
        while self.wait(None) != Wake::Gone {}
    }

    /// One wait: for the time to pass, or for something to happen on the connection.
    fn wait(&mut self, time: Option<Duration>) -> Wake {
        let time = time.and_then(|t| Timespec::try_from(t).ok());
        let interest = if self.sent_more {
            PollFlags::empty() // errors and hang-ups are always told
        } else {
            PollFlags::IN
        };
        let mut watched = [PollFd::new(self.stream, interest)];
        match poll(&mut watched, time.as_ref()) {
            Ok(0) | Err(Errno::INTR) => return Wake::Due,
            Ok(_) => {}
            Err(_) => return Wake::Gone,
        }
        let seen = watched[0].revents();
        if seen.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
            return Wake::Gone;
        }
        match self.stream.peek(&mut [0]) {
            Ok(0) | Err(_) => Wake::Gone,
            Ok(_) => {
                self.sent_more = true;
                Wake::Due
            }
        }
    }
}

/// Asks the kernel for timers of this thread that are as exact as it has them. By default Linux may wake a
/// thread 50 µs late to save power.
#[cfg(target_os = "linux")]
pub(crate) fn sharpen_timers() {
    let _ = rustix::thread::set_current_timer_slack(std::num::NonZero::new(1_000));
}

/// Other systems have no such setting.
#[cfg(not(target_os = "linux"))]
pub(crate) fn sharpen_timers() {}
