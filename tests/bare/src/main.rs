//! Measures a scripted stream with the core alone. Built for wasm32 it must import nothing, and it must run
//! where there is no clock, no randomness and no output: a wrong measurement ends in a trap.

use std::time::Duration;
use streamlag_core::clock::{Mono, Stamp};
use streamlag_core::input::{Head, Input};
use streamlag_core::probe::{Config, Probe};

const FIRST: &[u8] = b"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"one\"}}]}\n\n";
const SECOND: &[u8] =
    b"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\" two\"}}]}\n\ndata: [DONE]\n\n";

fn main() {
    let mut probe = Probe::new(Config::default());
    let mut ignored = ();
    let headers = [("content-type", "text/event-stream")];
    let head = Head {
        status: 200,
        headers: &headers,
        may_hide_headers: false,
    };
    let script = [
        (0, Input::Send),
        (50, Input::Headers(head)),
        (100, Input::Bytes(FIRST)),
        (140, Input::Bytes(SECOND)),
        (150, Input::Eof),
    ];
    for (at_ms, input) in script {
        probe.handle(
            Stamp::<Mono>::from_ns(at_ms * 1_000_000),
            input,
            &mut ignored,
        );
    }
    let measured = probe.measurement();
    assert_eq!(measured.timing.ttft, Some(Duration::from_millis(100)));
    assert_eq!(measured.timing.total, Some(Duration::from_millis(140)));
}
