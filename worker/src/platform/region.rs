//! One object a region: probes one target at a time, keeps what it measured until the collector has it,
//! and wakes itself for the schedule.

use std::cell::Cell;

use streamlag_wire::target::TargetConfig;
use worker::{DurableObject, Env, Request, Response, Result, State, console_error, durable_object};

use crate::auth;
use crate::host::Host;
use crate::memory::OverBudget;
use crate::orders::{Order, ProbeResult, ScheduleResult, Task};
use crate::platform::network::Network;
use crate::platform::storage::Store;
use crate::platform::{json, outbox, random_hex, refusal, settings, text};
use crate::probe::{Job, probe};
use crate::schedule::{self, Slot};
use crate::settings::Settings;

/// How often a waiting call looks whether its turn has come, and how long it waits at most.
const TURN_STEP_MS: u32 = 20;
const TURN_MOST_MS: i64 = 60_000;
/// A turn that lasts longer than any probe can was left by a call that the platform ended.
const TURN_STALE_MS: i64 = 660_000;
/// When the bindings are wrong, the alarm looks again after this.
const MEND_MS: i64 = 60_000;
/// An alarm that should have rung this long ago is lost: alarms may slip a minute.
const LOST_MS: i64 = 120_000;

/// The region's object.
#[durable_object(alarm)]
pub struct Region {
    env: Env,
    store: Store,
    /// Since when a probe or a delivery is at work. One at a time: the platform silently queues the
    /// seventh connection, and a queued request would be measured as a slow target.
    busy_since: Cell<Option<i64>>,
}

impl DurableObject for Region {
    fn new(state: State, env: Env) -> Self {
        Self {
            env,
            store: Store::new(state.storage()),
            busy_since: Cell::new(None),
        }
    }

    async fn fetch(&self, mut request: Request) -> Result<Response> {
        let order: Order = request.json().await?;
        let settings = match settings(&self.env) {
            Ok(settings) => settings,
            Err(bad) => return refusal(500, bad),
        };
        self.store.load().await?;
        let now_s = auth::seconds(Network.now_ms());
        let admitted = self.store.with(|memory| {
            (memory.hint, memory.object) = (order.hint, order.object);
            let admit = |signed| memory.nonces.admit(&signed, now_s);
            order.signed.map_or(Ok(()), admit)
        });
        match (admitted, order.task) {
            (Err(refused), _) => refusal(401, refused),
            (Ok(()), Task::Probe(id)) => self.probe_now(&settings, &id).await,
            (Ok(()), Task::EnsureAlarm) => self.ensure_alarm(&settings).await,
        }
    }

    async fn alarm(&self) -> Result<Response> {
        // An error would make the platform repeat the alarm at its own pace; it is set again already.
        if let Err(error) = self.wake().await {
            console_error!("alarm: {error}");
        }
        Response::empty()
    }
}

impl Region {
    /// `POST /probe`: one probe now, its record delivered or kept.
    async fn probe_now(&self, settings: &Settings, id: &str) -> Result<Response> {
        let intent_ms = Network.now_ms();
        let Some(target) = settings.targets.get(id) else {
            return refusal(404, format!("no target {id:?} is configured here"));
        };
        let Some(_turn) = self.turn().await else {
            return refusal(
                429,
                "this region is busy with other probes: try again later",
            );
        };
        let (row, mut result) = match self
            .measure(settings, target, &Wanted::now(intent_ms)?)
            .await?
        {
            Ok(done) => done,
            Err(over) => return refusal(429, over),
        };
        outbox::deliver(&self.store, settings).await?;
        result.delivered = self.store.with(|memory| row < memory.first_row);
        self.set_next_alarm(settings).await?;
        json(200, &result)
    }

    /// Probes and keeps the record. Answers with the outbox row it was kept in.
    async fn measure(
        &self,
        settings: &Settings,
        target: &TargetConfig,
        wanted: &Wanted,
    ) -> Result<std::result::Result<(u64, ProbeResult), OverBudget>> {
        let now_ms = Network.now_ms();
        let ready = self.store.with(|memory| {
            let seen = memory.targets.entry(target.id.clone()).or_default();
            // A slot counts as done even if its probe is over budget: it is not tried again and again.
            seen.done = wanted.slot.or(seen.done);
            let warmth = schedule::warmth(seen.asked_ms, now_ms);
            let region = memory.hint.clone();
            memory.spend(target, now_ms).map(|()| (warmth, region))
        });
        let (warmth, region) = match ready {
            Ok(ready) => ready,
            Err(over) => return Ok(Err(over)),
        };
        self.store.settle().await?;
        let job = Job {
            target,
            region: &region,
            record_id: wanted.record_id.clone(),
            warmth,
            intent_ms: wanted.intent_ms,
            allow_private: settings.allow_private,
        };
        let key = |name: &str| text(&self.env, &format!("KEY_{name}"));
        let (mut record, reason) = probe(&Network, job, key).await;
        if let Some(reason) = &reason {
            console_error!("prober: {reason}");
        }
        let row = self.store.with(|memory| {
            let seen = memory.targets.entry(target.id.clone()).or_default();
            seen.asked_ms = Some(Network.now_ms());
            memory.next_row += 1;
            memory.next_row - 1
        });
        let text = record.to_json().ok_or("the record is not JSON")?;
        self.store.save(Some((row, &text))).await?;
        Ok(Ok((row, ProbeResult::of(&record, false, reason))))
    }

    /// The alarm: the one probe that is due, if one is, and the delivery of what waits.
    async fn wake(&self) -> Result<()> {
        self.store.load().await?;
        let settings = match settings(&self.env) {
            Ok(settings) => settings,
            Err(bad) => {
                console_error!("{bad}");
                return self.store.set_alarm(Network.now_ms() + MEND_MS).await;
            }
        };
        // Armed again before the work: whatever becomes of this call, there will be another.
        let now_ms = Network.now_ms();
        self.store
            .set_alarm(schedule::alarm_ms(now_ms, now_ms))
            .await?;
        let Some(_turn) = self.turn().await else {
            return Ok(());
        };
        if let Some((target, wanted)) = self.due(&settings, now_ms)
            && let Err(over) = self.measure(&settings, target, &wanted).await?
        {
            console_error!("{over}");
        }
        outbox::deliver(&self.store, &settings).await?;
        self.set_next_alarm(&settings).await
    }

    /// The scheduled probe that is due, if one is.
    fn due<'s>(&self, settings: &'s Settings, now_ms: i64) -> Option<(&'s TargetConfig, Wanted)> {
        self.store.with(|memory| {
            let next = memory.next_probe(settings.plan?, &settings.scheduled, now_ms);
            let (intent_ms, id, slot) = next.filter(|(due_ms, ..)| *due_ms <= now_ms)?;
            let wanted = Wanted {
                record_id: schedule::record_id(&memory.object, id, slot),
                slot: Some(slot),
                intent_ms,
            };
            Some((settings.targets.get(id)?, wanted))
        })
    }

    /// `POST /schedule` and the cron: sets the alarm where it is missing, late or lost.
    async fn ensure_alarm(&self, settings: &Settings) -> Result<Response> {
        let now_ms = Network.now_ms();
        let wanted = self
            .store
            .with(|memory| memory.wake_ms(settings.plan, &settings.scheduled, now_ms));
        let set = self.store.alarm_ms().await?;
        let wakes_at_ms = match (wanted, set) {
            (Some(wanted), Some(set)) if set <= wanted && set > now_ms - LOST_MS => Some(set),
            (Some(wanted), _) => {
                self.store.save(None).await?;
                self.store.set_alarm(wanted).await?;
                Some(wanted)
            }
            (None, set) => set,
        };
        let result = self.store.with(|memory| ScheduleResult {
            region: memory.hint.clone(),
            wakes_at_ms,
            waiting: memory.rows(),
            dropped: memory.outbox.dropped,
            refused: memory.outbox.refused,
            reason: None,
        });
        json(200, &result)
    }

    /// Sets the alarm for what comes next. Nothing next: the alarm that is set, if any, finds no work.
    async fn set_next_alarm(&self, settings: &Settings) -> Result<()> {
        let now_ms = Network.now_ms();
        let next = self
            .store
            .with(|memory| memory.wake_ms(settings.plan, &settings.scheduled, now_ms));
        match next {
            Some(at_ms) => self.store.set_alarm(at_ms).await,
            None => self.store.clear_alarm().await,
        }
    }

    /// Waits for this object's turn; `None` when it does not come in time. Looks at the clock instead of
    /// being woken: a call that the platform ended would never wake the next one.
    async fn turn(&self) -> Option<Turn<'_>> {
        let give_up_ms = Network.now_ms() + TURN_MOST_MS;
        loop {
            let now_ms = Network.now_ms();
            let stale = |since: i64| now_ms - since > TURN_STALE_MS;
            if self.busy_since.get().is_none_or(stale) {
                self.busy_since.set(Some(now_ms));
                return Some(Turn(&self.busy_since));
            }
            if now_ms > give_up_ms {
                return None;
            }
            Network.sleep(TURN_STEP_MS).await;
        }
    }
}

/// Which record a probe makes, and since when it is wanted.
struct Wanted {
    record_id: String,
    /// `None`: on demand.
    slot: Option<Slot>,
    intent_ms: i64,
}

impl Wanted {
    fn now(intent_ms: i64) -> Result<Self> {
        Ok(Self {
            record_id: random_hex::<16>()?,
            slot: None,
            intent_ms,
        })
    }
}

/// The right to probe; dropping it passes it on.
struct Turn<'a>(&'a Cell<Option<i64>>);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.set(None);
    }
}
