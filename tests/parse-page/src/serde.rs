//! `serde_json` alone, without framing and dialects: it is there to be weighed, not to be timed.

use serde_json::Value;

#[derive(Default)]
pub(crate) struct Reading {
    events: u64,
    content: u64,
}

impl Reading {
    pub(crate) fn push(&mut self, event: &[u8]) {
        if let Ok(value) = serde_json::from_slice::<Value>(event) {
            self.events += 1;
            let content = &value["choices"][0]["delta"]["content"];
            self.content += content.as_str().map_or(0, str::len) as u64;
        }
    }

    pub(crate) fn finish(&mut self) {}

    pub(crate) fn heard(&self) -> (u64, u64) {
        (self.events, self.content)
    }
}
