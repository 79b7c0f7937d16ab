//! Tokens, and where their count came from.

use streamlag_wire::Record;

use super::Row;
use super::value::{known, missing, ms, row};
use crate::state::format::{count, plain};

pub(super) fn tokens(r: &Record) -> Vec<Row> {
    let k = &r.tokens;
    let none = match (r.http.status, r.counts.reads) {
        (None, _) => "no answer came",
        (Some(400..), _) => "the request was refused",
        (_, 0) => "the answer had no body",
        _ => "the provider sent no usage, and chunks are not tokens",
    };
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
