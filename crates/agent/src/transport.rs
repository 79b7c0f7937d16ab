//! Posts records: at once, again after a failure, and when the page is hidden or goes away.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use streamlag_wire::delivery::Answer;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{RequestInit, Response};

use crate::ids;
use crate::queue::{Batch, Item, Queue};

/// What became of one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivery {
    /// The collector has it.
    Posted,
    /// The collector will not take it.
    Refused {
        /// The field at fault, where it said so.
        field: String,
        /// Its reason.
        reason: String,
    },
    /// Not yet: it is tried again.
    Waiting {
        /// In how many milliseconds.
        retry_in_ms: u32,
    },
}

/// Hears what became of each record: its id and the news.
pub type OnDelivery = Box<dyn Fn(&str, Delivery)>;

/// Where records go, and when.
pub(crate) trait Outlet {
    /// A stream is over: its record, by its id.
    fn take(self: Rc<Self>, id: &str, json: String);
    /// The page is shown again.
    fn shown(self: Rc<Self>);
    /// The page is hidden or goes away: it may be discarded without another word.
    fn leaving(self: Rc<Self>);
}

pub(crate) struct Transport {
    url: String,
    queue: RefCell<Queue>,
    timer: RefCell<Option<Timeout>>,
    on_delivery: OnDelivery,
}

impl Outlet for Transport {
    fn take(self: Rc<Self>, id: &str, json: String) {
        let id = id.to_owned();
        self.queue.borrow_mut().push(Item { id, json });
        self.pump();
    }

    fn shown(self: Rc<Self>) {
        self.pump();
    }

    fn leaving(self: Rc<Self>) {
        self.flush_at_exit();
    }
}

impl Transport {
    pub(crate) fn new(url: String, on_delivery: OnDelivery) -> Rc<Self> {
        Rc::new(Self {
            url,
            queue: RefCell::default(),
            timer: RefCell::default(),
            on_delivery,
        })
    }

    /// Sends the next batch, if it is time; else sets the timer for it.
    fn pump(self: &Rc<Self>) {
        let now = now_ms();
        let batch = self.queue.borrow_mut().next(now);
        if let Some(batch) = batch {
            return self.send(batch);
        }
        let wait = self.queue.borrow().wait_ms(now).filter(|wait| *wait > 0);
        let timer = wait.map(|wait| {
            let this = Rc::clone(self);
            Timeout::new(wait, move || this.pump())
        });
        self.timer.replace(timer);
    }

    /// The page goes away: sends as much as may outlive it.
    fn flush_at_exit(self: &Rc<Self>) {
        loop {
            let batch = self.queue.borrow_mut().next_at_exit();
            match batch {
                Some(batch) => self.send(batch),
                None => return,
            }
        }
    }

    /// The request leaves before this returns; only its answer is awaited.
    fn send(self: &Rc<Self>, batch: Batch) {
        let sent = self.post(&batch);
        let this = Rc::clone(self);
        spawn_local(async move {
            let (status, retry_after_ms, reply) = match sent {
                Some(promise) => read(promise).await,
                None => (None, None, JsValue::NULL),
            };
            let answer = Answer::from_status(status, retry_after_ms);
            this.settle(batch, answer, &reply);
            this.pump();
        });
    }

    /// A text body and no header of our own: no preflight, also across origins.
    fn post(&self, batch: &Batch) -> Option<js_sys::Promise> {
        let init = RequestInit::new();
        init.set_method("POST");
        init.set_body(&JsValue::from_str(&batch.body()));
        js_sys::Reflect::set(&init, &"keepalive".into(), &JsValue::TRUE).ok()?;
        Some(web_sys::window()?.fetch_with_str_and_init(&self.url, &init))
    }

    fn settle(&self, batch: Batch, answer: Answer, reply: &JsValue) {
        let now = now_ms();
        let mut queue = self.queue.borrow_mut();
        let done = queue.settle(batch.ticket, answer, now, ids::spread());
        let retry_in_ms = queue.wait_ms(now).unwrap_or(0);
        drop(queue);
        for item in batch.items {
            let news = match refusal(reply, &item.id) {
                _ if !done => Delivery::Waiting { retry_in_ms },
                Some(refused) => refused,
                None if answer == Answer::Stored => Delivery::Posted,
                None => Delivery::Refused {
                    field: String::new(),
                    reason: text(reply, "error").unwrap_or_default(),
                },
            };
            (self.on_delivery)(&item.id, news);
        }
    }
}

/// Status, `Retry-After` in ms and the JSON of the answer. The body is always read to its end: browsers
/// count unread answers against the bytes that may outlive a page.
async fn read(sent: js_sys::Promise) -> (Option<u16>, Option<u32>, JsValue) {
    let Ok(response) = JsFuture::from(sent).await else {
        return (None, None, JsValue::NULL);
    };
    let response: Response = response.unchecked_into();
    let seconds = response.headers().get("retry-after").ok().flatten();
    let seconds = seconds.and_then(|text| text.parse::<u32>().ok());
    let body = match response.text() {
        Ok(body) => JsFuture::from(body).await.ok(),
        Err(_) => None,
    };
    let reply = body
        .and_then(|body| body.as_string())
        .and_then(|body| js_sys::JSON::parse(&body).ok())
        .unwrap_or(JsValue::NULL);
    let retry_after_ms = seconds.map(|s| s.saturating_mul(1_000));
    (Some(response.status()), retry_after_ms, reply)
}

/// The entry about this record in the answer's `rejected` list.
fn refusal(reply: &JsValue, id: &str) -> Option<Delivery> {
    let list = js_sys::Reflect::get(reply, &"rejected".into()).ok()?;
    let list = list.dyn_into::<js_sys::Array>().ok()?;
    let entry = list
        .iter()
        .find(|entry| text(entry, "id").as_deref() == Some(id))?;
    Some(Delivery::Refused {
        field: text(&entry, "field").unwrap_or_default(),
        reason: text(&entry, "reason").unwrap_or_default(),
    })
}

fn text(object: &JsValue, key: &str) -> Option<String> {
    js_sys::Reflect::get(object, &key.into()).ok()?.as_string()
}

fn now_ms() -> i64 {
    js_sys::Date::now() as i64
}
