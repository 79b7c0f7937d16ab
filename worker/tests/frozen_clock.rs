//! The prober under a clock that stands still between I/O.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test's helpers may fail the test"
)]

mod world;

use serde_json::{Value, json};
use streamlag_core::Failure;
use streamlag_wire::target::TargetConfig;
use streamlag_worker::probe::{Job, probe};
use world::{Step, World};

const PROMPT: &str = "Name a secret fruit";
const ANSWER: &str = "durian";

fn target(more: Value) -> TargetConfig {
    let mut target = json!({
        "id": "t", "dialect": "openai", "url": "https://t.example/v1/chat/completions", "model": "m",
        "prompt": PROMPT, "connect_timeout_ms": 1000, "first_byte_timeout_ms": 2000,
        "between_chunks_timeout_ms": 3000,
    });
    for (name, value) in more.as_object().unwrap() {
        target[name] = value.clone();
    }
    serde_json::from_value(target).unwrap()
}

/// Probes once and gives the record as the collector gets it, with the reason for people.
fn record(world: &World, target: &TargetConfig) -> (Value, Option<String>) {
    let job = Job {
        target,
        region: "weur",
        record_id: "0123456789abcdef0123456789abcdef".to_owned(),
        warmth: "cold",
        intent_ms: world::START_MS - 40,
        allow_private: false,
    };
    let key = |name: &str| (name == "KEY").then(|| "s3cret".to_owned());
    let (record, reason) = world.run(probe(&world, job, key));
    let record = serde_json::to_value(record).unwrap();
    streamlag_wire::validate::record(record.clone(), world::START_MS as f64)
        .expect("a collector takes every record");
    (record, reason)
}

fn token() -> Step {
    let event = json!({ "choices": [{ "index": 0, "delta": { "content": ANSWER } }] });
    Step::Bytes(format!("data: {event}\n\n").into_bytes())
}

fn done() -> Step {
    Step::Bytes(b"data: [DONE]\n\n".to_vec())
}

fn class(script: Vec<(i64, Step)>) -> [Value; 3] {
    let (record, _) = record(&World::new(script), &target(json!({})));
    ["outcome", "error_class", "timeout_phase"].map(|name| record[name].clone())
}

#[test]
fn what_passed_before_the_send_is_not_charged_to_the_target() {
    let script = vec![
        (20, Step::Head(200)),
        (300, token()),
        (340, done()),
        (340, Step::Eof),
    ];
    let mut world = World::new(script);
    world.build_ms = 500;
    let (record, _) = record(&world, &target(json!({})));
    assert_eq!(
        record["started_at_ms"].as_f64(),
        Some(world.left_ms.get() as f64)
    );
    // Asked for 40 ms before the build of 500 ms, and 1 ms to bring the clock up to date.
    assert_eq!(record["timing"]["wait_ms"], 541.0);
    assert_eq!(record["timing"]["headers_ms"], 20.0);
    assert_eq!(record["timing"]["ttft_ms"], 300.0);
    assert_eq!(record["outcome"], "ok");
}

#[test]
fn equal_stamps_are_unresolved_and_not_zero() {
    let mut script = vec![
        (20, Step::Head(200)),
        (100, token()),
        (100, token()),
        (100, token()),
    ];
    script.extend([(150, token()), (160, done()), (160, Step::Eof)]);
    let (record, _) = record(&World::new(script), &target(json!({})));
    assert_eq!(record["gaps"]["unresolved"], 2);
    assert_eq!(record["sketches"]["of"], json!(["gaps"]));
    assert_eq!(record["sketches"]["n"], json!([1]));
    assert_eq!(record["sketches"]["min_ms"], json!([50.0]));
    assert_eq!(
        record["clock"],
        json!({ "name": "worker.date_now", "step_ms": 1.0 })
    );
}

#[test]
fn each_limit_has_its_own_phase() {
    let timeout = |phase: &str| [json!("timeout"), json!("timeout"), json!(phase)];
    assert_eq!(class(vec![]), timeout("connect"));
    assert_eq!(class(vec![(20, Step::Head(200))]), timeout("first_byte"));
    let silent = vec![(20, Step::Head(200)), (1_900, token())];
    assert_eq!(class(silent), timeout("between_chunks"));
}

#[test]
fn a_limit_starts_anew_with_each_read() {
    let slow = |n: i64| (2_000 + n * 2_900, token());
    let mut script = vec![(900, Step::Head(200)), (1_900, token())];
    script.extend((1..8).map(|n| (slow(n).0 - 2_000 + 1_900, token())));
    script.extend([(22_300, done()), (22_300, Step::Eof)]);
    assert_eq!(class(script)[0], "ok");
}

#[test]
fn endless_streams_end() {
    let script = (0..2_000).map(|n| {
        (
            20 + n * 1_000,
            if n == 0 { Step::Head(200) } else { token() },
        )
    });
    assert_eq!(class(script.collect())[2], "total");
}

#[test]
fn a_body_without_bound_is_given_up() {
    let block = || Step::Bytes(vec![b'x'; 1 << 20]);
    let mut script = vec![(20, Step::Head(200))];
    script.extend((0..100).map(|n| (30 + n, block())));
    let world = World::new(script);
    let (record, _) = record(&world, &target(json!({})));
    assert_eq!(record["counts"]["reads"], 9);
    assert_ne!(record["outcome"], "ok");
}

#[test]
fn broken_and_half_streams_are_told_apart() {
    let start = vec![(20, Step::Head(200)), (100, token())];
    let and = |step: Step| [start.clone(), vec![(140, step)]].concat();
    assert_eq!(class(and(Step::Fail(Failure::Reset)))[1], "reset");
    assert_eq!(
        class(and(Step::Eof))[..2],
        [json!("truncated"), json!("truncated")]
    );
    assert_eq!(class(vec![(5, Step::Fail(Failure::Connect))])[1], "connect");
}

#[test]
fn a_redirect_is_an_error_and_not_followed() {
    assert_eq!(
        class(vec![(20, Step::Head(302)), (20, Step::Eof)])[0],
        "error"
    );
}

#[test]
fn the_probers_own_failure_is_never_the_targets() {
    let refused = |more: Value| {
        let world = World::new(vec![]);
        let (record, reason) = record(&world, &target(more));
        assert_eq!(record["error_class"], "prober");
        assert_eq!(record["http"]["status"], Value::Null);
        assert_eq!(
            record["timing"]["ttft_at_least_ms"],
            Value::Null,
            "nothing was asked"
        );
        assert!(world.asked.borrow().is_none());
        reason.unwrap()
    };
    let missing = refused(json!({ "key_env": "OTHER" }));
    assert!(missing.contains("KEY_OTHER"), "{missing}");
    let private = refused(json!({ "url": "https://169.254.169.254/latest" }));
    assert!(private.contains("private"), "{private}");
}

#[test]
fn neither_key_nor_prompt_nor_answer_leaves_the_place() {
    let script = vec![
        (20, Step::Head(200)),
        (300, token()),
        (340, done()),
        (340, Step::Eof),
    ];
    let world = World::new(script);
    let (record, _) = record(&world, &target(json!({ "key_env": "KEY" })));
    let asked = world.asked.borrow().clone().unwrap();
    assert!(
        asked
            .headers
            .contains(&("authorization".to_owned(), "Bearer s3cret".to_owned()))
    );
    assert!(asked.body.contains(PROMPT));
    let sent = record.to_string();
    for private in ["s3cret", PROMPT, ANSWER] {
        assert!(!sent.contains(private), "{private} in {sent}");
    }
}

#[test]
fn a_gap_that_other_work_made_is_not_the_providers() {
    let mut script = vec![
        (20, Step::Head(200)),
        (300, token()),
        (340, token()),
        (380, token()),
    ];
    script.extend([(420, done()), (420, Step::Eof)]);
    let mut world = World::new(script);
    // Busy from just after the first token on, for a second.
    world.busy = Some((world::START_MS + 310, world::START_MS + 1_310));
    let (record, _) = record(&world, &target(json!({})));
    assert_eq!(
        record["gaps"]["longest"]["cause"]["words"],
        json!(["main_thread"])
    );
    assert_eq!(record["gaps"]["provider_stalls"], 0);
}

#[test]
fn reads_do_not_arm_timers() {
    let mut script = vec![(20, Step::Head(200))];
    script.extend((0..1_000).map(|n| (30 + n, token())));
    script.extend([(1_030, done()), (1_030, Step::Eof)]);
    let world = World::new(script);
    record(&world, &target(json!({})));
    assert!(
        world.timers.get() < 20,
        "{} timers for 1000 reads",
        world.timers.get()
    );
}
