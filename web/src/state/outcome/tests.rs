use super::*;
use crate::state::metrics::example;

const ASKED: Asked<'static> = Asked {
    label: "Steady",
    host: Some("llm.example:7071"),
    key: Some("LLM_KEY"),
    is_key_missing: false,
};

fn failed(class: &str, change: impl FnOnce(&mut Record)) -> Explanation {
    let mut record = example();
    record.outcome = "error".into();
    record.error_class = Some(class.into());
    change(&mut record);
    explain(&record, ASKED)
}

/// Both parts with plain spaces.
fn words(explanation: &Explanation) -> String {
    format!("{} {}", explanation.headline, explanation.advice).replace(['\u{202f}', '\u{a0}'], " ")
}

#[test]
fn a_complete_answer_says_when_text_began_and_ended() {
    let explained = explain(&example(), ASKED);
    assert_eq!(explained.tone, Tone::Good);
    assert_eq!(
        explained.headline.replace('\u{202f}', " "),
        "Complete. First text after 301 ms, last after 2,661 ms."
    );
}

#[test]
fn a_stall_in_a_complete_answer_is_told() {
    let mut record = example();
    record.gaps.stalls = 1;
    record.gaps.longest[0].gap_ms = 2012.0;
    let explained = explain(&record, ASKED);
    assert_eq!(explained.tone, Tone::Notice);
    assert!(words(&explained).contains("1 gap over 500 ms on the way, the longest 2,012 ms"));
}

#[test]
fn json_instead_of_a_stream_is_said_even_where_the_answer_is_whole() {
    let mut record = example();
    record.flags = vec!["single_burst".into(), "not_streamed".into()];
    assert!(
        explain(&record, ASKED)
            .headline
            .contains("one JSON object instead of a stream")
    );
}

#[test]
fn every_class_of_the_core_has_a_sentence_and_something_to_do() {
    for class in streamlag_core::ErrorClass::ALL {
        let explained = failed(class.as_str(), |_| ());
        assert_eq!(explained.tone, Tone::Bad);
        assert!(!explained.advice.is_empty(), "{class:?}");
        let unknown = format!("failed: {}", class.as_str());
        assert!(
            !explained.headline.contains(&unknown),
            "{class:?} has no words of its own"
        );
    }
}

#[test]
fn a_target_that_is_down_is_named_with_its_place() {
    let text = words(&failed("connect", |_| ()));
    assert!(text.contains("“Steady” is down: nothing accepts connections at llm.example:7071."));
    assert!(words(&failed("dns", |_| ())).contains("spelling of llm.example:7071"));
}

#[test]
fn a_refused_key_names_the_variable_and_never_more() {
    let text = words(&failed("auth", |r| r.http.status = Some(401)));
    assert!(
        text.contains("refused the key (HTTP 401). Check LLM_KEY"),
        "{text}"
    );
}

#[test]
fn a_missing_key_is_told_apart_from_a_failure_of_ours() {
    let mut record = example();
    record.outcome = "error".into();
    record.error_class = Some("prober".into());
    let asked = Asked {
        is_key_missing: true,
        ..ASKED
    };
    assert!(words(&explain(&record, asked)).contains("Set the environment variable LLM_KEY"));
    assert!(words(&explain(&record, ASKED)).contains("The measuring itself failed"));
}

#[test]
fn retry_after_is_told_and_its_absence_only_where_it_is_known() {
    let with = failed("rate_limited", |r| {
        r.http.status = Some(429);
        r.http.retry_after_ms = Some(2_000.0);
    });
    assert!(words(&with).contains("too many requests (HTTP 429). It asks to wait 2 seconds"));
    let without = failed("rate_limited", |r| r.http.retry_after_known = true);
    assert!(without.advice.contains("does not say how long"));
    let hidden = failed("rate_limited", |r| r.http.retry_after_known = false);
    assert!(!hidden.advice.contains("does not say"));
}

#[test]
fn a_cut_stream_says_after_how_much() {
    let mut record = example();
    record.outcome = "truncated".into();
    record.error_class = Some("truncated".into());
    assert!(words(&explain(&record, ASKED)).contains("cut after 300 characters"));
    let text = words(&failed("reset", |_| ()));
    assert!(
        text.contains("broke in the middle, after 300 characters"),
        "{text}"
    );
}

#[test]
fn stopping_is_no_failure() {
    let mut record = example();
    record.outcome = "aborted".into();
    let explained = explain(&record, ASKED);
    assert_eq!(explained.tone, Tone::Notice);
    assert!(words(&explained).contains("You stopped it after 300 characters"));
    record.counts.answer_chars = 0;
    assert!(explain(&record, ASKED).headline.contains("before any text"));
}

#[test]
fn each_limit_that_ran_out_has_its_own_sentence() {
    let mut record = example();
    record.outcome = "timeout".into();
    record.error_class = Some("timeout".into());
    for (phase, part) in [
        ("connect", "did not answer within the limit"),
        ("first_byte", "no byte of the answer"),
        ("between_chunks", "went silent in the middle"),
    ] {
        record.timeout_phase = Some(phase.into());
        assert!(words(&explain(&record, ASKED)).contains(part), "{phase}");
    }
}
