//! When a region probes which target. Pure: the time comes in, the next alarm comes out.
//!
//! Time is cut into slots of one interval. A slot of an object and a target has one due time and one
//! record id, both derived and never drawn, so that an alarm which runs twice makes the same record twice
//! and the collector keeps one.

use sha2::{Digest, Sha256};
use streamlag_wire::hex;

/// After this long without a request to a target, the next one is cold.
pub const IDLE_MS: i64 = 300_000;

/// How often a target is probed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// One probe in so many milliseconds. Positive.
    interval_ms: i64,
    /// Each slot's due time is put off by up to so much, so that regions don't ask in step.
    jitter_ms: i64,
}

/// One slot's number: `floor(time / interval)`.
pub type Slot = i64;

impl Plan {
    /// A probe every `interval_s` seconds, each put off by up to a tenth of that. `None` for 0: off.
    pub fn every(interval_s: u32) -> Option<Self> {
        let interval_ms = i64::from(interval_s) * 1_000;
        (interval_s > 0).then_some(Self {
            interval_ms,
            jitter_ms: interval_ms / 10,
        })
    }

    /// The slot that a moment lies in.
    pub fn slot_at(self, now_ms: i64) -> Slot {
        now_ms.div_euclid(self.interval_ms)
    }

    /// When a slot of this object and target is due.
    pub fn due_ms(self, object: &str, target: &str, slot: Slot) -> i64 {
        let spread = u64::from_be_bytes(first_8(&digest("due", object, target, slot)));
        let width = u64::try_from(self.jitter_ms).unwrap_or(0).saturating_add(1);
        let put_off = i64::try_from(spread % width).unwrap_or(0);
        slot.saturating_mul(self.interval_ms) + put_off
    }

    /// The slot to probe next, after `done`. Slots missed while nothing ran are left out, not caught up:
    /// a burst of late probes would measure the burst.
    pub fn next(self, done: Option<Slot>, now_ms: i64) -> Slot {
        let current = self.slot_at(now_ms);
        done.map_or(current, |done| current.max(done.saturating_add(1)))
    }
}

/// The id of the record of one slot: 32 hex digits.
pub fn record_id(object: &str, target: &str, slot: Slot) -> String {
    hex::lower(&digest("record", object, target, slot)[..16])
}

/// When to set the alarm for something due then. An alarm set for this very moment can be lost, so it is
/// always at least 1 ms ahead.
pub const fn alarm_ms(due_ms: i64, now_ms: i64) -> i64 {
    if due_ms > now_ms { due_ms } else { now_ms + 1 }
}

/// `cold` when the target was not asked from here lately (or ever), else `warm`.
pub fn warmth(last_asked_ms: Option<i64>, now_ms: i64) -> &'static str {
    match last_asked_ms {
        Some(last) if now_ms.saturating_sub(last) < IDLE_MS => "warm",
        _ => "cold",
    }
}

/// Lengths before the parts: no two sets of parts give the same bytes.
fn digest(purpose: &str, object: &str, target: &str, slot: Slot) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in [purpose, object, target] {
        hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        hash.update(part);
    }
    hash.update(slot.to_be_bytes());
    hash.finalize().into()
}

fn first_8(bytes: &[u8; 32]) -> [u8; 8] {
    let [a, b, c, d, e, f, g, h, ..] = *bytes;
    [a, b, c, d, e, f, g, h]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OBJECT: &str = "region:weur:g1";

    #[test]
    fn a_repeated_alarm_makes_the_same_record() {
        let id = record_id(OBJECT, "t", 7);
        assert_eq!(id, record_id(OBJECT, "t", 7));
        assert_eq!(id.len(), 32);
    }

    #[test]
    fn every_object_target_and_slot_has_its_own_record() {
        let ids = [
            record_id(OBJECT, "t", 7),
            record_id(OBJECT, "t", 8),
            record_id(OBJECT, "u", 7),
            record_id("region:enam:g1", "t", 7),
            record_id("region:weur:g1t", "", 7),
        ];
        for (index, id) in ids.iter().enumerate() {
            assert!(!ids[..index].contains(id), "{id}");
        }
    }

    #[test]
    fn zero_means_off() {
        assert_eq!(Plan::every(0), None);
    }

    #[test]
    fn missed_slots_are_left_out() {
        let plan = Plan::every(60).unwrap();
        assert_eq!(plan.next(Some(3), 60_000 * 100), 100);
        assert_eq!(plan.next(Some(100), 60_000 * 100), 101);
        assert_eq!(plan.next(None, 60_000 * 100), 100);
    }

    #[test]
    fn an_alarm_is_never_set_for_this_very_moment() {
        assert_eq!(alarm_ms(5, 10), 11);
        assert_eq!(alarm_ms(10, 10), 11);
        assert_eq!(alarm_ms(20, 10), 20);
    }

    #[test]
    fn the_first_request_after_an_idle_period_is_cold() {
        assert_eq!(warmth(None, 0), "cold");
        assert_eq!(warmth(Some(0), IDLE_MS - 1), "warm");
        assert_eq!(warmth(Some(0), IDLE_MS), "cold");
    }

    proptest! {
        #[test]
        fn the_due_time_lies_in_its_slot_and_is_always_the_same(
            interval in 1_u32..100_000, slot in 0_i64..1_000_000,
        ) {
            let plan = Plan::every(interval).unwrap();
            let due = plan.due_ms(OBJECT, "t", slot);
            prop_assert_eq!(due, plan.due_ms(OBJECT, "t", slot));
            prop_assert_eq!(plan.slot_at(due), slot);
        }

        #[test]
        fn whatever_was_done_the_next_slot_is_new_and_not_in_the_past(
            interval in 1_u32..100_000, done in proptest::option::of(0_i64..1_000_000), now in 0_i64..1_i64 << 50,
        ) {
            let plan = Plan::every(interval).unwrap();
            let next = plan.next(done, now);
            prop_assert!(done.is_none_or(|done| next > done));
            prop_assert!(next >= plan.slot_at(now));
        }
    }
}
