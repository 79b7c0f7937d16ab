use super::*;

fn comparison() -> Comparison {
    serde_json::from_str(
        r#"{"generated_at_ms":1,"window_ms":86400000,"complete":true,"groups":[
        {"vantage":"browser","region":null,"target":"t","n":23,"n_ok":21,
         "outcomes":{"ok":21,"aborted":1,"error":1},"error_classes":{"rate_limited":1},"excluded":{},
         "metrics":{"ttft_ms":{"n":21,"p50":301.4,"p95":null,"p99":null,"max":1200.0,"few":[]}}},
        {"vantage":"edge","region":"weur","target":"t","n":3,"n_ok":3,"outcomes":{"ok":3},
         "error_classes":{},"excluded":{"suspended":1},
         "metrics":{"ttft_ms":{"n":3,"p50":null,"p95":null,"p99":null,"max":305.0,"few":[301.0,305.0,299.0]}}}]}"#,
    )
    .unwrap()
}

#[test]
fn below_the_least_n_there_are_raw_values_and_above_it_percentiles() {
    let blocks = blocks(&comparison(), false);
    assert_eq!(blocks[0].word, "ttft_ms");
    let [browser, edge] = &blocks[0].rows[..] else {
        panic!()
    };
    let cells = ["301", NONE, NONE].map(str::to_owned);
    assert_eq!(browser.cells, Cells::Percentiles(cells));
    assert_eq!(edge.cells, Cells::Raw("3 raw: 301 · 305 · 299".into()));
}

#[test]
fn a_metric_nobody_observed_is_nothing_and_not_zero() {
    let blocks = blocks(&comparison(), true);
    let parse = blocks
        .iter()
        .find(|block| block.word == "parse_ms")
        .unwrap();
    assert!(
        parse
            .rows
            .iter()
            .all(|row| row.cells == Cells::Nothing && row.n == 0)
    );
}

#[test]
fn all_places_share_one_scale_that_holds_the_highest() {
    let blocks = blocks(&comparison(), false);
    let [browser, edge] = &blocks[0].rows[..] else {
        panic!()
    };
    let max = browser.chart.max.unwrap();
    assert!((60.0..=100.0).contains(&max), "{max}");
    assert_eq!(edge.chart.dots.len(), 3);
    let dot = edge.chart.dots[0];
    let median = browser.chart.median.unwrap();
    assert!((dot - median).abs() < 1.0, "301 beside 301.4");
    assert_eq!(browser.chart.range, None, "no range without P95");
}

#[test]
fn many_raw_values_are_cut_but_their_number_stays() {
    let few: Vec<f64> = (0..19).map(f64::from).collect();
    let metric = Metric {
        n: 19,
        few,
        ..Metric::default()
    };
    let Cells::Raw(text) = metric.cells() else {
        panic!()
    };
    assert!(
        text.starts_with("19 raw: ") && text.ends_with('…'),
        "{text}"
    );
}

#[test]
fn endings_count_every_record_with_its_class() {
    let comparison = comparison();
    let plain = |group| endings(group).replace('\u{a0}', " ");
    assert_eq!(
        plain(&comparison.groups[0]),
        "23 records: 21 ok, 1 error, 1 aborted (1 rate limited)"
    );
    assert_eq!(
        plain(&comparison.groups[1]),
        "3 records: 3 ok; 1 ok left out of the times (suspended)"
    );
}

#[test]
fn regions_have_names() {
    assert_eq!(place("edge", Some("weur")).region, "Western Europe");
    assert_eq!(place("edge", Some("moon")).region, "moon");
    assert_eq!(place("browser", None).vantage, "Browser");
}
