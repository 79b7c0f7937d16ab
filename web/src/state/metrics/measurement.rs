//! What is to be known about the measuring itself.

use streamlag_wire::Record;

use super::value::{known, missing, ms, noted, row};
use super::{Row, flag_words};
use crate::state::format::{count, plain};

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
