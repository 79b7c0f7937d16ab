//! NDJSON, JSON arrays, and bodies that begin with a bare JSON value.

use streamlag_core::reader::{Problem, Reader};

use crate::heard::{Known, hear};

const NDJSON: Known<'static> = Known {
    dialect: None,
    framing: Some("ndjson"),
    content_type: None,
};

fn record(text: &str) -> String {
    format!("{{\"message\":{{\"role\":\"assistant\",\"content\":\"{text}\"}},\"done\":false}}")
}

#[test]
fn records_end_at_line_feeds_only() {
    let body = format!("{}\n\n \r\n{}\r\n", record("x\u{2028}y\u{85}"), record("z"));
    for heard in [hear(&body), NDJSON.hear(&body)] {
        assert_eq!((heard.answer(), heard.events), ("x\u{2028}y\u{85}z", 2));
        assert_eq!(
            (heard.framing, heard.dialect),
            (Some("ndjson"), Some("ollama"))
        );
    }
}

#[test]
fn a_last_record_without_a_line_feed_counts_if_it_is_json() {
    let heard = NDJSON.hear(format!("{}\n{}", record("a"), record("b")));
    assert_eq!((heard.answer(), heard.problems.len()), ("ab", 0));
    let heard = NDJSON.hear(format!("{}\n{}", record("a"), &record("b")[..30]));
    assert_eq!(
        (heard.answer(), &heard.problems[..]),
        ("a", &[Problem::TailUnterminated][..])
    );
}

#[test]
fn a_broken_record_is_one_invalid_event_and_reading_goes_on() {
    for broken in [&record("lost")[..40], "{\"a\":1,", "nonsense"] {
        let body = format!("{}\n{broken}\n{}\n", record("a"), record("b"));
        assert_eq!(
            (hear(&body).seq(), NDJSON.hear(&body).answer()),
            ("content invalid content".into(), "ab")
        );
    }
    // Even as the very first one of an unannounced body.
    for broken in [&record("lost")[..40], "{\"a\":1,"] {
        let heard = hear(format!("{broken}\n{}\n{}\n", record("a"), record("b")));
        assert_eq!(
            (heard.seq().as_str(), heard.answer()),
            ("invalid content content", "ab")
        );
    }
}

#[test]
fn payload_lines_of_a_stream_whose_framing_was_stripped_are_events() {
    let line = |text: &str| format!("{{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n");
    let heard = hear(line("a") + &line("b") + "[DONE]\n");
    assert_eq!(
        (heard.answer(), heard.seq()),
        ("ab", "content content end".into())
    );
}

#[test]
fn a_record_beyond_the_limit_is_dropped_once() {
    let long = record(&"a".repeat(Reader::MAX_EVENT_BYTES));
    for body in [
        format!("{}\n{long}\n{}\n", record("a"), record("b")),
        format!("[{},{long},{}]", record("a"), record("b")),
    ] {
        for size in [usize::MAX, 4096] {
            let heard = Known::default().hear_in_reads(body.as_bytes(), &mut || size);
            assert_eq!(heard.problems, [Problem::LineTooLong]);
            assert_eq!(heard.answer(), "ab");
        }
    }
}

#[test]
fn array_elements_are_events_before_the_array_is_closed() {
    let body = format!(
        "[{}\n,\r\n{},\n  {}",
        record("\\\"big\\\\"),
        record("],{["),
        record("c")
    );
    let heard = hear(&body);
    assert_eq!((heard.answer(), heard.events), ("\"big\\],{[c", 3));
    assert_eq!(
        (heard.framing, heard.problems.len()),
        (Some("jsonarray"), 0)
    );
    assert_eq!(hear(body + "\n]\n garbage").events, 3);
}

#[test]
fn array_elements_that_are_no_objects_are_unknown_events() {
    let heard = hear("[1, \"a,]\", null ,[2],true]");
    assert_eq!(heard.seq(), "unknown unknown unknown unknown unknown");
}

#[test]
fn a_cut_array_element_is_reported() {
    let heard = hear(format!("[{},{}", record("a"), &record("b")[..30]));
    assert_eq!(
        (heard.answer(), &heard.problems[..]),
        ("a", &[Problem::TailUnterminated][..])
    );
    assert_eq!(hear("[").problems, []);
}
