//! From the read to the painted frame.

use streamlag_wire::record::RenderJson;
use streamlag_wire::{Record, SketchJson};

use super::value::{known, ms, noted, row};
use super::{Row, Value};
use crate::state::format::{bounds, count, counted, duration};

pub(super) fn screen(r: &Record) -> Vec<Row> {
    let parse = ms(r, r.parse_ms, || "no body was read".into());
    let note = r.sketches.parse.as_ref().map(|sketch| a_read(r, sketch));
    let parse = noted(parse, note.unwrap_or_default());
    let mut rows = vec![row("Parsing, all reads", "parse_ms", parse)];
    let lag = lag(r).unwrap_or_else(|| Value::Missing {
        reason: no_paint(r),
    });
    rows.push(row("Read to painted frame", "render_lag_ms", lag));
    if let Some(render) = &r.render {
        let holdback = ms(r, typical(&r.sketches.holdback), || {
            "the page did not say when it wrote the text".into()
        });
        let first = ms(r, render.first_paint_ms, || no_paint(r));
        rows.extend([
            row("Held back before the DOM", "holdback_ms", holdback),
            row("First text on screen", "first_paint_ms", first),
            row("Frames with new text", "frames", frames(r, render)),
        ]);
    }
    rows
}

/// The median, or the longest where there are too few for one.
fn typical(sketch: &Option<SketchJson>) -> Option<f64> {
    let sketch = sketch.as_ref()?;
    sketch.p50_ms.or(sketch.max_ms)
}

fn a_read(r: &Record, sketch: &SketchJson) -> String {
    let text = |ms| duration(ms, r.clock.step_ms);
    match (sketch.p50_ms, sketch.max_ms) {
        (Some(p50), Some(max)) => format!("median {}, longest {} a read", text(p50), text(max)),
        (None, Some(max)) => format!("longest {} a read", text(max)),
        _ => String::new(),
    }
}

/// Both bounds: the frame lies between them, and where is not known.
fn lag(r: &Record) -> Option<Value> {
    let step = r.clock.step_ms;
    let (early, late) = (&r.sketches.lag_earliest, &r.sketches.lag_latest);
    let (from, to) = (typical(early)?, typical(late)?);
    let note = match late.as_ref().and_then(|late| late.p50_ms.and(late.max_ms)) {
        Some(max) => format!(
            "median, between its two bounds; at most {}",
            duration(max, step)
        ),
        None => "longest, between its two bounds".to_owned(),
    };
    Some(known(bounds(from, to, step), note))
}

fn frames(r: &Record, render: &RenderJson) -> Value {
    let unseen = u64::from(render.censored) + u64::from(render.not_shown);
    let note = match unseen {
        0 => format!("for {}", counted(r.counts.reads.into(), "read")),
        _ => format!("{} could not be seen on screen", counted(unseen, "read")),
    };
    known(count(render.frames.into()), note)
}

fn no_paint(r: &Record) -> String {
    match &r.render {
        Some(render) if render.censored > 0 => "the page was hidden".into(),
        _ if r.counts.generated == 0 => "there was no text to show".into(),
        _ => "no frame was observed before the record was closed".into(),
    }
}
