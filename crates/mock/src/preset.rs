//! Scripts with names, and how a request says which script it wants.

use crate::grammar::ScriptError;
use crate::script::Script;

/// A script with a name. A request asks for it as model `mock-NAME`.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    /// Its name, without `mock-`.
    pub name: &'static str,
    /// Its script.
    pub spec: &'static str,
    /// What it plays.
    pub about: &'static str,
}

macro_rules! presets {
    ($($name:literal: $spec:literal, $about:literal;)*) => {
        /// Every script with a name.
        pub const PRESETS: &[Preset] = &[$(Preset { name: $name, spec: $spec, about: $about },)*];
    };
}
presets! {
    "steady": "first=300,gap=40,n=60", "an even answer";
    "quick": "first=100,gap=20,n=6", "a short, fast answer";
    "slow-first": "first=2500,gap=40,n=60", "a long wait for the first token";
    "stall": "first=300,gap=40,n=60,stall=20:2000", "two seconds of silence in the middle";
    "burst": "first=300,gap=200,n=60,burst=5", "five tokens at a time";
    "batch": "first=300,gap=40,n=60,flush=500", "a gateway that flushes twice a second";
    "jitter": "first=300,gap=40,n=60,jitter=30", "an uneven answer";
    "reasoning": "first=300,gap=40,reasoning=20,n=40", "reasoning before the answer";
    "tool": "first=300,gap=40,n=10,tool=12", "an answer that ends in a tool call";
    "keepalive": "first=2500,gap=40,n=40,keepalive=500", "keep-alives while nothing comes";
    "buffered": "first=300,gap=40,n=60,buffered", "a proxy that holds all back until the end";
    "error": "first=300,gap=40,n=60,error_at=10", "an error inside the stream";
    "ratelimit": "status=429,retry_after=2", "429 with Retry-After";
    "unauthorized": "status=401", "401";
    "server-error": "status=500", "500";
    "overloaded": "status=529", "529";
    "cut": "first=300,gap=40,n=60,cut_at=20", "the connection is reset in the middle";
    "eof": "first=300,gap=40,n=60,eof_at=20", "the body ends cleanly in the middle";
    "html": "html", "a web page with status 200";
    "json": "first=300,gap=40,n=20,json", "one whole JSON answer";
    "hang": "hang", "no answer at all";
}

/// Why no script was found for a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoScript {
    /// The model is not a preset.
    #[error(
        "model {model:?} does not exist; ask for one of {}, or for script:ITEMS",
        names()
    )]
    UnknownModel {
        /// What was asked for.
        model: String,
    },
    /// Neither a model nor a script was named.
    #[error(
        "the request names no model; ask for one of {}, or for script:ITEMS",
        names()
    )]
    NoModel,
    /// The script could not be read.
    #[error(transparent)]
    Script(#[from] ScriptError),
}

/// The script for a request: `?script=` in the URL wins over the body's model.
pub(crate) fn choose(query: Option<&str>, model: Option<&str>) -> Result<Chosen, NoScript> {
    let spec = match (query, model) {
        (Some(spec), _) => spec,
        (None, None) => return Err(NoScript::NoModel),
        (None, Some(model)) => match model.strip_prefix("script:") {
            Some(spec) => spec,
            None => preset(model)?.spec,
        },
    };
    Ok(Chosen {
        spec: spec.to_owned(),
        script: spec.parse()?,
    })
}

/// A script and how it was written.
pub(crate) struct Chosen {
    pub(crate) spec: String,
    pub(crate) script: Script,
}

fn preset(model: &str) -> Result<&'static Preset, NoScript> {
    let name = model.strip_prefix("mock-").unwrap_or(model);
    PRESETS
        .iter()
        .find(|preset| preset.name == name)
        .ok_or_else(|| NoScript::UnknownModel {
            model: model.chars().take(100).collect(),
        })
}

fn names() -> String {
    let names: Vec<_> = PRESETS.iter().map(|p| format!("mock-{}", p.name)).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_a_valid_script() {
        for preset in PRESETS {
            if let Err(error) = preset.spec.parse::<Script>() {
                panic!("{}: {error}", preset.name);
            }
        }
    }

    #[test]
    fn a_script_in_the_url_wins_over_the_model() {
        let chosen = choose(Some("n=3"), Some("mock-steady")).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(chosen.script.n, 3);
    }

    #[test]
    fn a_model_may_carry_a_script() {
        let chosen = choose(None, Some("script:n=4,gap=1")).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((chosen.script.n, chosen.spec.as_str()), (4, "n=4,gap=1"));
    }

    #[test]
    fn an_unknown_model_is_told_the_presets() {
        let Err(error) = choose(None, Some("gpt-9")) else {
            panic!("gpt-9 was accepted");
        };
        assert!(error.to_string().contains("mock-slow-first"), "{error}");
    }
}
