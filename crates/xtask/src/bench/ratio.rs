//! Times of rounds that took turns, as a table with ratios.

use anyhow::{Context, Result};
use harness::table::{Table, median};
use serde_json::Value;

/// One way to read, and how long it took each time.
pub(super) struct Contender {
    name: String,
    /// Not ours.
    other: bool,
    events: f64,
    bytes: f64,
    /// Of each round.
    ns: Vec<f64>,
}

impl Contender {
    /// From a bench's report.
    pub(super) fn parse(report: &Value) -> Result<Self> {
        let number = |field: &str| {
            let number = report[field].as_f64();
            number.with_context(|| format!("the bench reports no {field}: {report}"))
        };
        let rounds = report["ns"].as_array();
        let ns = rounds.into_iter().flatten().filter_map(Value::as_f64);
        Ok(Self {
            name: report["name"].as_str().unwrap_or_default().to_owned(),
            other: report["other"].as_bool().unwrap_or_default(),
            events: number("events")?,
            bytes: number("bytes")?,
            ns: ns.collect(),
        })
    }

    /// How many times the first one's time this one took: the middle of each round's ratio.
    fn ratio(&self, first: &Self) -> Option<f64> {
        let each = self.ns.iter().zip(&first.ns);
        median(&each.map(|(this, first)| this / first).collect::<Vec<_>>())
    }
}

/// Prints the medians of all, how many times the first one's time each took, and whether the quickest of the
/// others took as many times that as is aimed at.
///
/// # Errors
/// When there are no rounds.
pub(super) fn print(title: &str, contenders: &[Contender], aim: f64) -> Result<()> {
    let first = contenders.first().context("nobody read anything")?;
    let head = ["", "ns/event", "events/s", "MB/s", "rounds", "time to ours"];
    let mut table = Table::new(1, &head);
    for contender in contenders {
        let ns = median(&contender.ns).context("no rounds")?;
        let ratio = contender.ratio(first).context("no rounds")?;
        table.row(vec![
            contender.name.clone(),
            format!("{:.0}", ns / contender.events),
            format!("{:.0}", contender.events / ns * 1e9),
            format!("{:.0}", contender.bytes / ns * 1e3),
            contender.ns.len().to_string(),
            format!("{ratio:.2}"),
        ]);
    }
    println!("{title}, medians\n{}", table.text());
    if let Some((name, ratio)) = best(contenders, first) {
        let word = if ratio < aim { "MISSED" } else { "reached" };
        println!("{name} takes {ratio:.2} times the first one's time; {aim} is aimed at: {word}\n");
    }
    Ok(())
}

/// The quickest of the others.
fn best<'a>(contenders: &'a [Contender], first: &Contender) -> Option<(&'a str, f64)> {
    contenders
        .iter()
        .filter(|contender| contender.other)
        .filter_map(|contender| Some((contender.name.as_str(), contender.ratio(first)?)))
        .min_by(|(_, left), (_, right)| left.total_cmp(right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_ratio_is_the_middle_of_each_rounds() {
        let contender = |ns: [u32; 3]| {
            Contender::parse(&json!({"name": "x", "events": 2, "bytes": 9, "ns": ns})).unwrap()
        };
        // The second round was a busy one for both.
        let (ours, theirs) = (contender([10, 100, 10]), contender([20, 300, 40]));
        assert!((theirs.ratio(&ours).unwrap() - 3.0).abs() < 1e-9);
        assert!(Contender::parse(&json!({"name": "x"})).is_err());
    }

    #[test]
    fn ours_are_compared_with_the_quickest_of_the_others() {
        let contender = |name: &str, other: bool, ns: u32| {
            let report = json!({"name": name, "other": other, "events": 1, "bytes": 1, "ns": [ns]});
            Contender::parse(&report).unwrap()
        };
        let all = [
            contender("ours", false, 10),
            contender("ours too", false, 11),
            contender("slow", true, 50),
            contender("quick", true, 30),
        ];
        let (name, ratio) = best(&all, &all[0]).unwrap();
        assert_eq!(name, "quick");
        assert!((ratio - 3.0).abs() < 1e-9);
    }
}
