//! Records on their way to the collector: kept in the object until it has acknowledged them.

use streamlag_wire::delivery::{Answer, Limits, Verdict};
use streamlag_wire::sign::Call;
use worker::{Headers, Method, Request, RequestInit, RequestRedirect, Result, console_error};

use crate::auth;
use crate::host::{Call as _, Head, Host};
use crate::platform::network::{FetchCall, Network};
use crate::platform::random_hex;
use crate::platform::storage::Store;
use crate::probe_run::within;
use crate::settings::Settings;

/// About an hour of probes of three targets a minute waits before the oldest is dropped.
pub(super) const LIMITS: Limits = Limits {
    batch_records: 50,
    batch_bytes: 1 << 20,
    kept_records: 2_000,
    first_wait_ms: 1_000,
    longest_wait_ms: 60_000,
};
/// A collector that does not answer within this is tried again later.
const ANSWER_MS: u32 = 10_000;
/// A collector's answer is a few counts and, at worst, a sentence for each record.
const MOST_ANSWER_BYTES: usize = 64 << 10;
const PATH: &str = "/v1/records";

/// Posts what waits, oldest first, until nothing waits or the collector fails.
pub(super) async fn deliver(store: &Store, settings: &Settings) -> Result<()> {
    drop_overflow(store).await?;
    loop {
        let waiting = store.rows(LIMITS.batch_records).await?;
        let sizes = waiting.iter().map(String::len);
        let count = store.with(|memory| memory.outbox.batch(&LIMITS, sizes, Network.now_ms()));
        if count == 0 {
            return Ok(());
        }
        let body = format!("[{}]", waiting[..count].join(","));
        let (answer, rejected) = post(settings, &body).await?;
        let spread = u32::from_str_radix(&random_hex::<4>()?, 16).unwrap_or(0);
        let now_ms = Network.now_ms();
        let verdict = store.with(|memory| {
            let outbox = &mut memory.outbox;
            outbox.refused = outbox.refused.saturating_add(rejected);
            outbox.after(&LIMITS, answer, count, now_ms, spread)
        });
        match verdict {
            Verdict::Remove => store.forget(count as u64).await?,
            Verdict::Keep => store.save(None).await?,
        }
        if matches!(answer, Answer::Later(_)) {
            return Ok(());
        }
    }
}

async fn drop_overflow(store: &Store) -> Result<()> {
    let over = store.with(|memory| {
        let rows = usize::try_from(memory.rows()).unwrap_or(usize::MAX);
        memory.outbox.overflow(&LIMITS, rows)
    });
    match over {
        0 => Ok(()),
        over => {
            console_error!("{over} record(s) dropped: the collector was away for too long");
            store.forget(over as u64).await
        }
    }
}

/// One signed post: what became of it, and how many records of a stored post were rejected all the same.
async fn post(settings: &Settings, body: &str) -> Result<(Answer, u64)> {
    let nonce = random_hex::<16>()?;
    let call = Call {
        method: "POST",
        path: PATH,
        timestamp_s: auth::seconds(Network.now_ms()),
        nonce: &nonce,
        body: body.as_bytes(),
    };
    let headers = Headers::new();
    headers.set("content-type", "application/json")?;
    for (name, value) in auth::headers(&settings.keys, &call) {
        headers.set(name, &value)?;
    }
    let mut init = RequestInit::new();
    init.with_method(Method::Post)
        .with_redirect(RequestRedirect::Manual)
        .with_headers(headers)
        .with_body(Some(body.into()));
    let request = Request::new_with_init(&format!("{}{PATH}", settings.collector), &init)?;
    let mut call = FetchCall::new(request);
    let answered = async {
        let head = call.send().await.ok()?;
        let mut said = Vec::new();
        while let Ok(Some(bytes)) = call.read().await
            && said.len() < MOST_ANSWER_BYTES
        {
            said.extend(bytes);
        }
        Some((head, said))
    };
    let Some(Some((head, said))) = within(answered, Network.sleep(ANSWER_MS)).await else {
        console_error!("the collector did not answer: the records wait and are tried again");
        return Ok((Answer::from_status(None, None), 0));
    };
    let answer = Answer::from_status(Some(head.status), retry_after_ms(&head));
    let rejected = match answer {
        Answer::Stored => rejected(&said),
        Answer::Refused | Answer::TooLarge | Answer::Later(_) => 0,
    };
    if answer != Answer::Stored || rejected > 0 {
        let status = head.status;
        console_error!(
            "the collector answered {status} and rejected {rejected} record(s): its log says why"
        );
    }
    Ok((answer, rejected))
}

/// How many records a collector's answer lists as rejected.
fn rejected(said: &[u8]) -> u64 {
    let answer: serde_json::Value = serde_json::from_slice(said).unwrap_or_default();
    answer["rejected"]
        .as_array()
        .map_or(0, |list| list.len() as u64)
}

fn retry_after_ms(head: &Head) -> Option<u32> {
    let named = |(name, _): &&(String, String)| name.eq_ignore_ascii_case("retry-after");
    let seconds: u32 = head.headers.iter().find(named)?.1.trim().parse().ok()?;
    seconds.checked_mul(1_000)
}
