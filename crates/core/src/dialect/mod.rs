//! Frames → deltas: one small file a provider family. Dialects never see time, and they hold no text.
//!
//! A dialect looks at one event and says whether the shape is its own. The one in use is asked first and
//! the others after it, so a stream may mix shapes (gateways do); what nobody knows is `unknown`.

mod anthropic;
mod emit;
mod error;
mod ollama;
mod openai;
mod plain;
mod usage;

pub(crate) use emit::{Emitter, State};

use crate::framing::Frame;
use crate::json::Value;

/// What a dialect made of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Not this dialect's shape; nothing was emitted.
    Foreign,
    /// An event of a stream.
    Event,
    /// A whole answer that was not streamed.
    Whole,
}

impl Verdict {
    /// An event if `known`, else foreign.
    fn known(known: bool) -> Self {
        if known { Self::Event } else { Self::Foreign }
    }
}

/// One provider family.
pub(crate) struct Family {
    /// Its name in records.
    pub(crate) name: &'static str,
    /// Other names that callers use for it.
    also: &'static [&'static str],
    read: fn(&Frame<'_>, Value<'_>, &mut Emitter<'_>) -> Verdict,
}

/// All families, in the order in which an event's shape is tried.
const FAMILIES: &[Family] = &[
    Family {
        name: "openai",
        also: &[
            "azure",
            "openrouter",
            "deepseek",
            "groq",
            "xai",
            "vllm",
            "llamacpp",
            "mistral",
            "moonshot",
            "zhipu",
            "perplexity",
            "snowflake",
            "gpustack",
            "writer",
        ],
        read: openai::read,
    },
    Family {
        name: "anthropic",
        also: &["claude"],
        read: anthropic::read,
    },
    Family {
        name: "ollama",
        also: &[],
        read: ollama::read,
    },
    Family {
        name: "plain",
        also: &["replicate"],
        read: |_, _, _| Verdict::Foreign,
    },
];

/// The one family whose events are no JSON; the last.
const PLAIN: Option<usize> = FAMILIES.len().checked_sub(1);

/// The dialect of one body, detected or named.
#[derive(Debug, Default)]
pub(crate) struct Dialect {
    /// The one in use, as an index.
    current: Option<usize>,
    /// The one in use has understood an event.
    proven: bool,
}

impl Dialect {
    /// Unknown names mean: detect.
    pub(crate) fn named(name: Option<&str>) -> Self {
        Self {
            current: name.and_then(|name| {
                FAMILIES
                    .iter()
                    .position(|family| family.name == name || family.also.contains(&name))
            }),
            proven: false,
        }
    }

    pub(crate) fn name(&self) -> Option<&'static str> {
        FAMILIES.get(self.current?).map(|family| family.name)
    }

    /// Reads one event whose data is plain text; false if it is due to be JSON.
    pub(crate) fn read_text(&mut self, frame: &Frame<'_>, to: &mut Emitter<'_>) -> bool {
        // Nobody else has events of that name.
        if !self.proven && frame.name == b"output" {
            *self = Self {
                current: PLAIN,
                proven: true,
            };
        }
        PLAIN.is_some() && self.current == PLAIN && plain::read(frame, to)
    }

    /// Reads one event.
    pub(crate) fn read(
        &mut self,
        frame: &Frame<'_>,
        root: Value<'_>,
        to: &mut Emitter<'_>,
    ) -> Verdict {
        if let Some(family) = self.current.and_then(|at| FAMILIES.get(at)) {
            let verdict = (family.read)(frame, root, to);
            if verdict != Verdict::Foreign {
                self.proven = true;
                return verdict;
            }
        }
        for (at, family) in FAMILIES.iter().enumerate() {
            if Some(at) == self.current {
                continue;
            }
            let verdict = (family.read)(frame, root, to);
            if verdict != Verdict::Foreign {
                if !self.proven {
                    self.current = Some(at);
                    self.proven = true;
                }
                return verdict;
            }
        }
        // Errors look alike everywhere and prove nothing.
        Verdict::known(error::read(frame, root, to))
    }
}
