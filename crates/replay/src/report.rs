//! The fields of a result line. Times are ms from the request's start; what was not observed is null.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use streamlag_core::{ErrorClass, Flags, Outcome};

use crate::drive::Replayed;

/// All fields of one result.
pub(crate) fn fields(replayed: &Replayed) -> Map<String, Value> {
    let sections = [
        text(replayed),
        events(replayed),
        times(replayed),
        gaps(replayed),
        screen(replayed),
        tokens(replayed),
        ending(replayed),
        http(replayed),
        attempts(replayed),
        trust(replayed),
    ];
    let mut fields = Map::new();
    for section in sections {
        if let Value::Object(section) = section {
            fields.extend(section);
        }
    }
    fields
}

fn text(r: &Replayed) -> Value {
    let c = &r.collected;
    let texts = &c.texts;
    let tool_args: BTreeMap<_, _> = texts
        .tool_args
        .iter()
        .map(|((choice, index), text)| (format!("{choice}/{index}"), text))
        .collect();
    json!({
        "answer": c.answer(),
        "answers": by_choice(&texts.answers),
        "answer_chars": c.answer().chars().count(),
        "answer_sha256": sha256(c.answer()),
        "reasoning": texts.reasoning,
        "reasoning_chars": texts.reasoning.chars().count(),
        "reasoning_sha256": (!texts.reasoning.is_empty()).then(|| sha256(&texts.reasoning)),
        "refusal": texts.refusal,
        "tool_args": tool_args,
        "tool_calls": r.measurement.counts.tool_calls,
        "tool_arg_chars": texts.tool_args.values().map(|text| text.chars().count()).sum::<usize>(),
        "finishes": by_choice(&texts.finishes),
        "choices": r.measurement.counts.choices,
    })
}

fn events(r: &Replayed) -> Value {
    let counts = &r.measurement.counts;
    json!({
        "framing": r.measurement.framing,
        "dialect": r.measurement.dialect,
        "reads": counts.reads,
        "body_bytes": counts.bytes,
        "events": counts.events,
        "comments": counts.comments,
        "content_chunks": counts.content,
        "reasoning_chunks": counts.reasoning,
        "tool_chunks": counts.tool,
        "seq": r.collected.seq,
        "kinds": r.collected.kinds(),
        "last_event_id": r.last_event_id,
    })
}

fn times(r: &Replayed) -> Value {
    let t = &r.measurement.timing;
    let reasoned = r.measurement.counts.reasoning > 0;
    let reasoning = t
        .ttfo
        .zip(t.ttft)
        .and_then(|(ttfo, ttft)| ttfo.checked_sub(ttft));
    json!({
        "wait_ms": ms(t.wait),
        // Here `ttfb` is the headers' time and `first_byte` the body's, as cases have them; in a record
        // the former is `headers_ms` and the latter `ttfb_ms`.
        "ttfb_ms": ms(t.headers.filter(|_| r.headers_timed)),
        "first_byte_ms": ms(t.ttfb),
        "ttft_ms": ms(t.ttft),
        "ttft_at_least_ms": ms(t.ttft_at_least),
        "ttfo_ms": ms(t.ttfo),
        "first_answer_ms": ms(t.first_answer),
        "first_visible_ms": ms(t.first_visible),
        "reasoning_ms": ms(reasoning.filter(|span| reasoned && !span.is_zero())),
        "gen_ms": ms(t.generation),
        "last_token_ms": ms(t.total),
        "e2e_ms": ms(t.stream_end),
        "tail_wait_ms": ms(t.tail_wait),
        "user_ttft_ms": ms(t.user_ttft),
        "user_total_ms": ms(t.user_total),
        "tpot_ms": ms(t.tpot),
        "answer_tpot_ms": ms(t.answer_tpot),
        "tps": t.tpot.map(|tpot| 1.0 / tpot.as_secs_f64()),
    })
}

fn screen(r: &Replayed) -> Value {
    let Some(render) = &r.measurement.render else {
        return json!({ "first_paint_ms": null });
    };
    json!({
        "first_paint_ms": ms(render.first_paint),
        "render_lag_ms": ms(render.lag_latest.quantile(0.5)),
        "render_lag_max_ms": ms(render.lag_latest.max()),
        "frames": render.frames,
        "paint_censored": render.censored,
        "not_shown": render.not_shown,
    })
}

fn gaps(r: &Replayed) -> Value {
    let g = &r.measurement.gaps;
    let each = |gaps: &[Duration]| gaps.iter().map(|gap| ms(Some(*gap))).collect::<Vec<_>>();
    json!({
        "gaps_ms": each(&r.collected.gaps),
        "answer_gaps_ms": each(&r.collected.answer_gaps),
        "gap_is_per": "event",
        "max_gap_ms": ms(g.sketch.max()),
        "median_gap_ms": ms(median(&r.collected.gaps)),
        "choppy": g.choppy,
        // Cases count every gap over the limit, seen or not; a record counts those of a hidden page apart.
        "stalls": g.stalls + g.hidden_stalls,
        "stall_ms": ms(Some(g.stall_total)),
        "provider_stalls": g.provider_stalls,
        "gaps_trusted": g.trusted,
        "gaps_unresolved": g.unresolved,
    })
}

fn tokens(r: &Replayed) -> Value {
    let t = &r.measurement.tokens;
    let events = r.measurement.counts.generated;
    let per_event = t
        .output
        .filter(|_| events > 0)
        .map(|n| n as f64 / f64::from(events));
    let reported = |name: &str| {
        let mut all = r.measurement.server_reported.iter();
        all.find(|(known, _)| *known == name).map(|(_, ms)| *ms)
    };
    let eval = reported("eval_duration").zip(t.output.filter(|n| *n > 0));
    json!({
        "usage": t.usage.map(|usage| json!({
            "in": usage.input,
            "out": usage.output,
            "reasoning": usage.reasoning,
            "cached": usage.cached,
        })),
        "usage_final": t.usage_is_final,
        "tokens_out": t.output,
        "tokens_out_source": t.source.as_str(),
        "answer_tokens": t.answer,
        "hidden_reasoning": t.hidden_reasoning,
        "tokens_per_event": per_event,
        "chunk_tokens": r.collected.chunk_tokens(),
        "server_load_ms": reported("load_duration"),
        "server_eval_tpot_ms": eval.map(|(ms, n)| ms / n as f64),
    })
}

fn ending(r: &Replayed) -> Value {
    let m = &r.measurement;
    json!({
        "complete": m.complete,
        "outcome": m.outcome.as_str(),
        "error_class": m.error.map(error_word),
        "error_count": m.error_count,
        "counts_as_error": !matches!(m.outcome, Outcome::Ok | Outcome::Aborted),
        "finish": m.finish,
        "end": m.end,
        "tail_unterminated": m.flags.contains(Flags::TAIL_UNTERMINATED),
    })
}

fn http(r: &Replayed) -> Value {
    let h = &r.measurement.http;
    let class = h.status.map(|status| match status {
        200..=299 => "ok".to_owned(),
        other => format!("{}xx", other / 100),
    });
    let server_timing: BTreeMap<_, _> = h.server_timing.iter().cloned().collect();
    let rate_limits: BTreeMap<_, _> = h.rate_limits.iter().cloned().collect();
    json!({
        "status": h.status,
        "http_class": class,
        "retry_after_ms": ms(h.retry_after),
        "retry_after_known": h.retry_after_known,
        "retryable": h.retryable,
        "request_id": h.request_id,
        "rate_limits": rate_limits,
        "server_timing": server_timing,
    })
}

fn attempts(r: &Replayed) -> Value {
    let all = &r.measurement.attempts;
    let each = |field: fn(&streamlag_core::measurement::Attempt) -> Value| {
        all.iter().map(field).collect::<Vec<_>>()
    };
    // From the end of one attempt to the sending of the next.
    let mut waits = all.windows(2).filter_map(|pair| match pair {
        [before, after] => after.sent?.checked_sub(before.sent? + before.end?),
        _ => None,
    });
    let first_wait = waits.next();
    json!({
        "attempts": r.measurement.attempts_seen,
        "ttft_ms_by_attempt": each(|attempt| json!(ms(attempt.ttft))),
        "attempt_errors": each(|attempt| json!(attempt.error.map(error_word))),
        "retry_wait_ms": ms(first_wait.map(|first| waits.fold(first, |sum, wait| sum + wait))),
    })
}

fn trust(r: &Replayed) -> Value {
    let m = &r.measurement;
    json!({
        "flags": m.flags.words().collect::<Vec<_>>(),
        "suspended_ms": ms(m.suspended),
        "clock": m.clock.name.as_str(),
        "clock_resolution_ms": ms(m.clock.step),
    })
}

fn ms(duration: Option<Duration>) -> Option<f64> {
    duration.map(|duration| duration.as_nanos() as f64 / 1e6)
}

/// The cases' vocabulary knows a broken connection as an answer that was cut off.
fn error_word(class: ErrorClass) -> &'static str {
    match class {
        ErrorClass::Reset | ErrorClass::Network => ErrorClass::Truncated.as_str(),
        other => other.as_str(),
    }
}

fn by_choice(texts: &BTreeMap<u32, String>) -> BTreeMap<String, &String> {
    texts
        .iter()
        .map(|(choice, text)| (choice.to_string(), text))
        .collect()
}

fn median(gaps: &[Duration]) -> Option<Duration> {
    let mut sorted = gaps.to_vec();
    sorted.sort_unstable();
    let (low, high) = (
        sorted.get(sorted.len().checked_sub(1)? / 2)?,
        sorted.get(sorted.len() / 2)?,
    );
    Some((*low + *high) / 2)
}

fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes())
        .iter()
        .fold(String::new(), |mut hex, byte| {
            // Writing to a string cannot fail.
            let _ = write!(hex, "{byte:02x}");
            hex
        })
}
