//! Drives a real probe as each shell does, on a clock that is given.

use std::time::Duration;

use streamlag_core::clock::{ClockInfo, ClockName};
use streamlag_core::input::{Head, Visibility};
use streamlag_core::probe::{Config, Probe};
use streamlag_core::{Delta, Input, Measurement, Mono, Sink, Stamp, Wall};
use streamlag_wire::{Context, Record, Target, Vantage};

pub(crate) const EVENT: &str =
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"word \"}}]}\n\n";

/// What a provider answers with, as a relay passes it on.
pub(crate) const HEADERS: [(&str, &str); 11] = [
    ("content-type", "text/event-stream"),
    ("x-request-id", "req_011CSHoEeqs5C35K2UUqR7Fy"),
    ("x-streamlag-id", "0123456789abcdef0123456789abcdef"),
    ("server-timing", "upstream;dur=12.345, cache;desc=miss"),
    ("retry-after", "20"),
    ("x-ratelimit-limit-requests", "10000"),
    ("x-ratelimit-limit-tokens", "2000000"),
    ("x-ratelimit-remaining-requests", "9999"),
    ("x-ratelimit-remaining-tokens", "1999000"),
    ("x-ratelimit-reset-requests", "6ms"),
    ("x-ratelimit-reset-tokens", "12ms"),
];

/// One read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Read {
    /// Since the read before.
    pub(crate) after: Duration,
    /// Events it holds.
    pub(crate) events: usize,
    /// Bytes of a comment that comes with them.
    pub(crate) padding: usize,
    /// Until it is parsed, then until it is in the document, then the frame's two bounds.
    pub(crate) then: [Duration; 4],
}

/// One request, as seen from a vantage.
pub(crate) struct Run {
    probe: Probe,
    vantage: Vantage,
    now: i64,
    sends: u32,
    reads: u32,
}

struct Nobody;
impl Sink for Nobody {
    fn delta(&mut self, _: Stamp<Mono>, _: &Delta<'_>) {}
}

impl Run {
    pub(crate) fn new(vantage: Vantage) -> Self {
        let (name, step) = match vantage {
            Vantage::Browser => (ClockName::Performance, 100_000),
            Vantage::Edge => (ClockName::WorkerDate, 1_000_000),
            Vantage::Server => (ClockName::Instant, 41),
        };
        let clock = ClockInfo {
            name,
            step: Some(Duration::from_nanos(step)),
        };
        let config = Config {
            clock,
            ..Config::default()
        };
        let mut run = Self {
            probe: Probe::new(config),
            vantage,
            now: 1_234_567_890,
            sends: 0,
            reads: 0,
        };
        run.tell(Input::Intent);
        if vantage == Vantage::Browser {
            run.tell(Input::Visibility(Visibility::Visible));
        }
        run.wall();
        run
    }

    /// Sends (again) and gets a status.
    pub(crate) fn send(&mut self, status: u16) {
        self.pass(Duration::from_micros(6_900));
        self.tell(Input::Send);
        self.pass(Duration::from_micros(19_400));
        let headers = Head {
            status,
            headers: &HEADERS,
            may_hide_headers: false,
        };
        self.tell(Input::Headers(headers));
        (self.sends, self.reads) = (self.sends + 1, 0);
    }

    pub(crate) fn read(&mut self, read: &Read) {
        self.pass(read.after);
        let mut body = EVENT.repeat(read.events);
        if read.padding > 0 {
            body.push_str(&format!(":{}\n\n", " ".repeat(read.padding)));
        }
        self.tell(Input::Bytes(body.as_bytes()));
        self.reads += 1;
        if self.vantage == Vantage::Edge {
            return; // parses after the end
        }
        let now = self.now;
        let [parsed, committed, earliest, latest] = read.then;
        self.pass(parsed);
        self.tell(Input::Parsed);
        if self.vantage == Vantage::Browser {
            self.pass(committed);
            let through_read = self.reads - 1;
            self.tell(Input::Committed { through_read });
            self.pass(earliest);
            let latest = self.stamp(self.now + latest.as_nanos() as i64);
            self.tell(Input::Painted { latest });
        }
        // Drawing goes on beside the stream.
        self.now = now;
    }

    pub(crate) fn refused(&mut self, status: u16, after: Duration) {
        self.send(status);
        self.pass(after);
        self.tell(Input::Eof);
    }

    pub(crate) fn end(mut self) -> (Measurement, Record) {
        self.pass(Duration::from_micros(500));
        let usage = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\
                     \"usage\":{\"prompt_tokens\":12,\"completion_tokens\":2000,\"completion_tokens_details\":\
                     {\"reasoning_tokens\":0},\"prompt_tokens_details\":{\"cached_tokens\":0}}}\n\ndata: [DONE]\n\n";
        self.tell(Input::Bytes(usage.as_bytes()));
        self.tell(Input::OwnCost(Duration::from_micros(4_200)));
        self.wall();
        self.tell(Input::Eof);
        let measurement = self.probe.measurement();
        let record = Record::new(&measurement, context(self.vantage));
        (measurement, record)
    }

    fn pass(&mut self, time: Duration) {
        self.now += time.as_nanos() as i64;
    }

    /// What the vantage's clock shows.
    fn stamp<C: streamlag_core::clock::Clock>(&self, ns: i64) -> Stamp<C> {
        let step = match self.vantage {
            Vantage::Browser => 100_000,
            Vantage::Edge => 1_000_000,
            Vantage::Server => 1,
        };
        Stamp::from_ns(ns - ns.rem_euclid(step))
    }

    fn wall(&mut self) {
        let wall: Stamp<Wall> = self.stamp(self.now + 1_793_000_000_000_000_000);
        self.tell(Input::WallClock(wall));
    }

    fn tell(&mut self, input: Input<'_>) {
        let at = self.stamp(self.now);
        self.probe.handle(at, input, &mut Nobody);
    }
}

/// Texts of usual length, all of them there.
pub(crate) fn context(vantage: Vantage) -> Context {
    let target = Target {
        id: "my-model".into(),
        side: Some("cloud".into()),
        base_url: Some("https://api.example.com/v1/chat/completions".into()),
        model: Some("some-model-2026-01".into()),
        key_alias: Some("EXAMPLE_API_KEY".into()),
    };
    let agent = format!("streamlag-{}/0.1.0", vantage.as_str());
    let edge = |word: &str| (vantage == Vantage::Edge).then(|| word.to_owned());
    Context {
        region: edge("weur"),
        colo: edge("AMS"),
        app: Some("my-app".into()),
        release: Some("1.12.3".into()),
        trace_id: Some("fedcba9876543210fedcba9876543210".into()),
        prompt_id: Some("4d1f0a9be2c37785".into()),
        prompt_chars: Some(1234),
        concurrency: Some(12),
        warmth: Some("warm"),
        connection_reused: Some(true),
        ..Context::new(
            "0123456789abcdef0123456789abcdef".into(),
            vantage,
            target,
            agent,
        )
    }
}

/// Numbers that look like chance and are the same on every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// From 0 up to 1.
    pub(crate) fn roll(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// From `least` to `most`, every octave as likely as the other.
    pub(crate) fn spread(&mut self, least: f64, most: f64) -> f64 {
        least * (most / least).powf(self.roll())
    }
}

pub(crate) fn ms(ms: f64) -> Duration {
    Duration::from_secs_f64(ms / 1e3)
}
