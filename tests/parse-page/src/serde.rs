//! `serde_json` alone, without framing and dialects: it is there to be weighed, not to be timed.

use serde_json::Value;

use crate::Heard;

pub(crate) struct Reading {
    heard: Heard,
}

impl Reading {
    pub(crate) fn new(keeps_text: bool) -> Self {
        Self {
            heard: Heard {
                keeps_text,
                ..Heard::default()
            },
        }
    }

    pub(crate) fn push(&mut self, event: &[u8]) {
        if let Ok(value) = serde_json::from_slice::<Value>(event) {
            self.heard.events += 1;
            let content = &value["choices"][0]["delta"]["content"];
            self.heard.say(content.as_str().unwrap_or_default());
        }
    }

    pub(crate) fn finish(&mut self) {}

    pub(crate) fn heard(&self) -> &Heard {
        &self.heard
    }

    pub(crate) fn heard_mut(&mut self) -> &mut Heard {
        &mut self.heard
    }
}
