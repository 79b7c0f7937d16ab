//! What a response says before its body.

use streamlag_core::{AbortBy, Failure, Head, Input, Mono, Stamp, TimeoutPhase};
use wasm_bindgen::JsCast;
use web_sys::{Response, ResponseType};

use crate::session::Session;

/// Tells the session status and headers; or gives why there are none of the target's.
pub(crate) fn tell(
    session: &Session,
    at: Stamp<Mono>,
    response: &Response,
) -> Option<Input<'static>> {
    let owned = headers(response);
    let failure = upstream_failure(&owned);
    if failure.is_none() {
        let headers: Vec<_> = owned
            .iter()
            .map(|(n, v)| (n.as_str(), v.as_str()))
            .collect();
        session.headers(
            at,
            Head {
                status: response.status(),
                headers: &headers,
                may_hide_headers: may_hide_headers(response),
            },
        );
    }
    failure
}

/// Header names and values, owned.
fn headers(response: &Response) -> Vec<(String, String)> {
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
fn may_hide_headers(response: &Response) -> bool {
    response.type_() != ResponseType::Basic
}

/// A relay's word that it could not reach the target: the answer is then the relay's own, and what is
/// recorded is why the target gave none. `None`: the answer stands as it is.
fn upstream_failure(headers: &[(String, String)]) -> Option<Input<'static>> {
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
