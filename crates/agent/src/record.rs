//! The record's text.

use serde::Serialize;
use streamlag_wire::Record;

/// The host writes the JSON: a serialiser of our own would be half of the agent's size.
pub(crate) fn to_json(record: &Record) -> Option<String> {
    let plain = serde_wasm_bindgen::Serializer::json_compatible();
    let value = record.serialize(&plain).ok()?;
    js_sys::JSON::stringify(&value).ok().map(String::from)
}
