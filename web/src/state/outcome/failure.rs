//! What failed, in words, and what to do: one entry a class.

use streamlag_wire::Record;

use super::Asked;
use crate::state::format::counted;

/// A target without `key_env` has no name for its key.
const KEY: &str = "the variable named by key_env";

pub(super) fn ran_out(record: &Record, asked: Asked<'_>) -> (String, String) {
    let label = quoted(asked);
    match record.timeout_phase.as_deref() {
        Some("first_byte") => (
            format!("{label} sent its headers, but no byte of the answer within the limit."),
            "It may be overloaded or stuck in its queue. Ask again, or raise first_byte_timeout_ms.".to_owned(),
        ),
        Some("between_chunks") => (
            "The stream went silent in the middle for longer than the limit.".to_owned(),
            "What came until then is measured. Ask again, or raise between_chunks_timeout_ms.".to_owned(),
        ),
        _ => (
            format!("{label} did not answer within the limit."),
            "Check that it is running and reachable from the collector, or raise connect_timeout_ms.".to_owned(),
        ),
    }
}

pub(super) fn cut(record: &Record) -> (String, String) {
    (
        format!("The stream was cut after {}: it ended without saying that it was complete.", so_far(record)),
        "Treat the answer as incomplete. Ask again; if it repeats, look for time limits in proxies on the way.".to_owned(),
    )
}

pub(super) fn failed(class: &str, record: &Record, asked: Asked<'_>) -> (String, String) {
    unanswered(class, record, asked)
        .or_else(|| unreadable(class, record, asked))
        .unwrap_or_else(|| refused(class, record, asked))
}

/// No answer, or one that broke: the way there is at fault.
fn unanswered(class: &str, record: &Record, asked: Asked<'_>) -> Option<(String, String)> {
    let label = quoted(asked);
    let host = asked.host.unwrap_or("its host");
    let key = asked.key.unwrap_or(KEY);
    Some(match class {
        "prober" if asked.is_key_missing => (
            format!("{label} was not asked: its key is missing."),
            format!("Set the environment variable {key} where the collector runs, and start it again."),
        ),
        "prober" => (
            "The measuring itself failed; the target is not at fault.".to_owned(),
            "Reload the page and ask again; the collector's log says more.".to_owned(),
        ),
        "dns" => (
            format!("The name of {label} could not be resolved."),
            format!("Check the spelling of {host} in streamlag.toml, and the collector's DNS."),
        ),
        "connect" => (
            format!("{label} is down: nothing accepts connections at {host}."),
            "Start it, or correct its URL in streamlag.toml.".to_owned(),
        ),
        "tls" => (
            format!("No secure connection to {host} could be made."),
            "Check its certificate, and whether the URL should be http instead of https.".to_owned(),
        ),
        "network" => (
            "The request did not get through; the browser does not say more.".to_owned(),
            "Most often the collector is gone: check that it still runs. Else look at the browser's network panel.".to_owned(),
        ),
        "reset" if record.counts.reads == 0 => (
            "The connection broke before the answer began.".to_owned(),
            "Ask again; if it repeats, look at the target's log and at proxies on the way.".to_owned(),
        ),
        "reset" => (
            format!(
                "The connection broke in the middle, after {}.",
                so_far(record)
            ),
            "Treat the answer as incomplete. Ask again; if it repeats, look at proxies on the way.".to_owned(),
        ),
        _ => return None,
    })
}

/// An answer that is no stream.
fn unreadable(class: &str, record: &Record, asked: Asked<'_>) -> Option<(String, String)> {
    let label = quoted(asked);
    let http = http(record);
    Some(match class {
        "not_a_stream" => (
            format!("{label} answered, but not with a stream{http}: a web page or another document came back."),
            "Often a proxy, a login page or a wrong path answers in the target's place. Open its URL yourself and check the path in streamlag.toml.".to_owned(),
        ),
        "undecoded_body" => (
            "The answer was compressed in a way that cannot be read here.".to_owned(),
            "Switch compression off for streams; it also holds them back.".to_owned(),
        ),
        "line_too_long" => (
            "One event was longer than can be read (4 MiB).".to_owned(),
            "Check what the target sends; a stream has many small events.".to_owned(),
        ),
        "empty" => (
            format!("{label} answered with nothing{http}."),
            "Check its log; success without any event is a fault on its side.".to_owned(),
        ),
        _ => return None,
    })
}

/// An answer that is a refusal or an error.
fn refused(class: &str, record: &Record, asked: Asked<'_>) -> (String, String) {
    let label = quoted(asked);
    let key = asked.key.unwrap_or(KEY);
    let http = http(record);
    match class {
        "auth" => (
            format!("{label} refused the key{http}."),
            format!("Check {key}: is it set where the collector runs, current, and allowed to use this model?"),
        ),
        "rate_limited" => rate_limited(&label, record),
        "quota" => (
            format!("The account of {label} has used up its quota{http}."),
            "Add credit or wait for the next period; asking again does not help.".to_owned(),
        ),
        "overloaded" => (
            format!("{label} is overloaded{http}."),
            retry_advice(record, "Ask again in a little while."),
        ),
        "server" if record.http.status.is_some_and(|status| status < 400) => (
            format!("{label} reported an error inside its stream, after {}.", so_far(record)),
            "The provider gave up in the middle. Ask again; if it stays so, look at its status page or its log.".to_owned(),
        ),
        "server" => (
            format!("{label} failed on its side{http}."),
            retry_advice(record, "Ask again; if it stays so, look at the provider's status page or its log."),
        ),
        "bad_request" => (
            format!("{label} did not accept the request{http}."),
            "Check model, URL path and dialect in streamlag.toml.".to_owned(),
        ),
        "content_filter" => (
            "The provider's content filter ended the answer.".to_owned(),
            "Try another prompt.".to_owned(),
        ),
        "geo_blocked" => (
            format!("{label} does not serve the place that it was asked from{http}."),
            "Run the collector elsewhere, or choose another provider.".to_owned(),
        ),
        other => (
            format!("{label} failed: {other}{http}."),
            "Ask again; if it stays so, look into the target's log.".to_owned(),
        ),
    }
}

fn rate_limited(label: &str, record: &Record) -> (String, String) {
    let http = http(record);
    let unknown = match record.http.retry_after_known {
        true => {
            "It does not say how long to wait. Ask less often, or raise the limit with the provider."
        }
        false => "Ask less often, or raise the limit with the provider.",
    };
    (
        format!("{label} has had too many requests{http}."),
        retry_advice(record, unknown),
    )
}

fn retry_advice(record: &Record, otherwise: &str) -> String {
    match record.http.retry_after_ms {
        Some(ms) if ms >= 1_000.0 => {
            let seconds = (ms / 1e3).ceil() as u64;
            format!(
                "It asks to wait {} (Retry-After).",
                counted(seconds, "second")
            )
        }
        _ => otherwise.to_owned(),
    }
}

/// Labels are free words: quoted, they cannot be mistaken for part of the sentence.
fn quoted(asked: Asked<'_>) -> String {
    format!("“{}”", asked.label)
}

/// How much had come: reasoning and answer.
pub(super) fn so_far(record: &Record) -> String {
    match record.counts.answer_chars + record.counts.reasoning_chars {
        0 => "no text".to_owned(),
        chars => counted(chars, "character"),
    }
}

fn http(record: &Record) -> String {
    let status = record.http.status;
    status.map_or_else(String::new, |status| format!(" (HTTP {status})"))
}
