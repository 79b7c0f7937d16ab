//! What the package's script calls: numbers over the boundary, and bytes once.

use std::rc::Rc;

use js_sys::Function;
use streamlag_wire::Target;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::Element;

use crate::told::{Sent, Told};
use crate::transport::Outlet;
use crate::{Agent, Config};

/// Measures what the page's script tells.
#[wasm_bindgen]
pub struct Core(Agent);

#[wasm_bindgen]
impl Core {
    /// Gives each record's JSON to `hand`. Nothing comes where there is no page.
    pub fn start(app: Option<String>, release: Option<String>, hand: Function) -> Option<Core> {
        let config = Config {
            collector: String::new(),
            app,
            release,
        };
        Agent::start(config, Rc::new(Hand(hand))).map(Core)
    }

    /// A request was sent at `at`; without it, the answer was found on its way.
    #[expect(
        clippy::too_many_arguments,
        reason = "each is one value over the boundary"
    )]
    pub fn open(
        &self,
        at: Option<f64>,
        wall: f64,
        intent: Option<f64>,
        hidden: bool,
        url: String,
        base: String,
        id: String,
        side: Option<String>,
        model: Option<String>,
        key_alias: Option<String>,
        dialect: Option<String>,
        is_late: bool,
    ) -> Told {
        let target = Target {
            id,
            side,
            base_url: Some(base),
            model,
            key_alias,
        };
        let sent = Sent {
            at,
            wall,
            intent,
            hidden,
            url,
            target,
            dialect,
        };
        Told::new(&self.0.shared, sent, is_late)
    }

    /// Takes every change below `element` as: all text of every open stream is in the DOM.
    pub fn observe(&self, element: &Element) {
        for live in self.0.shared.live() {
            if let Some(painter) = live.painter() {
                painter.observe(element);
            }
        }
    }

    /// Throws away what is being measured.
    pub fn clear(&self) {
        for live in self.0.shared.live() {
            live.forget();
        }
    }
}

/// The script that the records are given to; when they are posted is its decision.
struct Hand(Function);

impl Outlet for Hand {
    fn take(self: Rc<Self>, _: &str, json: String) {
        // What it throws is its own affair.
        let _ = self.0.call1(&JsValue::NULL, &JsValue::from_str(&json));
    }

    fn shown(self: Rc<Self>) {}

    fn leaving(self: Rc<Self>) {}
}
