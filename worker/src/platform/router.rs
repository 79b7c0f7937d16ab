//! The worker's own doors: health, probe on demand, schedule. Every call that costs money is signed.

use futures_util::future::join_all;
use worker::{
    Context, Env, Headers, Method, Request, RequestInit, Response, Result, ScheduleContext,
    ScheduledEvent, console_error, event,
};

use crate::auth::{self, Signed};
use crate::host::Host;
use crate::orders::{Order, ProbeBody, ProbeResult, ScheduleResult, Task};
use crate::platform::network::Network;
use crate::platform::{json, refusal, settings};
use crate::settings::Settings;

/// A signed call's body is a few names.
const MOST_BODY_BYTES: usize = 16 << 10;

#[event(fetch)]
async fn fetch(mut request: Request, env: Env, _: Context) -> Result<Response> {
    let path = request.path();
    if request.method() == Method::Get && path == "/healthz" {
        return match settings(&env) {
            Ok(_) => json(
                200,
                &serde_json::json!({ "ok": true, "agent": crate::probe::AGENT }),
            ),
            Err(bad) => refusal(503, bad),
        };
    }
    let settings = match settings(&env) {
        Ok(settings) => settings,
        Err(bad) => return refusal(500, bad),
    };
    if request.method() != Method::Post {
        return refusal(
            404,
            "unknown path: POST /probe/{target}, POST /schedule or GET /healthz",
        );
    }
    let body = match body(&mut request).await? {
        Some(body) => body,
        None => {
            return refusal(
                413,
                format!("the body is larger than {MOST_BODY_BYTES} bytes"),
            );
        }
    };
    let header = |name: &str| request.headers().get(name).ok().flatten();
    let signed = auth::check(
        &settings.keys,
        ("POST", &path),
        header,
        &body,
        Network.now_ms(),
    );
    let signed = match signed {
        Ok(signed) => signed,
        Err(refused) => return refusal(401, refused),
    };
    match path.strip_prefix("/probe/") {
        Some(id) => probe(&env, &settings, signed, id, &body).await,
        None if path == "/schedule" => {
            let results = ensure_alarms(&env, &settings, Some(signed)).await;
            json(200, &serde_json::json!({ "results": results }))
        }
        None => refusal(404, "unknown path: POST /probe/{target} or POST /schedule"),
    }
}

/// The cron only heals alarms that were lost; the objects wake themselves.
#[event(scheduled)]
async fn scheduled(_: ScheduledEvent, env: Env, _: ScheduleContext) {
    match settings(&env) {
        Ok(settings) => {
            for result in ensure_alarms(&env, &settings, None).await {
                if let Some(reason) = result.reason {
                    console_error!("region {}: {reason}", result.region);
                }
            }
        }
        Err(bad) => console_error!("{bad}"),
    }
}

/// The body, unless it is too large. Its stated length is believed only when it is too large.
async fn body(request: &mut Request) -> Result<Option<Vec<u8>>> {
    let stated = request.headers().get("content-length")?;
    if stated
        .and_then(|n| n.parse::<usize>().ok())
        .is_some_and(|n| n > MOST_BODY_BYTES)
    {
        return Ok(None);
    }
    let bytes = request.bytes().await?;
    Ok((bytes.len() <= MOST_BODY_BYTES).then_some(bytes))
}

async fn probe(
    env: &Env,
    settings: &Settings,
    signed: Signed,
    id: &str,
    body: &[u8],
) -> Result<Response> {
    if settings.targets.get(id).is_none() {
        let known = settings.targets.ids();
        return refusal(
            404,
            format!("no target {id:?} is configured here; there are {known:?}"),
        );
    }
    let wanted: ProbeBody = match body {
        [] => ProbeBody::default(),
        body => match serde_json::from_slice(body) {
            Ok(wanted) => wanted,
            Err(error) => {
                return refusal(400, format!("the body is not {{\"regions\":[…]}}: {error}"));
            }
        },
    };
    let regions = wanted.regions.unwrap_or_else(|| settings.regions.clone());
    if let Some(other) = regions
        .iter()
        .find(|region| !settings.regions.contains(region))
    {
        let known = &settings.regions;
        return refusal(
            400,
            format!("no region {other:?} is configured here; there are {known:?}"),
        );
    }
    let results = join_all(regions.iter().map(|region| async {
        let task = Task::Probe(id.to_owned());
        let answer = order(env, settings, region, Some(signed.clone()), task).await;
        answer.unwrap_or_else(|reason| ProbeResult::none(region.clone(), reason))
    }));
    json(200, &serde_json::json!({ "results": results.await }))
}

async fn ensure_alarms(
    env: &Env,
    settings: &Settings,
    signed: Option<Signed>,
) -> Vec<ScheduleResult> {
    join_all(settings.regions.iter().map(|region| async {
        let answer = order(env, settings, region, signed.clone(), Task::EnsureAlarm).await;
        answer.unwrap_or_else(|reason| ScheduleResult {
            region: region.clone(),
            reason: Some(reason),
            ..ScheduleResult::default()
        })
    }))
    .await
}

/// One call to a region's object. The hint places it at its first call, and never again.
async fn order<T: serde::de::DeserializeOwned>(
    env: &Env,
    settings: &Settings,
    region: &str,
    signed: Option<Signed>,
    task: Task,
) -> std::result::Result<T, String> {
    let object = settings.object_name(region);
    let order = Order {
        hint: region.to_owned(),
        object: object.clone(),
        signed,
        task,
    };
    let answer = async {
        let mut init = RequestInit::new();
        let headers = Headers::new();
        headers.set("content-type", "application/json")?;
        init.with_method(Method::Post)
            .with_headers(headers)
            .with_body(Some(serde_json::to_string(&order)?.into()));
        let request = Request::new_with_init("https://region/", &init)?;
        let objects = env.durable_object("REGION")?;
        let stub = objects.get_by_name_with_location_hint(&object, region)?;
        let mut response = stub.fetch_with_request(request).await?;
        Ok::<_, worker::Error>((response.status_code(), response.text().await?))
    };
    let (status, text) = answer
        .await
        .map_err(|error| format!("the region's object failed: {error}"))?;
    if status != 200 {
        let refusal: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        let reason = refusal["error"]
            .as_str()
            .unwrap_or("the region's object failed");
        return Err(reason.to_owned());
    }
    serde_json::from_str(&text)
        .map_err(|error| format!("the region's object answered nonsense: {error}"))
}
