//! What the shell knows beside the measurement.

use streamlag_core::{Stamp, Wall};

use crate::target::{Target, Vantage};

/// Everything in a record that the probe cannot know.
#[derive(Debug, Clone)]
pub struct Context {
    /// Unique: 32 hex digits, drawn by the shell (or derived from a schedule slot, so that a repeat dedupes).
    pub id: String,
    /// Where it was measured.
    pub vantage: Vantage,
    /// The region asked for (a location hint at the edge).
    pub region: Option<String>,
    /// Where it really ran, if told: the edge's data centre.
    pub colo: Option<String>,
    /// What was measured.
    pub target: Target,
    /// `streamlag-agent/0.1.0`, `streamlag-worker/…`, `streamlag-cli/…`.
    pub agent: String,
    /// The user's application and its release.
    pub app: Option<String>,
    /// The application's release.
    pub release: Option<String>,
    /// W3C trace id, 32 hex digits, shared by all sides of one request.
    pub trace_id: Option<String>,
    /// A name for the prompt (or a hash of it), never its text.
    pub prompt_id: Option<String>,
    /// Unicode scalar values of the prompt.
    pub prompt_chars: Option<u32>,
    /// Requests of this client in flight at the send, this one included.
    pub concurrency: Option<u32>,
    /// `cold` (first after an idle period) or `warm`.
    pub warmth: Option<&'static str>,
    /// Whether a connection was reused; `None`: the platform does not tell.
    pub connection_reused: Option<bool>,
    /// Wall-clock time of sending, where the probe was not given one.
    pub started_at: Option<Stamp<Wall>>,
}

impl Context {
    /// A context with the mandatory parts and nothing else known.
    pub fn new(id: String, vantage: Vantage, target: Target, agent: String) -> Self {
        Self {
            id,
            vantage,
            target,
            agent,
            region: None,
            colo: None,
            app: None,
            release: None,
            trace_id: None,
            prompt_id: None,
            prompt_chars: None,
            concurrency: None,
            warmth: None,
            connection_reused: None,
            started_at: None,
        }
    }
}
