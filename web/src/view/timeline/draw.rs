//! Strokes and fills. Two lanes over one axis: what came from the network, what reached the screen.

use leptos::prelude::window;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use crate::state::format::duration;
use crate::state::timeline::{Kind, STALL_MS, Span, Timeline, scale, tick_label, ticks};

/// The page's colours, as its style sheet has them.
#[derive(Debug, Default)]
pub(super) struct Palette {
    ink: String,
    muted: String,
    line: String,
    lane: String,
    kinds: [String; 5],
    choppy: String,
    stall: String,
    frame: String,
    blocked: String,
}

impl Palette {
    pub(super) fn read(canvas: &HtmlCanvasElement) -> Self {
        let style = window().get_computed_style(canvas).ok().flatten();
        let colour = |name: &str| {
            let value = style
                .as_ref()
                .and_then(|style| style.get_property_value(name).ok());
            value
                .map(|value| value.trim().to_owned())
                .unwrap_or_default()
        };
        Self {
            ink: colour("--ink"),
            muted: colour("--muted"),
            line: colour("--line"),
            lane: colour("--lane"),
            kinds: ["--content", "--reasoning", "--tool", "--error", "--other"].map(colour),
            choppy: colour("--choppy"),
            stall: colour("--stall"),
            frame: colour("--frame"),
            blocked: colour("--blocked"),
        }
    }

    fn kind(&self, kind: Kind) -> &str {
        let [content, reasoning, tool, error, other] = &self.kinds;
        match kind {
            Kind::Content => content,
            Kind::Reasoning => reasoning,
            Kind::Tool => tool,
            Kind::Error => error,
            Kind::Other => other,
        }
    }
}

/// Heights from the top: labels, lane of reads, lane of frames, axis.
const READS: (f64, f64) = (26.0, 92.0);
const FRAMES: (f64, f64) = (104.0, 120.0);
const AXIS: f64 = 130.0;
/// Shortest bar of a read.
const LEAST_BAR: f64 = 8.0;

struct Pen<'a> {
    c: &'a CanvasRenderingContext2d,
    palette: &'a Palette,
    left: f64,
    width: f64,
    scale: f64,
}

/// Draws everything.
pub(super) fn timeline(
    c: &CanvasRenderingContext2d,
    palette: &Palette,
    (width, height): (f64, f64),
    timeline: &Timeline,
) {
    c.clear_rect(0.0, 0.0, width, height);
    c.set_font("11px ui-sans-serif, system-ui, sans-serif");
    let left = if width < 480.0 { 0.0 } else { 62.0 };
    let pen = Pen {
        c,
        palette,
        left,
        width: width - left - 1.0,
        scale: scale(timeline.extent().max(980.0)),
    };
    pen.lanes();
    pen.axis();
    pen.gaps(&timeline.gaps);
    pen.reads(timeline);
    pen.blocked(&timeline.blocked);
    pen.frames(&timeline.frames);
    pen.moments(timeline);
}

impl Pen<'_> {
    fn x(&self, ms: f64) -> f64 {
        self.left + (ms / self.scale).clamp(0.0, 1.0) * self.width
    }

    fn fill(&self, colour: &str, x: f64, y: f64, width: f64, height: f64) {
        self.c.set_fill_style_str(colour);
        self.c.fill_rect(x, y, width, height);
    }

    fn text(&self, colour: &str, align: &str, text: &str, x: f64, y: f64) {
        self.c.set_fill_style_str(colour);
        self.c.set_text_align(align);
        // Fails only for an image that cannot be drawn, which a text is not.
        let _ = self.c.fill_text(text, x, y);
    }

    fn lanes(&self) {
        for ((top, bottom), name) in [(READS, "network"), (FRAMES, "screen")] {
            self.fill(&self.palette.lane, self.left, top, self.width, bottom - top);
            if self.left > 0.0 {
                let middle = f64::midpoint(top, bottom) + 4.0;
                self.text(&self.palette.muted, "left", name, 0.0, middle);
            }
        }
    }

    fn axis(&self) {
        for tick in ticks(self.scale, self.width, 64.0) {
            let x = self.x(tick);
            self.fill(&self.palette.line, x.round(), READS.0, 1.0, AXIS - READS.0);
            let align = match tick {
                tick if tick <= 0.0 => "left",
                tick if tick >= self.scale * 0.98 => "right",
                _ => "center",
            };
            self.text(
                &self.palette.muted,
                align,
                &tick_label(tick, self.scale),
                x,
                AXIS + 13.0,
            );
        }
    }

    fn gaps(&self, gaps: &[Span]) {
        for gap in gaps {
            let is_stall = gap.length() > STALL_MS;
            let colour = if is_stall {
                &self.palette.stall
            } else {
                &self.palette.choppy
            };
            let (from, to) = (self.x(gap.from), self.x(gap.to));
            self.fill(colour, from, READS.0, to - from, READS.1 - READS.0);
            let label = duration(gap.length(), None);
            if to - from > 8.0 + 6.0 * label.chars().count() as f64 {
                let middle = f64::midpoint(from, to);
                self.text(&self.palette.ink, "center", &label, middle, READS.0 + 14.0);
            }
        }
    }

    /// One bar a pixel: the tallest of the reads that fall on it. Heights go by bytes, by their root, so
    /// that one large read does not flatten all others.
    fn reads(&self, timeline: &Timeline) {
        let room = READS.1 - READS.0 - LEAST_BAR - 16.0;
        let most = timeline
            .reads
            .iter()
            .map(|read| read.bytes)
            .max()
            .unwrap_or(1);
        let most = f64::from(most.max(1)).sqrt();
        let bar = if self.scale / self.width > 8.0 {
            1.5
        } else {
            2.0
        };
        let mut last = (f64::MIN, 0.0);
        for read in &timeline.reads {
            let x = (self.x(read.at) * 2.0).round() / 2.0;
            let height = LEAST_BAR + room * f64::from(read.bytes).sqrt() / most;
            if x - last.0 < 0.5 && height <= last.1 {
                continue;
            }
            last = (x, height);
            let colour = self.palette.kind(read.kind);
            self.fill(colour, x, READS.1 - height, bar, height);
        }
    }

    fn frames(&self, frames: &[Span]) {
        let mut last = f64::MIN;
        for frame in frames {
            let from = (self.x(frame.from) * 2.0).round() / 2.0;
            let width = (self.x(frame.to) - from).max(1.5);
            if from - last >= 0.5 {
                let height = FRAMES.1 - FRAMES.0 - 4.0;
                self.fill(&self.palette.frame, from, FRAMES.0 + 2.0, width, height);
            }
            last = from;
        }
    }

    fn blocked(&self, blocked: &[Span]) {
        for span in blocked {
            let (from, to) = (self.x(span.from), self.x(span.to));
            let height = FRAMES.1 - FRAMES.0;
            self.fill(
                &self.palette.blocked,
                from,
                FRAMES.0,
                (to - from).max(1.0),
                height,
            );
        }
    }

    /// Headers, first byte, first text, end: lines with labels, each only where it has room.
    fn moments(&self, timeline: &Timeline) {
        let moments = [
            ("first text", timeline.first_text),
            ("end", timeline.ended),
            ("headers", timeline.headers),
            ("first byte", timeline.first_byte),
        ];
        let mut taken: Vec<(f64, f64)> = Vec::new();
        for (name, at) in moments {
            let Some(at) = at else {
                continue;
            };
            let x = self.x(at);
            self.fill(
                &self.palette.ink,
                x.round(),
                READS.0 - 6.0,
                1.0,
                READS.1 - READS.0 + 6.0,
            );
            let label = format!("{name} {}", duration(at, None));
            let width = self.c.measure_text(&label).map_or(80.0, |m| m.width());
            let right = self.left + self.width;
            let start = (x - 2.0).min(right - width).max(self.left);
            let is_free = |&(from, to): &(f64, f64)| start > to + 8.0 || start + width + 8.0 < from;
            if taken.iter().all(is_free) {
                taken.push((start, start + width));
                self.text(&self.palette.ink, "left", &label, start, READS.0 - 12.0);
            }
        }
    }
}
