//! Each row: where its number comes from, and why it may be missing.

use streamlag_wire::{Record, SketchJson};

use super::{Row, Value, flag_words};
use crate::state::format::{bounds, count, counted, duration, plain};

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
    let (t, g) = (&r.timing, &r.gaps);
    let step = r.clock.step_ms;
    let few = || match g.sketch.n {
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
    let seen = |n: u32, note: String| match g.sketch.n {
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
            ms(r, g.sketch.p50_ms, few),
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
    ]
}

pub(super) fn tokens(r: &Record) -> Vec<Row> {
    let k = &r.tokens;
    let none = "the provider sent no usage, and chunks are not tokens";
    let provisional = if k.usage_is_final {
        ""
    } else {
        ", provisional"
    };
    let hidden = if k.hidden_reasoning {
        ", reasoning billed but not streamed"
    } else {
        ""
    };
    let from = format!("from the provider's usage{provisional}{hidden}");
    let number = |n: Option<u64>, note: &str| match n {
        Some(n) => known(count(n), note.to_owned()),
        None => missing(none),
    };
    let rate = r
        .timing
        .tps
        .map(|tps| known(format!("{}\u{202f}/s", plain(tps, 1)), String::new()));
    let why = match k.output {
        None => none,
        Some(0 | 1) => "it takes two tokens or more",
        Some(_) => "the texts were not apart in time",
    };
    vec![
        row("Output tokens", "tokens.output", number(k.output, &from)),
        row("Input tokens", "tokens.input", number(k.input, "")),
        row(
            "Time per output token",
            "tpot_ms",
            ms(r, r.timing.tpot_ms, || why.into()),
        ),
        row(
            "Output tokens a second",
            "tps",
            rate.unwrap_or_else(|| missing(why)),
        ),
    ]
}

pub(super) fn screen(r: &Record) -> Vec<Row> {
    let step = r.clock.step_ms;
    let per_read = |sketch: &SketchJson| match (sketch.p50_ms, sketch.max_ms) {
        (Some(p50), Some(max)) => format!(
            "median {}, longest {} a read",
            duration(p50, step),
            duration(max, step)
        ),
        (None, Some(max)) => format!("longest {} a read", duration(max, step)),
        _ => String::new(),
    };
    let parse = ms(r, r.parse_ms, || "no body was read".into());
    let parse = noted(parse, r.parse.as_ref().map_or_else(String::new, per_read));
    let mut rows = vec![row("Parsing, all reads", "parse_ms", parse)];
    let Some(render) = &r.render else {
        rows.push(row(
            "Read to painted frame",
            "render_lag_ms",
            Value::Missing {
                reason: no_paint(r),
            },
        ));
        return rows;
    };
    let (early, late) = (&render.lag_earliest, &render.lag_latest);
    let pick = |sketch: &SketchJson| sketch.p50_ms.or(sketch.max_ms);
    let lag = match (pick(early), pick(late)) {
        (Some(from), Some(to)) => {
            let what = if late.p50_ms.is_some() {
                "median"
            } else {
                "longest"
            };
            let most = late.max_ms.filter(|_| late.p50_ms.is_some());
            let most = most.map_or_else(String::new, |max| {
                format!(", at most {}", duration(max, step))
            });
            known(
                bounds(from, to, step),
                format!("{what}, between its two bounds{most}"),
            )
        }
        _ => Value::Missing {
            reason: no_paint(r),
        },
    };
    let holdback = ms(r, pick(&render.holdback), || {
        "the page did not say when it wrote the text".into()
    });
    let frames = match (render.frames, render.censored, render.not_shown) {
        (frames, 0, 0) => known(
            count(frames.into()),
            format!("for {}", counted(r.counts.reads.into(), "read")),
        ),
        (frames, hidden, unshown) => {
            let left = u64::from(hidden) + u64::from(unshown);
            known(
                count(frames.into()),
                format!("{} could not be seen on screen", counted(left, "read")),
            )
        }
    };
    rows.extend([
        row("Read to painted frame", "render_lag_ms", lag),
        row("Held back before the DOM", "holdback_ms", holdback),
        row(
            "First text on screen",
            "first_paint_ms",
            ms(r, render.first_paint_ms, || no_paint(r)),
        ),
        row("Frames with new text", "frames", frames),
    ]);
    rows
}

pub(super) fn measurement(r: &Record) -> Vec<Row> {
    let own = ms(r, r.own_cost_ms, || "it was not measured".into());
    let per = match (r.own_cost_ms, r.counts.reads) {
        (Some(cost), 1..) => format!(
            "{} µs a read",
            plain(cost * 1e3 / f64::from(r.counts.reads), 0)
        ),
        _ => String::new(),
    };
    let step = r.clock.step_ms.map(|step| {
        known(
            format!("{}\u{202f}ms", plain(step, 3)),
            r.clock.name.clone(),
        )
    });
    let step = step.unwrap_or_else(|| missing("its step was not measured"));
    let reused = match r.connection_reused {
        Some(true) => known(
            "reused".into(),
            "no set-up longer than the clock's step".into(),
        ),
        Some(false) => known("new".into(), "its set-up is part of the first byte".into()),
        None => missing("the browser does not tell"),
    };
    let flags: Vec<&str> = r.flags.iter().map(|flag| flag_words(flag)).collect();
    let doubts = match flags.is_empty() {
        true => known("none".into(), String::new()),
        false => known(count(flags.len() as u64), flags.join("; ")),
    };
    vec![
        row("Cost of measuring", "own_cost_ms", noted(own, per)),
        row("Clock's smallest step", "clock.step_ms", step),
        row("Connection to the relay", "connection_reused", reused),
        row("Doubts about these numbers", "flags", doubts),
    ]
}

fn row(label: &'static str, word: &'static str, value: Value) -> Row {
    Row { label, word, value }
}

fn known(text: String, note: String) -> Value {
    Value::Known { text, note }
}

fn missing(reason: &str) -> Value {
    Value::Missing {
        reason: reason.to_owned(),
    }
}

fn ms(record: &Record, value: Option<f64>, reason: impl FnOnce() -> String) -> Value {
    match value {
        Some(value) => known(duration(value, record.clock.step_ms), String::new()),
        None => Value::Missing { reason: reason() },
    }
}

fn noted(value: Value, note: String) -> Value {
    match value {
        Value::Known { text, .. } => Value::Known { text, note },
        missing @ Value::Missing { .. } => missing,
    }
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

fn no_paint(r: &Record) -> String {
    match &r.render {
        Some(render) if render.censored > 0 => "the page was hidden".into(),
        _ if r.counts.content + r.counts.reasoning + r.counts.tool == 0 => {
            "there was no text to show".into()
        }
        _ => "no frame was observed before the record was closed".into(),
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
