//! From the click to the end of the stream.

use streamlag_wire::Record;

use super::Row;
use super::value::{known, missing, ms, noted, row};
use crate::state::format::{count, counted, duration};

pub(super) fn waiting(r: &Record) -> Vec<Row> {
    let t = &r.timing;
    let text = || no_text(r);
    vec![
        row(
            "Before sending",
            "wait_ms",
            ms(r, t.wait_ms, || {
                "the moment of the click is not known".into()
            }),
        ),
        row(
            "Status and headers",
            "headers_ms",
            ms(r, t.headers_ms, || no_answer(r)),
        ),
        row("First byte", "ttfb_ms", ms(r, t.ttfb_ms, || no_answer(r))),
        row(
            "First generated text",
            "ttft_ms",
            ms(r, t.ttft_ms, || match t.ttft_at_least_ms {
                Some(least) => format!(
                    "more than {}: it ended before any text",
                    duration(least, r.clock.step_ms)
                ),
                None => text(),
            }),
        ),
        row(
            "First answer text",
            "ttfo_ms",
            ms(r, t.ttfo_ms, || match r.counts.reasoning {
                0 => text(),
                _ => "only reasoning came".into(),
            }),
        ),
    ]
}

pub(super) fn streaming(r: &Record) -> Vec<Row> {
    let t = &r.timing;
    let mut rows = gaps(r);
    rows.extend([
        row(
            "First to last text",
            "gen_ms",
            ms(r, t.gen_ms, || no_text(r)),
        ),
        row(
            "Sending to last text",
            "total_ms",
            ms(r, t.total_ms, || no_text(r)),
        ),
        row(
            "End of the stream",
            "stream_end_ms",
            ms(r, t.stream_end_ms, || no_end(r)),
        ),
    ]);
    rows
}

fn gaps(r: &Record) -> Vec<Row> {
    let g = &r.gaps;
    let step = r.clock.step_ms;
    let sketch = r.sketches.gaps.as_ref();
    let observed = sketch.map_or(0, |sketch| sketch.n);
    let few = || match observed {
        0 => "no two texts with different stamps".to_owned(),
        n => format!("{} are too few for a median", counted(n, "gap")),
    };
    let longest = g.longest.first();
    let at = longest.map_or_else(String::new, |gap| {
        format!(
            "{} after sending, {}",
            duration(gap.at_ms, step),
            cause(&gap.cause)
        )
    });
    let seen = |n: u32, note: String| match observed {
        0 => missing("no gap was observed"),
        _ => known(count(u64::from(n)), note),
    };
    let stalled = match g.stalls {
        0 => String::new(),
        _ => format!("{} in all", duration(g.stall_ms, step)),
    };
    vec![
        row(
            "Typical gap between texts",
            "gap P50",
            ms(r, sketch.and_then(|sketch| sketch.p50_ms), few),
        ),
        row(
            "Longest gap",
            "longest_gap_ms",
            noted(ms(r, longest.map(|gap| gap.gap_ms), few), at),
        ),
        row(
            "Choppy gaps, over 200\u{202f}ms",
            "choppy",
            seen(g.choppy, String::new()),
        ),
        row(
            "Stalls, over 500\u{202f}ms",
            "stalls",
            seen(g.stalls, stalled),
        ),
    ]
}

fn no_answer(r: &Record) -> String {
    match r.http.status {
        None => "no answer came".into(),
        Some(_) => "the answer had no body".into(),
    }
}

fn no_text(r: &Record) -> String {
    match (r.http.status, r.counts.reads) {
        (None, _) => "no answer came".into(),
        (_, 0) => "the answer had no body".into(),
        _ => "no text was generated".into(),
    }
}

fn no_end(r: &Record) -> String {
    match r.outcome.as_str() {
        "aborted" => "it was stopped".into(),
        _ => "it did not end by itself".into(),
    }
}

fn cause(word: &str) -> &str {
    match word {
        "upstream" => "from the provider or the network",
        "gateway_batching" => "a gateway's timer",
        "main_thread" => "this page was busy",
        "hidden" => "the page was hidden",
        "suspended" => "the machine slept",
        other => other,
    }
}
