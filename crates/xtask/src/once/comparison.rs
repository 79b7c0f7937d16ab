//! The comparison of all vantages as a table.

use anyhow::{Context, Result};
use harness::table::{Table, median, ms};
use serde_json::Value;

/// Column and metric, in the order in which a request goes.
const METRICS: [(&str, &str); 8] = [
    ("wait", "wait_ms"),
    ("ttfb", "ttfb_ms"),
    ("ttft", "ttft_ms"),
    ("gen", "gen_ms"),
    ("total", "total_ms"),
    ("longest gap", "longest_gap_ms"),
    ("parse", "parse_ms"),
    ("render lag", "render_lag"),
];

/// Medians in ms; with few records, of the values themselves.
///
/// # Errors
/// When the answer holds no groups.
pub(crate) fn table(answer: &Value) -> Result<String> {
    let groups = answer["groups"]
        .as_array()
        .context("the comparison has no groups")?;
    let mut head = vec!["vantage", "region", "target", "n"];
    head.extend(METRICS.iter().map(|(column, _)| *column));
    let mut table = Table::new(3, &head);
    for group in groups {
        let word = |key: &str| group[key].as_str().unwrap_or("—").to_owned();
        let mut row = vec![
            word("vantage"),
            word("region"),
            word("target"),
            group["n"].to_string(),
        ];
        row.extend(
            METRICS
                .iter()
                .map(|(_, metric)| cell(&group["metrics"], metric)),
        );
        table.row(row);
    }
    Ok(format!(
        "{}\n(ms; medians; —: not observable there)",
        table.text()
    ))
}

fn cell(metrics: &Value, metric: &str) -> String {
    if metric == "render_lag" {
        let bounds =
            ["render_lag_earliest_ms", "render_lag_latest_ms"].map(|m| middle(&metrics[m]));
        return match bounds {
            [None, None] => ms(None),
            [earliest, latest] => format!("{}–{}", ms(earliest), ms(latest)),
        };
    }
    ms(middle(&metrics[metric]))
}

fn middle(metric: &Value) -> Option<f64> {
    let few = metric["few"].as_array()?;
    let few: Vec<f64> = few.iter().filter_map(Value::as_f64).collect();
    metric["p50"].as_f64().or_else(|| median(&few))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn few_values_and_percentiles_both_give_a_middle() {
        let answer = json!({"groups": [
            {"vantage": "browser", "region": null, "target": "t", "n": 2, "metrics": {
                "ttft_ms": {"p50": null, "few": [300.0, 302.0]},
                "render_lag_earliest_ms": {"p50": null, "few": [1.0]},
                "render_lag_latest_ms": {"p50": null, "few": [17.0]}}},
            {"vantage": "edge", "region": "weur", "target": "t", "n": 30,
                "metrics": {"ttft_ms": {"p50": 305.0, "few": []}}},
        ]});
        let text = table(&answer).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[1].contains("301.0") && lines[1].contains("1.0–17.0"),
            "{text}"
        );
        assert!(
            lines[2].contains("weur") && lines[2].contains("305.0"),
            "{text}"
        );
        assert!(lines[2].ends_with('—'), "{text}");
        assert!(table(&json!({})).is_err());
    }
}
