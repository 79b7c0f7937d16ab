//! Plays a reply to a client and keeps the truth about it.

use std::time::{Duration, Instant};

use crate::dialect::WireEvent;
use crate::http::{Connection, Head, Request, Wake, Watch, Written};
use crate::schedule::End;
use crate::truth::{Ending, Entry, Event};

/// A reply, worked out before its first byte is due.
pub(crate) struct Reply {
    pub(crate) head: Head,
    /// When the head is due; `None`: never.
    pub(crate) head_at: Option<Duration>,
    pub(crate) steps: Vec<Step>,
    pub(crate) end: End,
}

/// Events that go out in one write.
pub(crate) struct Step {
    pub(crate) at: Duration,
    pub(crate) events: Vec<WireEvent>,
}

impl Step {
    /// Adds an event to the last step, or opens a new one where its time differs.
    pub(crate) fn push(steps: &mut Vec<Self>, at: Duration, event: WireEvent) {
        match steps.last_mut() {
            Some(last) if last.at == at => last.events.push(event),
            _ => steps.push(Self {
                at,
                events: vec![event],
            }),
        }
    }
}

/// Why a reply stopped before its end.
enum Stopped {
    Gone,
}

impl From<std::io::Error> for Stopped {
    fn from(_: std::io::Error) -> Self {
        Self::Gone
    }
}

/// Plays the reply. Returns how it ended; only after `Complete`, `Error` and `Eof` is the connection good
/// for another request.
pub(crate) fn play(conn: &Connection, request: &Request, reply: &Reply, entry: &Entry) -> Ending {
    let mut player = Player {
        conn,
        watch: Watch::new(&conn.stream),
        received: request.received,
        entry,
    };
    player.run(reply).unwrap_or(Ending::ClientGone)
}

struct Player<'a> {
    conn: &'a Connection,
    watch: Watch<'a>,
    received: Instant,
    entry: &'a Entry,
}

impl Player<'_> {
    fn run(&mut self, reply: &Reply) -> Result<Ending, Stopped> {
        if let Some(at) = reply.head_at {
            self.head(at, &reply.head.to_bytes())?;
        }
        for step in &reply.steps {
            self.step(step, reply)?;
        }
        match reply.end {
            End::Clean => {
                self.write(reply.head.framing.end())?;
                Ok(ended_with(reply))
            }
            End::Eof(at) => {
                self.wait(at)?;
                self.write(reply.head.framing.end())?;
                Ok(Ending::Eof)
            }
            End::Cut(at) => {
                self.wait(at)?;
                // Closing with a linger time of zero sends a reset instead of a regular end.
                let reset = Some(Duration::ZERO);
                let _ = rustix::net::sockopt::set_socket_linger(&self.conn.stream, reset);
                Ok(Ending::Cut)
            }
            End::Hang => {
                self.watch.until_gone();
                Err(Stopped::Gone)
            }
        }
    }

    fn head(&mut self, at: Duration, bytes: &[u8]) -> Result<(), Stopped> {
        self.entry
            .with(|truth| truth.headers_scheduled_us = Some(micros(at)));
        self.wait(at)?;
        let written = self.write(bytes)?;
        let headers_us = self.since_received(written.returned);
        self.entry.with(|truth| truth.headers_us = Some(headers_us));
        Ok(())
    }

    fn step(&mut self, step: &Step, reply: &Reply) -> Result<(), Stopped> {
        let mut bytes = Vec::new();
        for event in &step.events {
            reply.head.framing.part(&event.bytes, &mut bytes);
        }
        self.wait(step.at)?;
        let written = self.write(&bytes)?;
        let began_us = self.since_received(written.began);
        let written_us = self.since_received(written.returned);
        self.entry.with(|truth| {
            for event in &step.events {
                truth.events.push(Event {
                    i: truth.events.len(),
                    kind: event.kind,
                    scheduled_us: micros(step.at),
                    began_us,
                    written_us,
                    bytes: event.bytes.len(),
                });
            }
        });
        Ok(())
    }

    fn wait(&mut self, at: Duration) -> Result<(), Stopped> {
        match self.watch.until(self.received + at) {
            Wake::Due => Ok(()),
            Wake::Gone => Err(Stopped::Gone),
        }
    }

    fn write(&self, bytes: &[u8]) -> Result<Written, Stopped> {
        Ok(Written::all(&self.conn.stream, bytes)?)
    }

    fn since_received(&self, at: Instant) -> u64 {
        micros(at.saturating_duration_since(self.received))
    }
}

fn ended_with(reply: &Reply) -> Ending {
    let last = reply.steps.last().and_then(|step| step.events.last());
    match last {
        Some(event) if event.kind == "error" => Ending::Error,
        _ => Ending::Complete,
    }
}

pub(crate) fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
