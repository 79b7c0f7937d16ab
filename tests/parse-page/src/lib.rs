//! A reader in a page: chunks in, numbers out.

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
#[derive(Default)]
pub struct Stream {
    reading: reading::Reading,
    chunk: Vec<u8>,
}

#[wasm_bindgen]
impl Stream {
    /// One that has read nothing yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
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

    /// Events so far, comments not among them.
    pub fn events(&self) -> f64 {
        self.reading.heard().0 as f64
    }

    /// UTF-16 units of answer text so far: what JavaScript calls a string's length.
    pub fn content(&self) -> f64 {
        self.reading.heard().1 as f64
    }
}
