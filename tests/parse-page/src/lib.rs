//! A reader in a page: chunks in, numbers and text out.

#[cfg(not(feature = "serde_json"))]
mod ours;
#[cfg(feature = "serde_json")]
mod serde;

use js_sys::Uint8Array;
use wasm_bindgen::prelude::wasm_bindgen;

#[cfg(not(feature = "serde_json"))]
use ours as reading;
#[cfg(feature = "serde_json")]
use serde as reading;

/// Reads one stream.
#[wasm_bindgen]
pub struct Stream {
    reading: reading::Reading,
    chunk: Vec<u8>,
}

#[wasm_bindgen]
impl Stream {
    /// One that has read nothing yet, and keeps the text for [`Self::take_text`] or not.
    #[wasm_bindgen(constructor)]
    pub fn new(keeps_text: bool) -> Self {
        Self {
            reading: reading::Reading::new(keeps_text),
            chunk: Vec::new(),
        }
    }

    /// Takes one chunk as `fetch` gave it.
    pub fn push(&mut self, chunk: &Uint8Array) {
        self.chunk.resize(chunk.length() as usize, 0);
        chunk.copy_to(&mut self.chunk);
        self.reading.push(&self.chunk);
    }

    /// The stream is over.
    pub fn finish(&mut self) {
        self.reading.finish();
    }

    /// The answer text that came since the last call.
    pub fn take_text(&mut self) -> String {
        std::mem::take(&mut self.reading.heard_mut().text)
    }

    /// Events so far, comments not among them.
    pub fn events(&self) -> f64 {
        self.reading.heard().events as f64
    }

    /// UTF-16 units of answer text so far: what JavaScript calls a string's length.
    pub fn length(&self) -> f64 {
        self.reading.heard().length as f64
    }
}

/// What was heard of the stream.
#[derive(Debug, Default)]
struct Heard {
    events: u64,
    length: u64,
    keeps_text: bool,
    text: String,
}

impl Heard {
    fn say(&mut self, text: &str) {
        self.length += text.chars().map(char::len_utf16).sum::<usize>() as u64;
        if self.keeps_text {
            self.text.push_str(text);
        }
    }
}
