//! What a region's object remembers between calls, and what follows from it. Pure; one storage value.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use streamlag_wire::delivery::Outbox;
use streamlag_wire::target::TargetConfig;

use crate::auth::Nonces;
use crate::schedule::{self, Plan, Slot};

/// Everything but the outbox's rows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    /// The location hint the object was made with; empty until it was first called.
    pub hint: String,
    /// The object's name; a part of every scheduled record's id.
    pub object: String,
    /// What is known of each target.
    pub targets: BTreeMap<String, Seen>,
    /// Calls that must not be repeated.
    pub nonces: Nonces,
    /// The delivery policy's own state.
    pub outbox: Outbox,
    /// Number of the oldest row in the outbox.
    pub first_row: u64,
    /// Number of the next row.
    pub next_row: u64,
}

/// What is remembered of one target.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Seen {
    /// The last scheduled slot that was probed.
    pub done: Option<Slot>,
    /// When it was last asked.
    pub asked_ms: Option<i64>,
    /// The hour that `used` counts, in hours since 1970.
    pub hour: i64,
    /// Requests in that hour.
    pub used: u32,
}

/// The hour's requests are used up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "target {id:?} was asked {used} times this hour from here, its most: raise max_requests_per_hour or wait"
)]
pub struct OverBudget {
    /// The target.
    pub id: String,
    /// How often it was asked.
    pub used: u32,
}

impl Memory {
    /// Counts one request against the target's hour.
    pub fn spend(&mut self, target: &TargetConfig, now_ms: i64) -> Result<(), OverBudget> {
        let seen = self.targets.entry(target.id.clone()).or_default();
        let hour = now_ms.div_euclid(3_600_000);
        if seen.hour != hour {
            (seen.hour, seen.used) = (hour, 0);
        }
        if seen.used >= target.max_requests_per_hour {
            let (id, used) = (target.id.clone(), seen.used);
            return Err(OverBudget { id, used });
        }
        seen.used += 1;
        Ok(())
    }

    /// The rows that wait.
    pub const fn rows(&self) -> u64 {
        self.next_row.saturating_sub(self.first_row)
    }

    /// What the schedule wants next: the earliest of the targets' next slots, with its due time.
    pub fn next_probe<'t>(
        &self,
        plan: Plan,
        scheduled: &'t [String],
        now_ms: i64,
    ) -> Option<(i64, &'t str, Slot)> {
        let next = |id: &'t String| {
            let done = self.targets.get(id).and_then(|seen| seen.done);
            let slot = plan.next(done, now_ms);
            (plan.due_ms(&self.object, id, slot), id.as_str(), slot)
        };
        scheduled.iter().map(next).min()
    }

    /// When the object must wake: for the next probe or for the next post, never for this very moment.
    /// `None`: nothing to do until somebody calls.
    pub fn wake_ms(&self, plan: Option<Plan>, scheduled: &[String], now_ms: i64) -> Option<i64> {
        let probe = plan.and_then(|plan| self.next_probe(plan, scheduled, now_ms));
        let post = (self.rows() > 0).then_some(self.outbox.not_before_ms);
        let due = probe.map(|(due, ..)| due).into_iter().chain(post).min()?;
        Some(schedule::alarm_ms(due, now_ms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(max: u32) -> TargetConfig {
        let text = serde_json::json!({
            "id": "t", "dialect": "openai", "url": "https://t.example/", "max_requests_per_hour": max,
        });
        serde_json::from_value(text).unwrap()
    }

    #[test]
    fn the_hours_requests_run_out_and_come_back_with_the_next_hour() {
        let mut memory = Memory::default();
        assert_eq!(memory.spend(&target(2), 0), Ok(()));
        assert_eq!(memory.spend(&target(2), 1), Ok(()));
        assert!(memory.spend(&target(2), 3_599_999).is_err());
        assert_eq!(memory.spend(&target(2), 3_600_000), Ok(()));
    }

    #[test]
    fn one_slot_is_probed_once_whatever_number_of_alarms_ring() {
        let plan = Plan::every(60).unwrap();
        let scheduled = vec!["t".to_owned()];
        let mut memory = Memory {
            object: "region:weur:g1".to_owned(),
            ..Memory::default()
        };
        let now = 60_000 * 5 + 59_000;
        let (due, id, slot) = memory.next_probe(plan, &scheduled, now).unwrap();
        assert!(due <= now && slot == 5);
        memory.targets.entry(id.to_owned()).or_default().done = Some(slot);
        let (due, _, slot) = memory.next_probe(plan, &scheduled, now).unwrap();
        assert!(due > now && slot == 6, "a second alarm finds nothing due");
        assert_eq!(memory.wake_ms(Some(plan), &scheduled, now), Some(due));
    }

    #[test]
    fn the_object_wakes_for_undelivered_rows_and_sleeps_without_work() {
        let mut memory = Memory::default();
        assert_eq!(memory.wake_ms(None, &[], 1_000), None);
        memory.next_row = 1;
        assert_eq!(memory.wake_ms(None, &[], 1_000), Some(1_001));
        memory.outbox.not_before_ms = 5_000;
        assert_eq!(memory.wake_ms(None, &[], 1_000), Some(5_000));
    }

    #[test]
    fn memory_of_an_older_version_is_read() {
        let memory: Memory = serde_json::from_str(r#"{"hint":"weur"}"#).unwrap();
        assert_eq!((memory.hint.as_str(), memory.rows()), ("weur", 0));
    }
}
