//! What touches the runtime. Everything that can be decided without it is decided elsewhere.

mod network;
mod outbox;
mod region;
mod router;
mod storage;

use js_sys::Reflect;
use serde::Serialize;
use streamlag_wire::hex;
use worker::{Env, Response};

use crate::settings::{BadSettings, Settings};

/// The bindings of this worker.
fn settings(env: &Env) -> Result<Settings, BadSettings> {
    Settings::read(|name| text(env, name))
}

/// A variable or secret. Read as a plain property: a secret that is bound to nothing is `null`, and the
/// platform crate's own way to it traps on that.
fn text(env: &Env, name: &str) -> Option<String> {
    Reflect::get(env.as_ref(), &name.into()).ok()?.as_string()
}

/// A JSON answer.
fn json(status: u16, body: &impl Serialize) -> worker::Result<Response> {
    Ok(Response::from_json(body)?.with_status(status))
}

/// A refusal: what is wrong, and what to do.
fn refusal(status: u16, reason: impl std::fmt::Display) -> worker::Result<Response> {
    let reason = reason.to_string();
    json(status, &serde_json::json!({ "error": reason }))
}

/// Random hex digits: a record's id, a nonce.
fn random_hex<const BYTES: usize>() -> worker::Result<String> {
    let mut bytes = [0; BYTES];
    let scope: web_sys::WorkerGlobalScope = wasm_bindgen::JsCast::unchecked_into(js_sys::global());
    scope
        .crypto()?
        .get_random_values_with_u8_array(&mut bytes)?;
    Ok(hex::lower(&bytes))
}
