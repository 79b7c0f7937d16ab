//! Which request gets which reply.

use serde_json::{Value, json};

use crate::chat::{self, Refused};
use crate::dialect::Dialect;
use crate::grammar::ITEMS;
use crate::http::Request;
use crate::play::Reply;
use crate::preset::PRESETS;
use crate::replay;
use crate::server::Shared;

/// A reply and what the truth log says about it.
pub(crate) struct Routed {
    pub(crate) reply: Reply,
    /// The script as written; `None`: not a measured request, kept out of the log.
    pub(crate) script: Option<String>,
}

/// Works out the reply; `id` is the request's.
pub(crate) fn route(request: &Request, id: &str, shared: &Shared) -> Routed {
    let path = request.path();
    if request.method == "OPTIONS" {
        return unlogged(preflight(request));
    }
    if let Some(dialect) = chat::dialect_of(path) {
        return chat(request, dialect, id);
    }
    if let Some(capture) = path.strip_prefix("/replay/") {
        return replayed(request, capture, shared);
    }
    unlogged(match request.method.as_str() {
        "GET" => own(path, request, shared),
        "HEAD" => without_body(own(path, request, shared)),
        _ => refused(
            404,
            &format!(
                "there is no {} {path} here; GET / lists what is",
                request.method
            ),
        ),
    })
}

fn chat(request: &Request, dialect: Dialect, id: &str) -> Routed {
    if request.method != "POST" {
        let body = dialect.refusal(405, "this endpoint takes POST");
        return unlogged(chat::json_reply(405, &body));
    }
    match chat::asked(request, dialect) {
        Ok(asked) => Routed {
            reply: chat::reply(request, dialect, &asked, id),
            script: Some(asked.chosen.spec),
        },
        Err(Refused(status, sentence)) => unlogged(chat::json_reply(
            status,
            &dialect.refusal(status, &sentence),
        )),
    }
}

fn replayed(request: &Request, capture: &str, shared: &Shared) -> Routed {
    let decoded = percent_decoded(capture);
    match replay::reply(request, &decoded, shared.captures.as_deref()) {
        Ok(reply) => Routed {
            reply,
            script: Some(format!("replay:{decoded}")),
        },
        Err(Refused(status, sentence)) => unlogged(refused(status, &sentence)),
    }
}

/// Its own pages: what it is, what it knows.
fn own(path: &str, request: &Request, shared: &Shared) -> Reply {
    let log = &shared.log;
    match path {
        "/" => chat::json_reply(200, &index()),
        "/healthz" => chat::json_reply(200, &json!({ "status": "ok" })),
        "/openai/v1/models" => chat::json_reply(200, &models()),
        "/truth/error" => value_reply(&log.timing_error()),
        "/truth" => {
            let limit = request.query("limit").and_then(|l| l.parse().ok());
            value_reply(&log.list(limit.unwrap_or(20).min(1_000)))
        }
        _ => match path.strip_prefix("/truth/").map(percent_decoded) {
            Some(id) => match log.find(&id) {
                Some(truth) => value_reply(&truth),
                None => refused(
                    404,
                    &format!("no request with the id {id:?} is in the truth log"),
                ),
            },
            None => refused(
                404,
                &format!("there is no {path} here; GET / lists what is"),
            ),
        },
    }
}

/// What `HEAD` gets: the headers of `GET`, its length among them, and nothing after.
fn without_body(mut reply: Reply) -> Reply {
    reply.steps.clear();
    reply
}

fn value_reply(value: &impl serde::Serialize) -> Reply {
    match serde_json::to_value(value) {
        Ok(value) => chat::json_reply(200, &value),
        Err(error) => refused(500, &error.to_string()),
    }
}

fn refused(status: u16, sentence: &str) -> Reply {
    chat::json_reply(status, &json!({ "error": { "message": sentence } }))
}

fn unlogged(reply: Reply) -> Routed {
    Routed {
        reply,
        script: None,
    }
}

/// Allows what the browser asks for; the headers every answer carries say the rest.
fn preflight(request: &Request) -> Reply {
    let mut reply = without_body(chat::json_reply(204, &Value::Null));
    let asked = request.header("access-control-request-headers");
    reply.head.headers = vec![
        (
            "access-control-allow-methods",
            "GET, POST, OPTIONS".to_owned(),
        ),
        (
            "access-control-allow-headers",
            asked.unwrap_or("*").to_owned(),
        ),
        ("access-control-allow-private-network", "true".to_owned()),
        ("access-control-max-age", "600".to_owned()),
    ];
    reply
}

fn index() -> Value {
    let presets = PRESETS.iter().map(
        |p| json!({ "model": format!("mock-{}", p.name), "script": p.spec, "about": p.about }),
    );
    json!({
        "about": "A scripted LLM server that knows the truth: what it sent when.",
        "chat": ["/openai/v1/chat/completions", "/anthropic/v1/messages", "/ollama/api/chat"],
        "replay": "/replay/PATH?pace=MS&chunk=BYTES",
        "truth": ["/truth/REQUEST_ID", "/truth?limit=20", "/truth/error"],
        "script": format!("model script:ITEMS or ?script=ITEMS; items, comma-separated: {ITEMS}"),
        "presets": presets.collect::<Value>(),
    })
}

fn models() -> Value {
    let data = PRESETS.iter().map(
        |p| json!({ "id": format!("mock-{}", p.name), "object": "model", "owned_by": "streamlag" }),
    );
    json!({ "object": "list", "data": data.collect::<Value>() })
}

fn percent_decoded(text: &str) -> String {
    // A plus is a plus in a path; the form decoder would make it a blank.
    let pair = format!("p={}", text.replace('+', "%2B").replace('&', "%26"));
    form_urlencoded::parse(pair.as_bytes())
        .next()
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}
