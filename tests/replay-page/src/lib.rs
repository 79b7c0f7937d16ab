//! What `streamlag replay` does, for JavaScript.

use streamlag_replay::Hint;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// Replays one case and gives its result line.
///
/// # Errors
/// When the line is no case.
// Not `case`: that is a word of JavaScript.
#[wasm_bindgen(js_name = oneCase)]
pub fn case(line: &str) -> Result<String, JsError> {
    Ok(streamlag_replay::case(line)?)
}

/// Replays the body that was captured under that name and gives its result line.
///
/// # Errors
/// Never: a body that is in memory can be read.
#[wasm_bindgen]
pub fn body(name: &str, bytes: &[u8]) -> Result<String, JsError> {
    Ok(streamlag_replay::body(name, bytes, Hint::default())?)
}
