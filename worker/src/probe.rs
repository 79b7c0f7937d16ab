//! One probe of one target from one region, from configuration to record.

use streamlag_core::{Stamp, Wall};
use streamlag_wire::target::TargetConfig;
use streamlag_wire::{Context, Record, Vantage, request};

use crate::colo::colo;
use crate::host::{Ask, Host};
use crate::measure::measure;
use crate::probe_run::{Ending, Limits, Trace, run};
use crate::targets::admit;

/// Name and version in every record.
pub const AGENT: &str = concat!("streamlag-worker/", env!("CARGO_PKG_VERSION"));

/// What is to be probed, and all that the record says beside the measurement.
#[derive(Debug)]
pub struct Job<'a> {
    /// The target.
    pub target: &'a TargetConfig,
    /// The location hint.
    pub region: &'a str,
    /// The record's id.
    pub record_id: String,
    /// `cold` or `warm`.
    pub warmth: &'static str,
    /// When it was asked for, or was due by the schedule.
    pub intent_ms: i64,
    /// Whether private hosts and plain HTTP may be asked.
    pub allow_private: bool,
}

/// Probes once. A set-up that cannot ask gives a record of class `prober`, and says why in words.
pub async fn probe<H: Host>(
    host: &H,
    job: Job<'_>,
    key: impl Fn(&str) -> Option<String>,
) -> (Record, Option<String>) {
    let trace = match ask(&job, key) {
        Ok(ask) => run(host, &ask, Limits::of(job.target)).await,
        Err(reason) => Trace::never_sent(host.now_ms(), reason),
    };
    let reason = match &trace.ending {
        Ending::Prober(reason) => Some(reason.clone()),
        _ => None,
    };
    (record(job, &trace), reason)
}

/// The request, or why the set-up cannot make one.
fn ask(job: &Job<'_>, key: impl Fn(&str) -> Option<String>) -> Result<Ask, String> {
    let target = job.target;
    admit(target, job.allow_private).map_err(|refused| refused.to_string())?;
    let secret = match &target.key_env {
        None => None,
        Some(name) => Some(key(name).ok_or_else(|| {
            format!(
                "target {:?}: the secret KEY_{name} is missing: `wrangler secret put KEY_{name}`",
                target.id
            )
        })?),
    };
    let built = request::build(target, &target.prompt, target.max_tokens, secret.as_deref());
    let mut headers = built.headers;
    // Lets both sides' logs be joined.
    headers.push(("x-request-id".to_owned(), job.record_id.clone()));
    Ok(Ask {
        url: target.url.clone(),
        headers,
        body: built.body,
    })
}

fn record(job: Job<'_>, trace: &Trace) -> Record {
    let target = job.target;
    let agent = AGENT.to_owned();
    let mut context = Context::new(job.record_id, Vantage::Edge, target.for_record(), agent);
    context.region = Some(job.region.to_owned());
    context.colo = trace.head.as_ref().and_then(|(_, head)| colo(head));
    context.prompt_id = Some(streamlag_wire::prompt::id(&target.prompt));
    context.prompt_chars = u32::try_from(target.prompt.chars().count()).ok();
    context.concurrency = Some(1);
    context.warmth = Some(job.warmth);
    context.started_at = Some(Stamp::<Wall>::from_ns(
        trace.sent_ms.saturating_mul(1_000_000),
    ));
    Record::new(&measure(trace, job.intent_ms, &target.dialect), context)
}
