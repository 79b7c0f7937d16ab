//! The timeline's canvas: drawn anew once a frame, at most one bar a pixel.

mod draw;

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::*;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ResizeObserver};

use crate::state::timeline::Timeline;
use draw::Palette;

/// The picture with what it shows. A handle: clones are the same stage.
#[derive(Clone, Default)]
pub(crate) struct Stage(Rc<RefCell<Inner>>);

#[derive(Default)]
struct Inner {
    timeline: Timeline,
    surface: Option<DrawingSurface>,
}

struct DrawingSurface {
    canvas: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
    palette: Palette,
}

impl Stage {
    /// Gives the stage its canvas; it redraws by itself when the canvas or the colours change.
    pub(crate) fn attach(&self, canvas: HtmlCanvasElement) {
        let Some(context) = context(&canvas) else {
            return;
        };
        let palette = Palette::read(&canvas);
        let observed = canvas.clone();
        self.0.borrow_mut().surface = Some(DrawingSurface {
            canvas,
            context,
            palette,
        });
        let stage = self.clone();
        let redraw = Closure::<dyn FnMut()>::new(move || stage.restyle());
        if let Ok(observer) = ResizeObserver::new(redraw.as_ref().unchecked_ref()) {
            observer.observe(&observed);
        }
        if let Ok(Some(dark)) = window().match_media("(prefers-color-scheme: dark)") {
            dark.set_onchange(Some(redraw.as_ref().unchecked_ref()));
            // As long as the page: the one canvas is never taken away. Without a JS reference the media
            // query would be collected, and its callback with it.
            std::mem::forget(dark);
        }
        redraw.forget();
    }

    /// An empty timeline.
    pub(crate) fn reset(&self) {
        self.0.borrow_mut().timeline = Timeline::default();
        self.draw();
    }

    pub(crate) fn with<T>(&self, read: impl FnOnce(&Timeline) -> T) -> T {
        read(&self.0.borrow().timeline)
    }

    pub(crate) fn with_mut(&self, change: impl FnOnce(&mut Timeline)) {
        change(&mut self.0.borrow_mut().timeline);
    }

    /// Draws what there is.
    pub(crate) fn draw(&self) {
        let inner = self.0.borrow();
        if let Some(surface) = &inner.surface {
            surface.draw(&inner.timeline);
        }
    }

    fn restyle(&self) {
        if let Some(surface) = &mut self.0.borrow_mut().surface {
            surface.palette = Palette::read(&surface.canvas);
        }
        self.draw();
    }
}

impl DrawingSurface {
    fn draw(&self, timeline: &Timeline) {
        let (width, height) = (self.canvas.client_width(), self.canvas.client_height());
        let ratio = window().device_pixel_ratio();
        let pixels = |css: i32| (f64::from(css) * ratio).round() as u32;
        // Setting the size clears the canvas and is not free: only when it changed.
        if self.canvas.width() != pixels(width) || self.canvas.height() != pixels(height) {
            self.canvas.set_width(pixels(width));
            self.canvas.set_height(pixels(height));
        }
        let scaled = self.context.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0);
        if scaled.is_ok() {
            let size = (f64::from(width), f64::from(height));
            draw::timeline(&self.context, &self.palette, size, timeline);
        }
    }
}

fn context(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    let context: JsValue = canvas.get_context("2d").ok()??.into();
    context.dyn_into().ok()
}

/// What the colours mean.
#[component]
pub(crate) fn Legend() -> impl IntoView {
    const ENTRIES: [(&str, &str); 9] = [
        ("content", "text"),
        ("reasoning", "reasoning"),
        ("tool", "tool call"),
        ("other", "no text"),
        ("error", "error"),
        ("choppy", "gap over 200\u{202f}ms"),
        ("stall", "gap over 500\u{202f}ms"),
        ("frame", "painted frame"),
        ("blocked", "page busy"),
    ];
    let entry = |(class, words): (&'static str, &'static str)| {
        view! { <li><i class=format!("swatch {class}")></i>{words}</li> }
    };
    view! { <figcaption><ul class="legend">{ENTRIES.map(entry)}</ul></figcaption> }
}
