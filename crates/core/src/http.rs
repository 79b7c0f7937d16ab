//! What status and headers say.

mod date;
mod number;

use std::time::Duration;

use crate::failure;
use crate::input::Head;
use crate::measurement::{ErrorClass, Http};
use crate::text::cut;

/// Longest kept header value, name or id.
const MAX_VALUE: usize = 64;
/// Most kept entries of each list.
const MAX_ENTRIES: usize = 16;

/// Status and headers of one attempt, as far as they are kept.
#[derive(Debug, Clone, Default)]
pub(crate) struct Answered {
    /// What goes into the measurement.
    pub(crate) http: Http,
    /// For the reader to detect the framing.
    pub(crate) content_type: Option<String>,
    /// `Retry-After` as a date: seconds since 1970, when the response has no date of its own.
    retry_at: Option<i64>,
    /// The class a relay of ours gives for not reaching its upstream.
    upstream: Option<ErrorClass>,
    /// The class of an error word in a header of its own, as AWS sends it.
    pub(crate) named: Option<ErrorClass>,
}

impl Answered {
    pub(crate) fn new(head: &Head<'_>) -> Self {
        let mut answered = Self::default();
        answered.http.status = (head.status != 0).then_some(head.status);
        for (name, value) in head.headers {
            answered.header(name.trim(), value.trim());
        }
        answered.retry_after(head);
        answered
    }

    /// The class of the status, where that is a failure.
    pub(crate) fn error(&self) -> Option<ErrorClass> {
        let by_status = failure::of_status(self.http.status?)?;
        Some(self.upstream.unwrap_or(by_status))
    }

    /// Whether the class is a relay's time limit rather than the target's answer.
    pub(crate) fn is_relay_timeout(&self) -> bool {
        self.error().is_some() && self.upstream == Some(ErrorClass::Timeout)
    }

    /// The wait asked for, when the wall clock said `now_s` (seconds since 1970) as the headers came.
    pub(crate) fn retry_after_at(&self, now_s: Option<i64>) -> Option<Duration> {
        self.http
            .retry_after
            .or_else(|| Some(until(now_s?, self.retry_at?)))
    }

    fn header(&mut self, name: &str, value: &str) {
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        if is("content-type") {
            self.content_type
                .get_or_insert_with(|| cut(value, 2 * MAX_VALUE));
        } else if is("server-timing") {
            server_timing(value, &mut self.http.server_timing);
        } else if is("x-streamlag-id") {
            self.http
                .relay_id
                .get_or_insert_with(|| cut(value, MAX_VALUE));
        } else if is("x-streamlag-upstream") {
            self.upstream = failure::of_upstream(value);
        } else if is("x-amzn-errortype") {
            self.named = Some(failure::of_error(value, "", None));
        } else if is_request_id(name) {
            self.http
                .request_id
                .get_or_insert_with(|| cut(value, MAX_VALUE));
        } else if is_rate_limit(name) && self.http.rate_limits.len() < MAX_ENTRIES {
            let name = cut(name, MAX_VALUE).to_ascii_lowercase();
            self.http.rate_limits.push((name, cut(value, MAX_VALUE)));
        }
    }

    fn retry_after(&mut self, head: &Head<'_>) {
        let find = |wanted: &str| {
            let mut headers = head.headers.iter();
            headers.find(|(name, _)| name.trim().eq_ignore_ascii_case(wanted))
        };
        let millis = find("retry-after-ms").and_then(|(_, value)| number::scaled(value, 6));
        let header = find("retry-after");
        self.http.retry_after_known =
            millis.is_some() || header.is_some() || !head.may_hide_headers;
        self.http.retry_after = millis;
        let Some((_, value)) = header else { return };
        let seconds = number::scaled(value, 9);
        self.retry_at = date::parse(value);
        let date = find("date").and_then(|(_, value)| date::parse(value));
        let from_date = date.zip(self.retry_at).map(|(now, at)| until(now, at));
        self.http.retry_after = millis.or(seconds).or(from_date);
    }
}

/// A date that has passed means: at once.
fn until(now_s: i64, at_s: i64) -> Duration {
    Duration::from_secs(u64::try_from(at_s.saturating_sub(now_s)).unwrap_or(0))
}

/// Ids under which a provider's support finds the request.
fn is_request_id(name: &str) -> bool {
    [
        "x-request-id",
        "request-id",
        "x-amzn-requestid",
        "apim-request-id",
        "x-ms-request-id",
        "x-goog-request-id",
        "x-generation-id",
    ]
    .iter()
    .any(|id| name.eq_ignore_ascii_case(id))
}

fn is_rate_limit(name: &str) -> bool {
    let has = |part: &str| {
        let mut windows = name.as_bytes().windows(part.len());
        windows.any(|window| window.eq_ignore_ascii_case(part.as_bytes()))
    };
    has("ratelimit") || has("rate-limit")
}

/// `upstream;dur=12.3, cache;desc="hit, warm"`: a name each, and its duration where given.
fn server_timing(value: &str, into: &mut Vec<(String, Option<f64>)>) {
    for entry in outside_quotes(value, b',') {
        let mut parts = outside_quotes(entry, b';').map(str::trim);
        let Some(name) = parts.next().filter(|name| !name.is_empty()) else {
            continue;
        };
        if into.len() >= MAX_ENTRIES {
            return;
        }
        let dur = parts
            .filter_map(|part| part.split_once('='))
            .find(|(key, _)| key.trim().eq_ignore_ascii_case("dur"))
            .and_then(|(_, value)| number::scaled(value.trim().trim_matches('"'), 6));
        into.push((
            cut(name, MAX_VALUE),
            dur.map(|dur| dur.as_nanos() as f64 / 1e6),
        ));
    }
}

/// Splits where `separator` is not inside a quoted string.
fn outside_quotes(text: &str, separator: u8) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |c: char| {
        quoted ^= c == '"';
        !quoted && c == char::from(separator)
    })
}
