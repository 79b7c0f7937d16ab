//! One record for people: every number with its unit, every missing one with its reason.

use std::fmt::Write as _;

use streamlag_wire::Record;
use streamlag_wire::record::TimingJson;

/// A row of the table: what it is, its value, and why there is none or what to know about it.
struct Row {
    name: &'static str,
    value: Option<String>,
    note: String,
}

/// The whole record as a table.
pub(super) fn table(record: &Record) -> String {
    let mut text = headline(record);
    let rows = timing_rows(record).into_iter().chain(other_rows(record));
    for Row { name, value, note } in rows {
        let value = value.as_deref().unwrap_or("—");
        let _ = writeln!(
            text,
            "{}",
            format!("  {name:<14}{value:>12}  {note}").trim_end()
        );
    }
    text
}

/// The record in one line, for one of many.
pub(super) fn line(number: usize, record: &Record) -> String {
    let t = &record.timing;
    let cell = |name: &str, value: Option<f64>| match value {
        Some(value) => format!("{name} {value:.1}"),
        None => format!("{name} —"),
    };
    format!(
        "{number:>5}  {:<10} {}  {}  {}  ms",
        outcome(record),
        cell("ttfb", t.ttfb_ms),
        cell("ttft", t.ttft_ms),
        cell("total", t.total_ms)
    )
}

fn headline(record: &Record) -> String {
    let target = &record.target;
    let mut text = format!("{}: {}", target.id, outcome(record));
    for part in [&record.finish, &record.end].into_iter().flatten() {
        let _ = write!(text, ", {part}");
    }
    let url = target.base_url.as_deref().unwrap_or_default();
    let _ = write!(text, "\n  {url}");
    if let Some(model) = &target.model {
        let _ = write!(text, ", model {model}");
    }
    if let Some(status) = record.http.status {
        let _ = write!(text, ", status {status}");
    }
    if let Some(ms) = record.http.retry_after_ms {
        let _ = write!(text, ", retry after {:.0} s", ms / 1e3);
    }
    text.push('\n');
    text
}

/// Outcome, and its class or the limit that ran out.
fn outcome(record: &Record) -> String {
    match (&record.timeout_phase, &record.error_class) {
        (Some(phase), _) => format!("{} ({phase})", record.outcome),
        (None, Some(class)) if *class != record.outcome => format!("{} ({class})", record.outcome),
        _ => record.outcome.clone(),
    }
}

fn timing_rows(record: &Record) -> Vec<Row> {
    let t = &record.timing;
    let no_text = no_text(t);
    let one_time = "needs generated text at two different times";
    let row = |name, ms: Option<f64>, missing: &str| Row {
        name,
        value: ms.map(milliseconds),
        note: if ms.is_some() {
            String::new()
        } else {
            missing.to_owned()
        },
    };
    let longest = record.gaps.longest.first();
    let no_rate = match record.tokens.output {
        None => "the provider sent no usage, and events are not tokens",
        Some(_) => "needs two tokens at two different times",
    };
    vec![
        row("wait", t.wait_ms, "no intent was stamped"),
        row("ttfb", t.ttfb_ms, "no body byte arrived"),
        row("ttft", t.ttft_ms, &no_text),
        row("first answer", t.ttfo_ms, "no answer text arrived"),
        row("gen", t.gen_ms, one_time),
        row("total", t.total_ms, "no generated text arrived"),
        row("longest gap", longest.map(|gap| gap.gap_ms), one_time),
        row("tpot", t.tpot_ms, no_rate),
        row("parse", record.parse_ms, "nothing was parsed"),
        row("render lag", None, "a native process has no screen"),
    ]
}

fn no_text(t: &TimingJson) -> String {
    match t.ttft_at_least_ms {
        Some(least) => format!("no generated text arrived within {least:.1} ms"),
        None => "no generated text arrived".to_owned(),
    }
}

fn other_rows(record: &Record) -> Vec<Row> {
    let (counts, gaps) = (&record.counts, &record.gaps);
    let tokens = record.tokens.output;
    let step = record.clock.step_ms;
    let mut rows = vec![
        Row {
            name: "stalls",
            value: Some(gaps.stalls.to_string()),
            note: format!("gaps over 500 ms; {} over 200 ms", gaps.choppy),
        },
        Row {
            name: "tokens out",
            value: tokens.map(|n| n.to_string()),
            note: match tokens {
                Some(_) => format!("from {}", record.tokens.source),
                None => "the provider sent no usage, and events are not tokens".to_owned(),
            },
        },
        Row {
            name: "reads",
            value: Some(counts.reads.to_string()),
            note: format!("{} events, {} bytes", counts.events, counts.body_bytes),
        },
        Row {
            name: "clock step",
            value: step.map(|ms| format!("{} ms", significant(ms))),
            note: record.clock.name.clone(),
        },
    ];
    if !record.flags.is_empty() {
        rows.push(Row {
            name: "flags",
            value: Some(record.flags.len().to_string()),
            note: record.flags.join(", "),
        });
    }
    rows.push(Row {
        name: "record",
        value: Some(String::new()),
        note: record.id.clone(),
    });
    rows
}

/// Two significant digits are all that is known of a step.
fn significant(ms: f64) -> String {
    if ms >= 0.01 {
        format!("{ms:.2}")
    } else {
        format!("{ms:.6}")
    }
}

fn milliseconds(ms: f64) -> String {
    format!("{ms:.2} ms")
}
