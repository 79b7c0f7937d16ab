//! The chat endpoints: request → script → reply.

use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::dialect::{Answer, Dialect, WireEvent, scripted_message};
use crate::http::{Framing, Head, Request};
use crate::play::{Reply, Step};
use crate::preset::{self, Chosen, NoScript};
use crate::schedule::{End, Piece, Schedule, generated_pieces};
use crate::script::{Body, Script};

/// What a request asks for.
pub(crate) struct Asked {
    pub(crate) chosen: Chosen,
    model: String,
    input_tokens: u64,
}

/// Why a request was refused: status and sentence.
pub(crate) struct Refused(pub(crate) u16, pub(crate) String);

/// Which dialect a path speaks.
pub(crate) fn dialect_of(path: &str) -> Option<Dialect> {
    match path {
        "/openai/v1/chat/completions" => Some(Dialect::OpenAi),
        "/anthropic/v1/messages" => Some(Dialect::Anthropic),
        "/ollama/api/chat" => Some(Dialect::Ollama),
        _ => None,
    }
}

/// Reads the request's body and query.
pub(crate) fn asked(request: &Request, dialect: Dialect) -> Result<Asked, Refused> {
    let body: Value = if request.body.is_empty() {
        Value::Null
    } else {
        serde_json::from_slice(&request.body)
            .map_err(|e| Refused(400, format!("the request's body is not JSON: {e}")))?
    };
    let model = body["model"].as_str();
    let script = request.query("script");
    let mut chosen = preset::choose(script.as_deref(), model).map_err(|error| {
        let status = match error {
            NoScript::UnknownModel { .. } => 404,
            NoScript::NoModel | NoScript::Script(_) => 400,
        };
        Refused(status, error.to_string())
    })?;
    // Without a body there is nobody to ask; a script in the URL then means what it says.
    let unasked = dialect.streams_unasked() || body.is_null();
    let streams = body["stream"].as_bool().unwrap_or(unasked);
    if !streams && chosen.script.body == Body::Stream {
        chosen.script.body = Body::Json;
    }
    Ok(Asked {
        model: model.unwrap_or("mock").to_owned(),
        input_tokens: input_tokens(&body),
        chosen,
    })
}

/// A rough count, four characters a token: enough for a usage that is never zero.
fn input_tokens(body: &Value) -> u64 {
    let messages = body["messages"].as_array();
    let characters: usize = messages
        .into_iter()
        .flatten()
        .filter_map(|message| message["content"].as_str())
        .map(|text| text.chars().count())
        .sum();
    characters.div_ceil(4).max(1) as u64
}

/// Works the whole reply out.
pub(crate) fn reply(request: &Request, dialect: Dialect, asked: &Asked, id: &str) -> Reply {
    let script = &asked.chosen.script;
    let schedule = Schedule::of(script);
    let mut shape = dialect.shape(answer(asked, &schedule, id));
    let mut content_type = shape.content_type();
    let mut steps = Vec::new();
    for beat in &schedule.beats {
        let events = match &beat.piece {
            Piece::Whole => {
                for piece in generated_pieces(script) {
                    shape.say(&piece);
                }
                content_type = "application/json";
                shape.say(&Piece::Whole)
            }
            Piece::Page => {
                content_type = "text/html; charset=utf-8";
                vec![page(script.status)]
            }
            Piece::Refusal => {
                content_type = "application/json";
                vec![refusal(dialect, script.status)]
            }
            piece => shape.say(piece),
        };
        for event in events {
            Step::push(&mut steps, beat.at, event);
        }
    }
    let framing = framing(request, script, &steps);
    let mut headers = vec![("content-type", content_type.to_owned())];
    if let Some(seconds) = script.retry_after {
        headers.push(("retry-after", seconds.to_string()));
    }
    if dialect == Dialect::Anthropic {
        headers.push(("request-id", id.to_owned()));
    }
    Reply {
        head: Head {
            status: script.status,
            headers,
            framing,
        },
        head_at: schedule.headers,
        steps,
        end: schedule.end,
    }
}

fn answer(asked: &Asked, schedule: &Schedule, id: &str) -> Answer {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let prefill = asked.chosen.script.first;
    let last = schedule.beats.last().map_or(prefill, |beat| beat.at);
    Answer {
        id: id.to_owned(),
        model: asked.model.clone(),
        created_unix_s: now.map_or(0, |t| t.as_secs()),
        input_tokens: asked.input_tokens,
        prefill_ns: nanos(prefill),
        generation_ns: nanos(last.saturating_sub(prefill)),
        ..Answer::of(&asked.chosen.script)
    }
}

/// A stream is chunked; a whole answer states its length. A hang keeps its client waiting for chunks.
fn framing(request: &Request, script: &Script, steps: &[Step]) -> Framing {
    let streams = script.status == 200 && script.body == Body::Stream;
    match (streams || script.body == Body::Hang, request.is_1_1) {
        (true, true) => Framing::Chunked,
        (true, false) => Framing::Close,
        (false, _) => Framing::Length(body_length(steps)),
    }
}

pub(crate) fn body_length(steps: &[Step]) -> usize {
    let events = steps.iter().flat_map(|step| &step.events);
    events.map(|event| event.bytes.len()).sum()
}

fn page(status: u16) -> WireEvent {
    let title = match status {
        200 => "Welcome to the gateway",
        _ => "The gateway could not reach its server",
    };
    let text = format!(
        "<!doctype html>\n<html><head><title>{title}</title></head>\n\
         <body><h1>{title}</h1><p>A scripted page.</p></body></html>\n"
    );
    WireEvent {
        kind: "page",
        bytes: text.into_bytes(),
    }
}

fn refusal(dialect: Dialect, status: u16) -> WireEvent {
    let body = dialect.refusal(status, scripted_message(status));
    WireEvent {
        kind: "refusal",
        bytes: body.to_string().into_bytes(),
    }
}

/// A reply with a JSON body, at once.
pub(crate) fn json_reply(status: u16, body: &Value) -> Reply {
    let event = WireEvent {
        kind: "refusal",
        bytes: body.to_string().into_bytes(),
    };
    Reply {
        head: Head {
            status,
            headers: vec![("content-type", "application/json".to_owned())],
            framing: Framing::Length(event.bytes.len()),
        },
        head_at: Some(Duration::ZERO),
        steps: vec![Step {
            at: Duration::ZERO,
            events: vec![event],
        }],
        end: End::Clean,
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
