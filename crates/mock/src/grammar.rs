//! Reads a script's items. Every refusal names the item and what is allowed.

use std::str::FromStr;
use std::time::Duration;

use crate::script::{Body, Script, Stop};

/// Why a script was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// No such item.
    #[error("script item {item:?} is unknown; allowed are {}", ITEMS)]
    Unknown {
        /// The item as given.
        item: String,
    },
    /// The item's value is missing or not of its kind.
    #[error("script item {item:?} is wrong: {wanted}")]
    Value {
        /// The item as given.
        item: String,
        /// What the item takes.
        wanted: &'static str,
    },
    /// An item that may stand once stands twice, or two items contradict each other.
    #[error("script item {item:?} contradicts {other:?}, which came before it")]
    Twice {
        /// The later item.
        item: String,
        /// The earlier one.
        other: String,
    },
    /// An item points past the end of the stream.
    #[error(
        "script item {item:?} is never reached: the script has only {generated} generated events"
    )]
    Unreachable {
        /// The item, as it would be written.
        item: String,
        /// How many events there are.
        generated: u32,
    },
    /// The whole takes too long.
    #[error("the script lasts {seconds} s; the most is {most} s")]
    TooLong {
        /// Its length.
        seconds: u64,
        /// The limit.
        most: u64,
    },
}

/// The grammar, as refusals and the index page print it. Times are in milliseconds, decimals allowed.
pub const ITEMS: &str = "headers=MS first=MS gap=MS n=COUNT reasoning=COUNT tool=COUNT tail=MS \
    stall=AFTER:MS burst=COUNT flush=MS buffered jitter=MS seed=NUMBER keepalive=MS status=CODE \
    retry_after=SECONDS error_at=AFTER cut_at=AFTER eof_at=AFTER no_usage no_role crlf html json hang \
    text_chars=COUNT tokens=COUNT";

const MOST_EVENTS: u32 = 100_000;
const MOST_MS: f64 = 3_600_000.0;
const MOST_SECONDS: u64 = 3_600;

const TIME: &str = "it takes milliseconds from 0 to 3600000";
const TICK: &str = "it takes milliseconds from 1 to 3600000";
const COUNT: &str = "it takes a count from 0 to 100000";
const COUNT_FROM_ONE: &str = "it takes a count from 1 to 100000";
const STALL: &str = "it takes AFTER:MS, for example stall=10:2000";
const STATUS: &str = "it takes an HTTP status from 200 to 599 (no 204, 205 or 304)";
const NUMBER: &str = "it takes a whole number";
const BARE: &str = "it takes no value";

impl FromStr for Script {
    type Err = ScriptError;

    fn from_str(spec: &str) -> Result<Self, ScriptError> {
        let mut script = Self::default();
        let mut seen: Vec<(&'static str, &str)> = Vec::new();
        for item in spec.split(',').map(str::trim).filter(|i| !i.is_empty()) {
            let (name, value) = match item.split_once('=') {
                Some((name, value)) => (name.trim(), Some(value.trim())),
                None => (item, None),
            };
            let slot = Item { item, value }.apply(name, &mut script)?;
            // Stalls may repeat; every other slot is filled once.
            match seen.iter().find(|(s, _)| *s == slot && slot != "stall") {
                Some((_, other)) => return Err(twice(item, other)),
                None => seen.push((slot, item)),
            }
        }
        check_whole(&script)?;
        Ok(script)
    }
}

/// One item on its way into the script.
struct Item<'a> {
    item: &'a str,
    value: Option<&'a str>,
}

impl Item<'_> {
    /// Sets what the item says and returns the slot it fills: items of one slot exclude each other.
    fn apply(&self, name: &str, script: &mut Script) -> Result<&'static str, ScriptError> {
        match name {
            "headers" => script.headers = Some(self.time()?),
            "first" => script.first = self.time()?,
            "gap" => script.gap = self.time()?,
            "n" => script.n = self.count(0)?,
            "reasoning" => script.reasoning = self.count(0)?,
            "tool" => script.tool = self.count(0)?,
            "tail" => script.tail = Some(self.time()?),
            "stall" => script.stalls.push(self.stall()?),
            "burst" => script.burst = self.count(1)?,
            "flush" => script.flush = Some(self.tick()?),
            "buffered" => script.buffered = self.bare()?,
            "jitter" => script.jitter = self.time()?,
            "seed" => script.seed = self.number(NUMBER)?,
            "keepalive" => script.keepalive = Some(self.tick()?),
            _ => return self.apply_answer(name, script),
        }
        Ok(slot(name))
    }

    /// The items that say what the answer is, rather than when it comes.
    fn apply_answer(&self, name: &str, script: &mut Script) -> Result<&'static str, ScriptError> {
        match name {
            "status" => script.status = self.status()?,
            "retry_after" => script.retry_after = Some(self.number("it takes whole seconds")?),
            "error_at" => script.stop = Some(Stop::Error(self.count(0)?)),
            "cut_at" => script.stop = Some(Stop::Cut(self.count(0)?)),
            "eof_at" => script.stop = Some(Stop::Eof(self.count(0)?)),
            "no_usage" => script.no_usage = self.bare()?,
            "no_role" => script.no_role = self.bare()?,
            "crlf" => script.crlf = self.bare()?,
            "html" => script.body = self.bare().map(|_| Body::Html)?,
            "json" => script.body = self.bare().map(|_| Body::Json)?,
            "hang" => script.body = self.bare().map(|_| Body::Hang)?,
            "text_chars" => script.text_chars = Some(self.count(1)?),
            "tokens" => script.tokens = self.count(1)?,
            _ => {
                let item = self.item.to_owned();
                return Err(ScriptError::Unknown { item });
            }
        }
        Ok(slot(name))
    }

    fn wrong(&self, wanted: &'static str) -> ScriptError {
        let item = self.item.to_owned();
        ScriptError::Value { item, wanted }
    }

    fn number<T: FromStr>(&self, wanted: &'static str) -> Result<T, ScriptError> {
        self.value
            .and_then(|v| v.parse().ok())
            .ok_or_else(|| self.wrong(wanted))
    }

    fn count(&self, least: u32) -> Result<u32, ScriptError> {
        let wanted = if least == 0 { COUNT } else { COUNT_FROM_ONE };
        match self.number(wanted)? {
            count if (least..=MOST_EVENTS).contains(&count) => Ok(count),
            _ => Err(self.wrong(wanted)),
        }
    }

    fn time(&self) -> Result<Duration, ScriptError> {
        self.value
            .and_then(milliseconds)
            .ok_or_else(|| self.wrong(TIME))
    }

    fn tick(&self) -> Result<Duration, ScriptError> {
        let tick = self.value.and_then(milliseconds);
        tick.filter(|t| t.as_millis() >= 1)
            .ok_or_else(|| self.wrong(TICK))
    }

    fn stall(&self) -> Result<(u32, Duration), ScriptError> {
        let (after, ms) = self
            .value
            .and_then(|v| v.split_once(':'))
            .ok_or_else(|| self.wrong(STALL))?;
        match (after.parse(), milliseconds(ms)) {
            (Ok(after), Some(length)) if after >= 1 => Ok((after, length)),
            _ => Err(self.wrong(STALL)),
        }
    }

    fn status(&self) -> Result<u16, ScriptError> {
        match self.number(STATUS)? {
            // A status without a body has nothing to say about a stream.
            204 | 205 | 304 => Err(self.wrong(STATUS)),
            status if (200..=599).contains(&status) => Ok(status),
            _ => Err(self.wrong(STATUS)),
        }
    }

    fn bare(&self) -> Result<bool, ScriptError> {
        match self.value {
            None => Ok(true),
            Some(_) => Err(self.wrong(BARE)),
        }
    }
}

fn milliseconds(text: &str) -> Option<Duration> {
    let ms: f64 = text.parse().ok()?;
    (0.0..=MOST_MS)
        .contains(&ms)
        .then(|| Duration::from_secs_f64(ms / 1000.0))
}

fn slot(name: &str) -> &'static str {
    const EXCLUSIVE: [(&str, &[&str]); 3] = [
        ("stop", &["error_at", "cut_at", "eof_at"]),
        ("body", &["html", "json", "hang"]),
        ("holding back", &["flush", "buffered"]),
    ];
    EXCLUSIVE
        .iter()
        .find(|(_, names)| names.contains(&name))
        .map(|(slot, _)| *slot)
        .or_else(|| {
            ITEMS
                .split_whitespace()
                .map(|item| item.split('=').next().unwrap_or(item))
                .find(|known| *known == name)
        })
        .unwrap_or_default()
}

fn twice(item: &str, other: &str) -> ScriptError {
    ScriptError::Twice {
        item: item.to_owned(),
        other: other.to_owned(),
    }
}

/// What only the whole script can tell.
fn check_whole(script: &Script) -> Result<(), ScriptError> {
    let generated = script.generated();
    let stop = script.stop.map(|stop| match stop {
        Stop::Error(n) => (n, format!("error_at={n}")),
        Stop::Cut(n) => (n, format!("cut_at={n}")),
        Stop::Eof(n) => (n, format!("eof_at={n}")),
    });
    let stalls = script
        .stalls
        .iter()
        .map(|(n, d)| (n + 1, format!("stall={n}:{}", d.as_millis())));
    if let Some((_, item)) = stop.into_iter().chain(stalls).find(|(n, _)| *n > generated) {
        return Err(ScriptError::Unreachable { item, generated });
    }
    let stalls: Duration = script.stalls.iter().map(|(_, d)| *d).sum();
    let headers = script.headers.unwrap_or_default();
    let tail = script.tail.unwrap_or(script.gap);
    let gaps = script.gap * generated.saturating_sub(1);
    let length = script.first.max(headers) + gaps + stalls + tail;
    if length.as_secs() > MOST_SECONDS {
        return Err(ScriptError::TooLong {
            seconds: length.as_secs(),
            most: MOST_SECONDS,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
