//! The agent in a page that shows nothing: asks several targets at once and gives the records.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{Array, Function, Promise};
use serde::Serialize;
use streamlag_agent::{Agent, Ask, Config, Limits, Watcher};
use streamlag_core::Sink;
use streamlag_wire::{Record, Target};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// An agent that posts to this page's collector, as any page's does.
#[wasm_bindgen]
pub struct Page {
    agent: Agent,
}

#[wasm_bindgen]
impl Page {
    /// Sets the agent up.
    ///
    /// # Errors
    /// Outside of a page.
    #[wasm_bindgen(constructor)]
    pub fn new(collector: String) -> Result<Self, JsError> {
        let config = Config {
            collector,
            ..Config::default()
        };
        let agent = Agent::new(config, Box::new(|_, _| {}));
        let agent = agent.ok_or_else(|| JsError::new("there is no page here"))?;
        Ok(Self { agent })
    }

    /// Asks all of these URLs at once. Resolves with the records, in the order in which the streams ended.
    pub fn ask(&self, urls: Vec<String>, headers: Vec<String>, body: &str) -> Promise {
        let all = Rc::new(All {
            wanted: Cell::new(urls.len()),
            records: Array::new(),
            done: RefCell::default(),
        });
        let promise = Promise::new(&mut |done, _| {
            all.done.replace(Some(done));
        });
        let asks: Vec<Ask> = urls.iter().map(|url| ask(url, &headers, body)).collect();
        for ask in asks {
            let watcher = One {
                all: Rc::clone(&all),
            };
            // The handle is for a Stop button.
            drop(self.agent.ask(ask, Box::new(watcher)));
        }
        promise
    }
}

fn ask(url: &str, headers: &[String], body: &str) -> Ask {
    let pairs = headers.chunks_exact(2);
    Ask {
        url: url.to_owned(),
        headers: pairs
            .map(|pair| (pair[0].clone(), pair[1].clone()))
            .collect(),
        body: body.to_owned(),
        target: Target {
            id: "accuracy".to_owned(),
            side: None,
            base_url: Some(url.to_owned()),
            model: None,
            key_alias: None,
        },
        dialect: Some("openai".to_owned()),
        intent: None,
        limits: Limits::default(),
        prompt_id: None,
        prompt_chars: None,
        is_shown: false,
    }
}

/// The streams of one call.
struct All {
    wanted: Cell<usize>,
    records: Array,
    done: RefCell<Option<Function>>,
}

/// One of them.
struct One {
    all: Rc<All>,
}

impl Sink for One {}

impl Watcher for One {
    fn ended(&mut self, record: Record) {
        let all = &self.all;
        let plain = serde_wasm_bindgen::Serializer::json_compatible();
        // What cannot be told is missing in the result, and whoever counts it sees that.
        all.records
            .push(&record.serialize(&plain).unwrap_or(JsValue::NULL));
        all.wanted.set(all.wanted.get().saturating_sub(1));
        if all.wanted.get() == 0
            && let Some(done) = all.done.take()
        {
            // A promise's own function throws nothing.
            let _ = done.call1(&JsValue::UNDEFINED, &all.records);
        }
    }
}
