//! What a response says before its body.

use streamlag_core::{AbortBy, Failure, Input, TimeoutPhase};
use wasm_bindgen::JsCast;
use web_sys::{Response, ResponseType};

/// Header names and values, owned.
pub(crate) fn headers(response: &Response) -> Vec<(String, String)> {
    let text = |pair: &js_sys::Array, at| pair.get(at).as_string().unwrap_or_default();
    response
        .headers()
        .entries()
        .into_iter()
        .flatten()
        .map(|pair| {
            let pair: js_sys::Array = pair.unchecked_into();
            (text(&pair, 0), text(&pair, 1))
        })
        .collect()
}

/// Across origins a browser shows only the headers that the server exposes.
pub(crate) fn may_hide_headers(response: &Response) -> bool {
    response.type_() != ResponseType::Basic
}

/// A relay's word that it could not reach the target: the answer is then the relay's own, and what is
/// recorded is why the target gave none. `None`: the answer stands as it is.
pub(crate) fn upstream_failure(headers: &[(String, String)]) -> Option<Input<'static>> {
    let (_, class) = headers
        .iter()
        .find(|(name, _)| name == streamlag_wire::relay::UPSTREAM)?;
    Some(match class.as_str() {
        "dns" => Input::Failed(Failure::Dns),
        "connect" => Input::Failed(Failure::Connect),
        "tls" => Input::Failed(Failure::Tls),
        "reset" => Input::Failed(Failure::Reset),
        "timeout" => Input::Aborted(AbortBy::Timeout(TimeoutPhase::Connect)),
        "prober" => Input::Failed(Failure::Prober),
        _ => return None,
    })
}
