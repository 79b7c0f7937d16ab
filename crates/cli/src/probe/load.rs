//! Requests to one target, so many at once. The load is closed: a new one starts only where another ended.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use streamlag_collector::upstream::random_id;
use streamlag_wire::target::TargetConfig;
use streamlag_wire::{Context, Record, Vantage};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::http::Asker;

const AGENT: &str = concat!("streamlag-cli/", env!("CARGO_PKG_VERSION"));

/// Requests under way; their records come out in the order in which they end.
pub(super) struct Load {
    records: UnboundedReceiver<Record>,
    shared: Arc<Shared>,
    one_at_a_time: bool,
}

/// What the requests share.
struct Shared {
    asker: Asker,
    target: TargetConfig,
    region: Option<String>,
    /// Requests that may begin.
    may_begin: Semaphore,
    left: AtomicU32,
    in_flight: AtomicU32,
    /// Whether any request has ended: those before are cold.
    is_warm: AtomicBool,
}

impl Load {
    /// Starts so many requests in all, so many at once.
    pub(super) fn start(
        asker: Asker,
        target: TargetConfig,
        region: Option<String>,
        (count, at_once): (u32, u32),
    ) -> Self {
        // Alone, a request begins when it is waited for: then nothing is measured while a record is posted.
        // Several at once wait for nobody: whoever takes their records must not set their pace.
        let one_at_a_time = at_once == 1;
        let shared = Arc::new(Shared {
            asker,
            target,
            region,
            may_begin: Semaphore::new(if one_at_a_time { 0 } else { count as usize }),
            left: AtomicU32::new(count),
            in_flight: AtomicU32::new(0),
            is_warm: AtomicBool::new(false),
        });
        let (sender, records) = unbounded_channel();
        for _ in 0..at_once.min(count) {
            tokio::spawn(Arc::clone(&shared).ask_in_turn(sender.clone()));
        }
        Self {
            records,
            shared,
            one_at_a_time,
        }
    }

    /// The next record; `None`: all requests have ended.
    pub(super) async fn next(&mut self) -> Option<Record> {
        if self.one_at_a_time {
            self.shared.may_begin.add_permits(1);
        }
        self.records.recv().await
    }
}

impl Shared {
    /// Asks until no request is left, or nobody wants the records.
    async fn ask_in_turn(self: Arc<Self>, records: UnboundedSender<Record>) {
        while self.takes_one() {
            let Ok(begins) = self.may_begin.acquire().await else {
                return;
            };
            begins.forget();
            if records.send(self.ask().await).is_err() {
                return;
            }
        }
    }

    fn takes_one(&self) -> bool {
        let one_less = |left: u32| left.checked_sub(1);
        let left = &self.left;
        left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less)
            .is_ok()
    }

    async fn ask(&self) -> Record {
        let (id, trace_id) = (random_id(), random_id());
        let at_once = self.in_flight.fetch_add(1, Ordering::Relaxed) + 1;
        let is_warm = self.is_warm.load(Ordering::Relaxed);
        let asked = self.asker.ask(&id, &trace_id).await;
        self.in_flight.fetch_sub(1, Ordering::Relaxed);
        self.is_warm.store(true, Ordering::Relaxed);
        let target = &self.target;
        let agent = AGENT.to_owned();
        let mut context = Context::new(id, Vantage::Server, target.for_record(), agent);
        context.region.clone_from(&self.region);
        context.trace_id = Some(trace_id);
        context.prompt_id = Some(streamlag_wire::prompt::id(&target.prompt));
        context.prompt_chars = u32::try_from(target.prompt.chars().count()).ok();
        context.concurrency = Some(at_once);
        context.warmth = Some(if is_warm { "warm" } else { "cold" });
        context.connection_reused = Some(asked.connection_reused);
        Record::new(&asked.measurement, context)
    }
}
