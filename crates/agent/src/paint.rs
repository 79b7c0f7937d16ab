//! From the DOM to the screen: one animation frame, only when text waits to be painted.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use streamlag_core::{Mono, Stamp};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Element, MessageChannel, MutationObserver, MutationObserverInit, Window};

use crate::frames::{Asks, Frames, Told, Written};
use crate::session::Session;

/// A mutation observer with its callback.
type Changes = (MutationObserver, Closure<dyn FnMut()>);

/// Watches what becomes of one stream's text.
pub(crate) struct Painter {
    session: Rc<Session>,
    window: Window,
    frames: RefCell<Frames>,
    frame_handle: Cell<Option<i32>>,
    on_frame: Closure<dyn FnMut()>,
    channel: MessageChannel,
    _on_task: Closure<dyn FnMut()>,
    observer: RefCell<Option<Changes>>,
    /// The last read whose text is in the DOM.
    shown: Cell<Option<u32>>,
}

impl Painter {
    /// `None` outside of a page.
    pub(crate) fn start(session: Rc<Session>) -> Option<Rc<Self>> {
        let window = web_sys::window()?;
        let channel = MessageChannel::new().ok()?;
        let painter = Rc::new_cyclic(|this: &Weak<Self>| {
            let on_frame = callback(this, |painter, at| {
                painter.frame_handle.set(None);
                let asks = painter.frames.borrow_mut().frame(at);
                painter.told(at, Vec::new(), asks);
            });
            let on_task = callback(this, |painter, at| {
                let mut told = Vec::new();
                let asks = painter.frames.borrow_mut().after(at, &mut told);
                painter.told(at, told, asks);
            });
            let receiver = channel.port2();
            receiver.set_onmessage(Some(on_task.as_ref().unchecked_ref()));
            Self {
                session,
                window,
                frames: RefCell::default(),
                frame_handle: Cell::new(None),
                on_frame,
                channel,
                _on_task: on_task,
                observer: RefCell::new(None),
                shown: Cell::new(None),
            }
        });
        Some(painter)
    }

    /// The page says: the text of all reads through this one is in the DOM.
    pub(crate) fn committed(&self, through_read: u32, written: Written) {
        let at = self.session.clock.now();
        self.shown.set(self.shown.get().max(Some(through_read)));
        let mut told = Vec::new();
        let mut frames = self.frames.borrow_mut();
        let asks = frames.committed(at, through_read, written, &mut told);
        drop(frames);
        self.told(at, told, asks);
    }

    /// Takes every change below `element` as: all text delivered so far is in the DOM.
    pub(crate) fn observe(self: &Rc<Self>, element: &Element) {
        let on_change = callback(&Rc::downgrade(self), |painter, _| {
            if let Some(latest) = painter.session.reads().checked_sub(1) {
                painter.committed(latest, Written::Anytime);
            }
        });
        let Ok(observer) = MutationObserver::new(on_change.as_ref().unchecked_ref()) else {
            return;
        };
        let options = MutationObserverInit::new();
        options.set_child_list(true);
        options.set_character_data(true);
        options.set_subtree(true);
        if observer.observe_with_options(element, &options).is_ok() {
            self.observer.replace(Some((observer, on_change)));
        }
    }

    /// Watches the screen no longer. The response may be held for long after its end.
    pub(crate) fn stop(&self) {
        if let Some(handle) = self.frame_handle.take() {
            let _ = self.window.cancel_animation_frame(handle);
        }
        self.channel.port2().set_onmessage(None);
        self.channel.port1().close();
        if let Some((observer, _)) = self.observer.take() {
            observer.disconnect();
        }
    }

    /// Whether all text that came is in the DOM and was painted.
    pub(crate) fn is_settled(&self) -> bool {
        self.shown.get() >= self.session.last_text() && self.frames.borrow().is_idle()
    }

    fn told(&self, since: Stamp<Mono>, told: Vec<Told>, asks: Asks) {
        for (at, input) in told {
            self.session.tell(at, input);
        }
        if asks.frame {
            let on_frame = self.on_frame.as_ref().unchecked_ref();
            self.frame_handle
                .set(self.window.request_animation_frame(on_frame).ok());
        }
        if asks.task {
            // Nothing to tell the port: that the message arrives is the message.
            let _ = self.channel.port1().post_message(&true.into());
        }
        self.session.cost(since, self.session.clock.now());
    }
}

impl Drop for Painter {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A callback that stamps first and does nothing once its painter is gone.
fn callback(
    painter: &Weak<Painter>,
    run: impl Fn(&Painter, Stamp<Mono>) + 'static,
) -> Closure<dyn FnMut()> {
    let painter = painter.clone();
    Closure::new(move || {
        if let Some(painter) = painter.upgrade() {
            run(&painter, painter.session.clock.now());
        }
    })
}
