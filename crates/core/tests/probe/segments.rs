//! Which instants each duration spans.

use streamlag_core::Flags;

use crate::script::{
    DONE, Do, Heard, choice, finish, ms, play, probe, read, role, sent, tell, text, think, tool,
    usage,
};

#[test]
fn every_duration_spans_what_it_says() {
    let m = play(&[
        (-250, Do::Intent),
        (0, Do::Send),
        (80, Do::Head(200, vec![])),
        (100, read(": keep-alive\n\n")),
        (150, read(&role())),
        (300, read(&think("hm"))),
        (700, read(&text("\\n"))),
        (740, read(&text("yes"))),
        (790, read(&text("."))),
        (900, read(&finish("stop"))),
        (910, read(&usage(7, 9, Some(5)))),
        (911, read(DONE)),
        (60_000, Do::Eof),
    ]);
    let t = m.timing;
    assert_eq!(t.wait, ms(250));
    assert_eq!(t.headers, ms(80));
    assert_eq!(t.ttfb, ms(100));
    assert_eq!(t.ttft, ms(300));
    assert_eq!((t.ttfo, t.first_answer), (ms(700), ms(700)));
    assert_eq!(t.first_visible, ms(740));
    assert_eq!((t.generation, t.total), (ms(490), ms(790)));
    assert_eq!((t.stream_end, t.tail_wait), (ms(900), ms(110)));
    assert_eq!((t.user_total, t.user_ttft), (ms(1040), ms(300)));
    assert_eq!(t.tpot, Some(ms(490).unwrap_or_default() / 8));
    assert_eq!(t.answer_tpot, ms(30));
    assert_eq!(t.ttft_at_least, None);
    assert!(m.complete && m.tokens.usage_is_final);
}

#[test]
fn a_tool_call_is_output_but_no_answer_text() {
    let m = play(&sent(&[
        (100, think("x")),
        (200, tool("{}")),
        (300, finish("tool_calls") + DONE),
    ]));
    assert_eq!(m.timing.ttfo, ms(200));
    assert_eq!(
        (m.timing.first_answer, m.timing.first_visible),
        (None, None)
    );
    assert_eq!(m.counts.tool_calls, 1);
    assert!(!m.flags.contains(Flags::EMPTY_ANSWER));
}

#[test]
fn what_one_reading_holds_has_no_length() {
    let whole = role() + &text("a") + &text("b") + &finish("stop") + DONE;
    let t = play(&sent(&[(900, whole.clone())])).timing;
    assert_eq!(t.ttft, ms(900));
    assert_eq!((t.generation, t.tail_wait, t.tpot), (None, None, None));
    let at_once = play(&sent(&[(0, whole)])).timing;
    assert_eq!(
        (at_once.ttfb, at_once.ttft, at_once.stream_end),
        (None, None, None)
    );
}

#[test]
fn without_a_send_no_duration_is_observed() {
    let m = play(&[
        (100, read(&text("a"))),
        (200, read(&text("b"))),
        (300, Do::Eof),
    ]);
    assert_eq!(m.timing.ttft, None);
    assert_eq!(m.timing.generation, ms(100));
    assert_eq!((m.attempts_seen, m.attempts.len()), (1, 1));
}

#[test]
fn an_intent_after_the_sending_did_not_lead_to_it() {
    let mut steps = sent(&[(100, text("a"))]);
    steps.push((50, Do::Intent));
    let t = play(&steps).timing;
    assert_eq!((t.wait, t.user_total), (None, None));
}

#[test]
fn text_that_the_end_of_the_body_completes_came_with_the_last_bytes() {
    let half = text("a");
    let m = {
        let mut probe = streamlag_core::Probe::new(streamlag_core::Config {
            dialect: Some("ollama".to_owned()),
            framing: Some("ndjson".to_owned()),
            ..Default::default()
        });
        let record = r#"{"message":{"content":"a"},"done":true,"done_reason":"stop"}"#;
        let steps = [(0, Do::Send), (120, read(record)), (9000, Do::Eof)];
        tell(&mut probe, &steps, &mut ());
        probe.measurement()
    };
    assert_eq!((m.timing.ttft, m.timing.stream_end), (ms(120), ms(120)));
    assert!(m.complete && !half.is_empty());
}

#[test]
fn a_stream_ends_when_all_its_answers_have() {
    let both = [
        (100, choice(0, r#""content":"a""#, "null")),
        (110, choice(1, r#""content":"b""#, "null")),
        (200, choice(0, "", r#""stop""#)),
        (300, choice(1, r#""content":"b""#, "null")),
        (400, choice(1, "", r#""length""#)),
        (450, DONE.to_owned()),
    ];
    let m = play(&sent(&both));
    assert_eq!(
        (m.timing.stream_end, m.timing.tail_wait),
        (ms(400), ms(100))
    );
    assert_eq!(m.counts.choices, 2);
    let mut cut = sent(&both[..4]);
    cut.push((500, Do::Eof));
    assert!(!play(&cut).complete, "one answer has no end");
}

#[test]
fn an_answer_that_begins_after_another_has_ended_moves_the_end() {
    let m = play(&sent(&[
        (100, choice(0, r#""content":"a""#, r#""stop""#)),
        (300, choice(1, r#""content":"b""#, "null")),
        (400, choice(1, "", r#""stop""#)),
        (450, DONE.to_owned()),
    ]));
    assert_eq!(m.timing.stream_end, ms(400));
}

#[test]
fn a_count_is_final_once_the_answer_has_ended() {
    let running = sent(&[(100, text("a") + &usage(3, 1, None)), (200, text("b"))]);
    let cut = play(&running);
    assert_eq!(
        (cut.tokens.output, cut.tokens.usage_is_final),
        (Some(1), false)
    );
    let mut whole = running;
    whole.push((300, read(&(finish("stop") + &usage(3, 2, None) + DONE))));
    let whole = play(&whole);
    assert_eq!(
        (whole.tokens.output, whole.tokens.usage_is_final),
        (Some(2), true)
    );
}

#[test]
fn an_open_stream_has_no_end_yet() {
    let t = play(&sent(&[(100, text("a")), (150, finish("stop"))])).timing;
    assert_eq!((t.stream_end, t.tail_wait), (None, None));
}

#[test]
fn nothing_after_the_marker_changes_text_or_timing() {
    let mut steps = sent(&[(100, text("a")), (200, finish("stop") + DONE)]);
    let before = play(&steps);
    steps.push((300, read(&text("ghost"))));
    steps.push((
        400,
        read("data: {\"error\":{\"type\":\"server_error\"}}\n\n"),
    ));
    let mut heard = Heard::default();
    let mut probe = probe();
    tell(&mut probe, &steps, &mut heard);
    let after = probe.measurement();
    assert_eq!(heard.text, "a");
    assert_eq!(after.timing, before.timing);
    assert_eq!((after.outcome, after.error), (before.outcome, None));
    assert_eq!((after.counts.content, after.counts.answer_chars), (1, 1));
    assert!(after.flags.contains(Flags::DATA_AFTER_DONE));
    assert!(!before.flags.contains(Flags::DATA_AFTER_DONE));
}

#[test]
fn time_per_token_needs_a_count_a_window_and_one_text() {
    let tpot = |tail: String| {
        let reads = [
            (100, text("a")),
            (300, text("b")),
            (310, finish("stop") + &tail + DONE),
        ];
        play(&sent(&reads)).timing.tpot
    };
    assert_eq!(tpot(usage(3, 5, None)), ms(50));
    assert_eq!(tpot(String::new()), None, "no count");
    assert_eq!(tpot(usage(3, 1, None)), None, "nothing after the first");
    assert_eq!(tpot(usage(3, 0, None)), None);
    // Hidden reasoning: only the answer's tokens fell into the window.
    assert_eq!(tpot(usage(3, 1026, Some(1024))), ms(200));
    assert_eq!(
        tpot(usage(3, 10, Some(11))),
        None,
        "no answer token is left"
    );
}

#[test]
fn reasoning_counted_apart_belongs_to_the_output() {
    let apart = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":2,\"total_tokens\":304,\"completion_tokens_details\":{\"reasoning_tokens\":290}}}\n\n";
    let m = play(&sent(&[
        (100, text("a")),
        (300, text("b") + &finish("stop") + apart + DONE),
    ]));
    assert_eq!((m.tokens.output, m.tokens.answer), (Some(292), Some(2)));
    assert_eq!(m.timing.tpot, ms(200));
    assert!(!m.flags.contains(Flags::USAGE_INCONSISTENT));
}

#[test]
fn a_usage_of_nothing_is_no_usage() {
    let real = usage(57, 28, None);
    for tail in [usage(0, 0, None) + &real, real.clone() + &usage(0, 0, None)] {
        let m = play(&sent(&[(100, text("a") + &finish("stop") + &tail + DONE)]));
        assert_eq!(m.tokens.output, Some(28));
        assert!(m.flags.contains(Flags::USAGE_ZERO_IGNORED));
    }
}
