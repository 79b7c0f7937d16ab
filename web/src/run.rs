//! One question under way: collects what the agent tells and shows it once a frame.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use streamlag_agent::{Ask, Limits, Mark, Stream, Watcher, Written};
use streamlag_core::{Delta, Mono, Sink, Stamp};
use streamlag_wire::Record;
use web_sys::{Element, Text};

use crate::app::App;
use crate::state::ask::{self, Phase, Posting};
use crate::state::targets::TargetInfo;
use crate::state::timeline::{Span, Timeline};
use crate::view::timeline::Stage;

/// Where text and picture go.
#[derive(Clone)]
pub(crate) struct Surface {
    pub(crate) answer: Element,
    pub(crate) reasoning: Element,
    pub(crate) stage: Stage,
}

/// A question from click to record.
struct Run {
    app: App,
    target: TargetInfo,
    surface: Surface,
    answer: Text,
    reasoning: Text,
    stream: RefCell<Option<Stream>>,
    sent: Cell<Option<Stamp<Mono>>>,
    waiting: RefCell<Waiting>,
    frame_asked: Cell<bool>,
}

/// What came since the last frame.
#[derive(Default)]
struct Waiting {
    answer: String,
    reasoning: String,
    /// The answer starts over: what is shown goes.
    restart: bool,
    through_read: Option<u32>,
}

/// Asks `target` and shows what comes. `intent`: the event's own time stamp.
pub(crate) fn ask(app: App, target: TargetInfo, prompt: &str, intent: f64, surface: Surface) {
    let Some(agent) = app.agent() else {
        return;
    };
    let request = target.request(prompt);
    let question = Ask {
        url: target.relay.clone(),
        headers: request.headers,
        body: request.body,
        target: target.for_record(),
        dialect: Some(target.dialect.clone()),
        intent: Some(agent.stamp(intent)),
        limits: limits(&target),
        prompt_id: (prompt == target.prompt).then(|| streamlag_wire::prompt::id(prompt)),
        prompt_chars: u32::try_from(prompt.chars().count()).ok(),
        is_shown: true,
    };
    let run = Run::new(app, target, surface);
    app.phase.set(Phase::Waiting);
    app.record.set(None);
    app.posting.set(Posting::default());
    let stream = agent.ask(question, Box::new(Watch(Rc::clone(&run))));
    run.stream.replace(Some(stream.clone()));
    app.stream.set_value(Some(stream));
    run.ask_frame();
}

/// The relay has the target's own limits and speaks first where it can; the page gives up a little later.
fn limits(target: &TargetInfo) -> Limits {
    let ms = |ms: u32| std::time::Duration::from_millis(u64::from(ms));
    let first_byte = ms(target.first_byte_timeout_ms);
    Limits {
        headers: ms(target.connect_timeout_ms) + first_byte + ms(1_000),
        first_byte,
        between_chunks: ms(target.between_chunks_timeout_ms),
    }
}

impl Run {
    fn new(app: App, target: TargetInfo, surface: Surface) -> Rc<Self> {
        let fresh = |parent: &Element| {
            let text = document().create_text_node("");
            parent.set_text_content(None);
            // An element of this page takes a text node; were it gone, nobody would see the difference.
            let _ = parent.append_child(&text);
            text
        };
        surface.stage.reset();
        Rc::new(Self {
            app,
            target,
            answer: fresh(&surface.answer),
            reasoning: fresh(&surface.reasoning),
            surface,
            stream: RefCell::default(),
            sent: Cell::default(),
            waiting: RefCell::default(),
            frame_asked: Cell::default(),
        })
    }

    fn ask_frame(self: &Rc<Self>) {
        if !self.frame_asked.replace(true) {
            let this = Rc::clone(self);
            request_animation_frame(move || this.show());
        }
    }

    /// Writes what came since the last frame, all at once.
    fn show(&self) {
        self.frame_asked.set(false);
        let new = self.waiting.take();
        if new.restart {
            self.answer.set_data("");
            self.reasoning.set_data("");
        }
        append(&self.answer, &new.answer);
        append(&self.reasoning, &new.reasoning);
        if let (Some(read), Some(stream)) = (new.through_read, &*self.stream.borrow()) {
            stream.committed(read, Written::InFrame);
        }
        let stage = &self.surface.stage;
        stage.draw();
        stage.with(|timeline| self.tell(timeline));
    }

    /// The signals of the running numbers: only those that changed make work.
    fn tell(&self, timeline: &Timeline) {
        let app = self.app;
        let current = app.phase.get_untracked();
        let phase = if current == Phase::Done {
            current
        } else {
            ask::phase(timeline)
        };
        set_if_new(app.phase, phase);
        set_if_new(app.headline, ask::headline(timeline));
        set_if_new(app.status, ask::status(phase, timeline, &self.target.label));
    }

    /// Milliseconds since the request was sent.
    fn since(&self, at: Stamp<Mono>) -> f64 {
        self.sent
            .get()
            .map_or(0.0, |sent| (at.ms() - sent.ms()).max(0.0))
    }

    fn mark(self: &Rc<Self>, at: Stamp<Mono>, mark: Mark) {
        if mark == Mark::Sent {
            self.sent.set(Some(at));
        }
        let ms = self.since(at);
        self.surface.stage.with_mut(|timeline| match mark {
            Mark::Headers { .. } => timeline.headers = Some(ms),
            Mark::Read { bytes, kinds, .. } => timeline.read(ms, bytes, kinds),
            Mark::Painted { latest } => timeline.frame(ms, self.since(latest)),
            Mark::Blocked { until } => {
                let to = self.since(until);
                timeline.block(Span { from: ms, to });
            }
            Mark::BodyEnded => timeline.ended = Some(ms),
            Mark::Sent | Mark::Visibility(_) => {}
        });
        if let Mark::Read { index, .. } = mark {
            self.waiting.borrow_mut().through_read = Some(index);
        }
        // A painted frame is drawn with the next text: asking for a frame here would make one more.
        if !matches!(mark, Mark::Painted { .. }) {
            self.ask_frame();
        }
    }

    fn ended(self: &Rc<Self>, record: Record) {
        let app = self.app;
        app.record
            .set(Some((Arc::new(record), self.target.clone())));
        app.phase.set(Phase::Done);
        if document().hidden() {
            // No frame comes in a hidden page; who returns to it finds the whole answer.
            self.show();
        } else {
            self.ask_frame();
        }
        app.catch_up();
    }
}

fn append(node: &Text, text: &str) {
    if !text.is_empty() {
        // Only an invalid offset makes this fail, and there is none.
        let _ = node.append_data(text);
    }
}

fn set_if_new<T: PartialEq + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
    if signal.with_untracked(|old| *old != value) {
        signal.set(value);
    }
}

/// The agent's end of a run.
struct Watch(Rc<Run>);

impl Sink for Watch {
    fn delta(&mut self, _: Stamp<Mono>, delta: &Delta<'_>) {
        let mut waiting = self.0.waiting.borrow_mut();
        match delta {
            Delta::Content { choice: 0, text } | Delta::Refusal { choice: 0, text } => {
                waiting.answer.push_str(text);
            }
            Delta::Reasoning { choice: 0, text } => waiting.reasoning.push_str(text),
            Delta::Tool {
                choice: 0,
                name,
                arguments,
                ..
            } => {
                if let Some(name) = name {
                    waiting.answer.push_str(name);
                    waiting.answer.push(' ');
                }
                waiting.answer.push_str(arguments);
            }
            Delta::Restart => {
                *waiting = Waiting {
                    restart: true,
                    ..Waiting::default()
                }
            }
            _ => {}
        }
    }
}

impl Watcher for Watch {
    fn mark(&mut self, at: Stamp<Mono>, mark: Mark) {
        self.0.mark(at, mark);
    }

    fn ended(&mut self, record: Record) {
        self.0.ended(record);
    }
}
