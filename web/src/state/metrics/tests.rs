use super::*;

fn find(record: &Record, word: &str) -> Value {
    let rows = sections(record)
        .into_iter()
        .flat_map(|section| section.rows);
    let row = rows.into_iter().find(|row| row.word == word);
    row.unwrap_or_else(|| panic!("no row {word}")).value
}

fn text(record: &Record, word: &str) -> String {
    let text = match find(record, word) {
        Value::Known { text, note } => format!("{text} ({note})"),
        Value::Missing { reason } => format!("— {reason}"),
    };
    text.replace(['\u{202f}', '\u{a0}'], " ")
}

#[test]
fn an_observed_record_has_no_dash() {
    for section in sections(&example()) {
        for row in section.rows {
            assert!(matches!(row.value, Value::Known { .. }), "{row:?}");
        }
    }
}

#[test]
fn render_lag_shows_both_bounds() {
    let shown = text(&example(), "render_lag_ms");
    assert_eq!(
        shown,
        "8.1 – 10.4 ms (median, between its two bounds; at most 19.2 ms)"
    );
}

#[test]
fn token_counts_say_where_they_come_from() {
    assert_eq!(
        text(&example(), "tokens.output"),
        "60 (from the provider's usage)"
    );
    let mut record = example();
    record.tokens = Default::default();
    record.timing.tpot_ms = None;
    let none = "— the provider sent no usage, and chunks are not tokens";
    assert_eq!(text(&record, "tokens.output"), none);
    assert_eq!(text(&record, "tpot_ms"), none);
}

#[test]
fn what_never_came_says_so() {
    let mut record = example();
    record.timing = Default::default();
    record.http.status = None;
    record.counts = Default::default();
    record.timing.ttft_at_least_ms = Some(1_500.0);
    assert_eq!(text(&record, "ttfb_ms"), "— no answer came");
    assert_eq!(
        text(&record, "ttft_ms"),
        "— more than 1,500 ms: it ended before any text"
    );
}

#[test]
fn a_hidden_page_is_the_reason_and_not_a_number() {
    let mut record = example();
    if let Some(render) = &mut record.render {
        *render = Default::default();
        render.censored = 60;
    }
    record.sketches = Default::default();
    assert_eq!(text(&record, "render_lag_ms"), "— the page was hidden");
    assert_eq!(
        text(&record, "frames"),
        "0 (60 reads could not be seen on screen)"
    );
}

#[test]
fn a_few_gaps_make_no_median_but_still_a_longest() {
    let mut record = example();
    if let Some(gaps) = &mut record.sketches.gaps {
        (gaps.n, gaps.p50_ms) = (3, None);
    }
    assert_eq!(
        text(&record, "gap P50"),
        "— 3 gaps are too few for a median"
    );
    assert!(
        text(&record, "longest_gap_ms")
            .starts_with("43.0 ms (700 ms after sending, from the provider")
    );
}

#[test]
fn every_flag_of_the_core_has_words() {
    for (_, flag) in streamlag_core::Flags::ALL {
        assert_ne!(flag_words(flag), *flag);
    }
}

#[test]
fn the_agents_cost_is_also_told_per_read() {
    assert_eq!(text(&example(), "own_cost_ms"), "4.2 ms (68 µs a read)");
}
