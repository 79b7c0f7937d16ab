//! What was found, for people and for programs.

use harness::table::{Table, median};
use serde_json::{Value, json};

use super::errors::Errors;
use super::summary::{Summary, Verdict, judge};
use super::vantage::{Both, Vantage};

/// All of one place.
pub(super) struct Report {
    name: &'static str,
    about: &'static str,
    goal_ms: f64,
    loads: Vec<Both>,
}

type Metric = (&'static str, fn(&Errors) -> &[f64]);

const METRICS: [Metric; 3] = [
    ("ttft", |errors| &errors.ttft),
    ("gap", |errors| &errors.gap),
    ("total", |errors| &errors.total),
];

const HEAD: [&str; 17] = [
    "streams",
    "metric",
    "n",
    "P50",
    "P95",
    "P99",
    "worst",
    "floor n",
    "P50",
    "P95",
    "P99",
    "worst",
    "above",
    "goal",
    "P99 ratio",
    "goal",
    "",
];

impl Report {
    pub(super) fn new(place: &impl Vantage, loads: Vec<Both>) -> Self {
        Self {
            name: place.name(),
            about: place.about(),
            goal_ms: place.goal_ms(),
            loads,
        }
    }

    /// A table, and what else is to be known about it.
    pub(super) fn text(&self) -> String {
        let mut table = Table::new(2, &HEAD);
        let mut notes = Vec::new();
        for both in &self.loads {
            for metric in METRICS {
                table.row(self.row(both, metric));
            }
            notes.push(self.note(both));
        }
        format!(
            "{}: {}\nmeasured − truth in ms, streamlag's and then the floor's; goals: at the median at most {} ms above the \
             floor, P99 at most 1.2 times the floor's\n{}\n{}\n",
            self.name,
            self.about,
            self.goal_ms,
            table.text(),
            notes.join("\n")
        )
    }

    fn row(&self, both: &Both, (metric, of): Metric) -> Vec<String> {
        let (ours, floor) = (Summary::of(of(&both.ours)), Summary::of(of(&both.floor)));
        let judged = judge(&ours, &floor, self.goal_ms, both.step_ms);
        let mut row = vec![both.cell.name.to_owned(), metric.to_owned()];
        for summary in [ours, floor] {
            row.push(summary.n.to_string());
            row.extend([summary.p50, summary.p95, summary.p99, summary.worst].map(number));
        }
        row.push(judged.above_ms.map_or_else(dash, |ms| format!("{ms:+.2}")));
        row.push(judged.median.word().to_owned());
        row.push(
            judged
                .ratio
                .map_or_else(dash, |ratio| format!("{ratio:.2}")),
        );
        row.push(judged.tail.word().to_owned());
        row.push(
            if self.is_late(both) {
                "server late"
            } else {
                ""
            }
            .to_owned(),
        );
        row
    }

    /// Whether the server itself was late by more than the goal: then the machine was too busy for its numbers.
    fn is_late(&self, both: &Both) -> bool {
        let late = server(both);
        late.p99
            .or(late.worst)
            .is_some_and(|late| late > self.goal_ms)
    }

    fn note(&self, both: &Both) -> String {
        let late = server(both);
        let mut note = format!(
            "{} at once: the server wrote {} late at the median, {} at P99, {} at worst{}; texts that came together with \
             others (no gap): {} of {} with streamlag, {} of {} with the bare loop",
            both.cell.name,
            number(late.p50),
            number(late.p99),
            number(late.worst),
            if self.is_late(both) {
                ", MORE THAN THE GOAL: these numbers are the machine's rather than streamlag's"
            } else {
                ""
            },
            both.ours.coalesced,
            both.ours.texts,
            both.floor.coalesced,
            both.floor.texts,
        );
        if let Some(cost) = median(&both.ours.own_cost_us) {
            let word = if cost < 50.0 {
                Verdict::Met
            } else {
                Verdict::Missed
            }
            .word();
            note += &format!("; measuring took {cost:.0} µs a read (goal < 50: {word})");
        }
        note
    }

    /// Everything in the table, and the notes' numbers.
    pub(super) fn json(&self) -> Value {
        let loads = self.loads.iter().map(|both| {
            let metrics = METRICS.map(|(name, of)| {
                let (ours, floor) = (Summary::of(of(&both.ours)), Summary::of(of(&both.floor)));
                let judged = judge(&ours, &floor, self.goal_ms, both.step_ms);
                json!({
                    "metric": name, "ours": ours.json(), "floor": floor.json(),
                    "above_ms": judged.above_ms, "median_goal": judged.median.word(),
                    "p99_ratio": judged.ratio, "p99_goal": judged.tail.word(),
                })
            });
            json!({
                "streams": both.cell.name, "metrics": metrics, "step_ms": both.step_ms,
                "server_late_ms": server(both).json(), "server_late": self.is_late(both),
                "coalesced": { "ours": both.ours.coalesced, "floor": both.floor.coalesced },
                "texts": { "ours": both.ours.texts, "floor": both.floor.texts },
                "own_cost_us_a_read": median(&both.ours.own_cost_us),
            })
        });
        json!({ "place": self.name, "goal_ms": self.goal_ms, "loads": loads.collect::<Value>() })
    }
}

/// The server's lateness with both.
fn server(both: &Both) -> Summary {
    Summary::of(&[&both.ours.server_late[..], &both.floor.server_late[..]].concat())
}

fn number(ms: Option<f64>) -> String {
    ms.map_or_else(dash, |ms| format!("{ms:.2}"))
}

fn dash() -> String {
    "—".to_owned()
}
