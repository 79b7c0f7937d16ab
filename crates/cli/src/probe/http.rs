//! Asks a target and drives the probe: reads the clock, moves bytes, nothing else.
//!
//! *Every stamp is taken as the first thing after a read returns*; only then are the bytes parsed.

use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response, Url};
use streamlag_collector::upstream::{builder, classify, random_id};
use streamlag_core::{
    AbortBy, Config, ErrorClass, Failure, Head, Input, Measurement, Mono, Probe, Stamp,
    TimeoutPhase,
};
use streamlag_wire::request;
use streamlag_wire::target::TargetConfig;
use tokio::time::timeout_at;

use super::clock::{Clock, wall};
use super::connections::{Marking, watched};

/// Longest request, whatever its pieces took.
const TOTAL: Duration = Duration::from_secs(600);
/// How long the end of the body is waited for after the answer's own end.
const AFTER_THE_END: Duration = Duration::from_secs(1);
/// Most body bytes of one answer.
const MOST_BYTES: usize = 64 << 20;

/// Asks one target, again and again over the same client, also several times at once.
pub(super) struct Asker {
    client: Client,
    clock: Clock,
    dialect: String,
    url: Url,
    headers: HeaderMap,
    body: String,
    limits: Limits,
}

struct Limits {
    first_byte: Duration,
    between_chunks: Duration,
}

/// What one request came to.
pub(super) struct Asked {
    pub(super) measurement: Measurement,
    pub(super) connection_reused: bool,
}

/// The last thing to tell a probe, and when it happened. `None`: the answer's own end was enough.
type Ending = Option<(Stamp<Mono>, Input<'static>)>;

impl Asker {
    pub(super) fn new(target: &TargetConfig, key: Option<&str>) -> anyhow::Result<Self> {
        let ms = |ms: u32| Duration::from_millis(u64::from(ms));
        let client = builder(ms(target.connect_timeout_ms))
            .connector_layer(Marking)
            .build()
            .context("could not set up the HTTP client")?;
        let request = request::build(target, &target.prompt, target.max_tokens, key);
        Ok(Self {
            client,
            clock: Clock::start(),
            dialect: target.dialect.clone(),
            url: target
                .url
                .parse()
                .map_err(|e| anyhow!("target {:?}: its url cannot be used: {e}", target.id))?,
            headers: headers(&request.headers)?,
            body: request.body,
            limits: Limits {
                first_byte: ms(target.first_byte_timeout_ms),
                between_chunks: ms(target.between_chunks_timeout_ms),
            },
        })
    }

    /// Asks once. Total: whatever happens is in the measurement.
    pub(super) async fn ask(&self, id: &str, trace_id: &str) -> Asked {
        let mut told = Told::new(self.clock, &self.dialect);
        told.at(self.clock.now(), Input::Intent);
        let request = self.request(id, trace_id);
        let (ending, opened) = watched(self.follow(request, &mut told)).await;
        if let Some((at, input)) = ending {
            told.at(at, input);
        }
        Asked {
            measurement: told.finish(),
            connection_reused: !opened,
        }
    }

    fn request(&self, id: &str, trace_id: &str) -> reqwest::RequestBuilder {
        let span_id = &random_id()[..16];
        self.client
            .post(self.url.clone())
            .headers(self.headers.clone())
            .header("x-request-id", id)
            .header("traceparent", format!("00-{trace_id}-{span_id}-01"))
            .body(self.body.clone())
    }

    async fn follow(&self, request: reqwest::RequestBuilder, told: &mut Told) -> Ending {
        let sent = self.clock.now();
        let started = tokio::time::Instant::now();
        let limit = self.limits.first_byte.min(TOTAL);
        let answered = timeout_at(started + limit, request.send()).await;
        let at = self.clock.now();
        // Told late, so that the telling is in no duration.
        told.at(sent, Input::Send);
        match answered {
            Err(_) => timed_out(at, TimeoutPhase::FirstByte),
            Ok(Err(error)) => Some((at, failed(&error))),
            Ok(Ok(response)) => {
                told.head(at, &response);
                self.read(response, told, started).await
            }
        }
    }

    async fn read(
        &self,
        mut response: Response,
        told: &mut Told,
        started: tokio::time::Instant,
    ) -> Ending {
        let (mut deadline, mut phase) = (started + self.limits.first_byte, TimeoutPhase::FirstByte);
        let mut bytes_read = 0;
        loop {
            if started + TOTAL < deadline {
                (deadline, phase) = (started + TOTAL, TimeoutPhase::Total);
            }
            let read = timeout_at(deadline, response.chunk()).await;
            let at = self.clock.now();
            let bytes = match read {
                Err(_) if told.probe.saw_terminal() => return None,
                Err(_) => return timed_out(at, phase),
                Ok(Err(error)) => return Some((at, failed(&error))),
                Ok(Ok(None)) => return Some((at, Input::Eof)),
                Ok(Ok(Some(bytes))) if bytes.is_empty() => continue,
                Ok(Ok(Some(bytes))) => bytes,
            };
            told.bytes(at, &bytes);
            bytes_read += bytes.len();
            if bytes_read > MOST_BYTES {
                return Some((at, Input::Aborted(AbortBy::Library)));
            }
            let patience = match told.probe.saw_terminal() {
                true => AFTER_THE_END.min(self.limits.between_chunks),
                false => self.limits.between_chunks,
            };
            deadline = tokio::time::Instant::now() + patience;
            phase = TimeoutPhase::BetweenChunks;
        }
    }
}

/// A probe and what telling it cost.
struct Told {
    probe: Probe,
    clock: Clock,
    cost: Duration,
}

impl Told {
    fn new(clock: Clock, dialect: &str) -> Self {
        Self {
            probe: Probe::new(Config {
                dialect: Some(dialect.to_owned()),
                framing: None,
                clock: clock.info(),
            }),
            clock,
            cost: Duration::ZERO,
        }
    }

    /// Tells what happened, with a wall-clock reading beside it: the two together show sleep.
    fn at(&mut self, at: Stamp<Mono>, input: Input<'_>) {
        let began = Instant::now();
        self.probe.handle(at, input, &mut ());
        self.probe
            .handle(self.clock.now(), Input::WallClock(wall()), &mut ());
        self.cost += began.elapsed();
    }

    fn head(&mut self, at: Stamp<Mono>, response: &Response) {
        let headers: Vec<(&str, &str)> = response
            .headers()
            .iter()
            .filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)))
            .collect();
        let head = Head {
            status: response.status().as_u16(),
            headers: &headers,
            may_hide_headers: false,
        };
        self.at(at, Input::Headers(head));
    }

    fn bytes(&mut self, at: Stamp<Mono>, bytes: &[u8]) {
        let began = Instant::now();
        self.probe.handle(at, Input::Bytes(bytes), &mut ());
        let parsed = self.clock.now();
        self.probe.handle(parsed, Input::Parsed, &mut ());
        self.probe.handle(parsed, Input::WallClock(wall()), &mut ());
        self.cost += began.elapsed();
    }

    fn finish(mut self) -> Measurement {
        let cost = Input::OwnCost(self.cost);
        self.probe.handle(self.clock.now(), cost, &mut ());
        self.probe.measurement()
    }
}

fn timed_out(at: Stamp<Mono>, phase: TimeoutPhase) -> Ending {
    Some((at, Input::Aborted(AbortBy::Timeout(phase))))
}

/// The client's own limit is the one on connecting.
fn failed(error: &reqwest::Error) -> Input<'static> {
    Input::Failed(match classify(error) {
        ErrorClass::Timeout => return Input::Aborted(AbortBy::Timeout(TimeoutPhase::Connect)),
        ErrorClass::Dns => Failure::Dns,
        ErrorClass::Tls => Failure::Tls,
        ErrorClass::Connect => Failure::Connect,
        _ if error.is_builder() => Failure::Prober,
        _ => Failure::Reset,
    })
}

/// The request's headers; what may be a key is marked, so that no debug print shows it.
fn headers(pairs: &[(String, String)]) -> anyhow::Result<HeaderMap> {
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        let unusable = || anyhow!("the target's key holds characters that no header can carry");
        let name = HeaderName::from_bytes(name.as_bytes())?;
        let mut value = HeaderValue::from_str(value).map_err(|_| unusable())?;
        value.set_sensitive(name == "authorization" || name == "x-api-key");
        headers.insert(name, value);
    }
    Ok(headers)
}
