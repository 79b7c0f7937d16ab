use streamlag_core::reader::{Problem, Reader};

use crate::heard::{Known, hear, hear_as, sse};

fn text(text: &str) -> String {
    format!("{{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{text}\"}}}}]}}")
}

#[test]
fn lines_end_in_any_of_three_ways_even_within_one_event() {
    let (a, b) = (text("a"), text("b"));
    for body in [
        format!("data: {a}\n\ndata: {b}\n\n"),
        format!("data: {a}\r\n\r\ndata: {b}\r\n\r\n"),
        format!("data: {a}\r\rdata: {b}\r\r"),
        format!("event: x\r\ndata: {a}\n\r\ndata: {b}\r\n\r"),
        format!("\n\r\n\r\rdata: {a}\r\n\ndata: {b}\n\r"),
    ] {
        let heard = hear(&body);
        assert_eq!((heard.answer(), heard.events), ("ab", 2), "{body:?}");
        assert_eq!(heard.problems, [], "{body:?}");
    }
}

#[test]
fn one_leading_byte_order_mark_is_dropped_and_no_other() {
    let body = format!(
        "\u{feff}data: {}\n\n\u{feff}data: {}\n\n",
        text("a"),
        text("lost")
    );
    assert_eq!(hear(body).answer(), "a");
    let twice = format!(
        "\u{feff}\u{feff}data: {}\n\ndata: {}\n\n",
        text("lost"),
        text("b")
    );
    assert_eq!(hear(twice).answer(), "b");
    // Its first bytes alone are not one.
    let half = [b"\xef\xbbdata: x\n\ndata: ", text("c").as_bytes(), b"\n\n"].concat();
    assert_eq!(hear(half).answer(), "c");
}

#[test]
fn exactly_one_blank_after_the_colon_is_dropped() {
    let heard = hear_as("plain", "data:a\n\ndata: b\n\ndata:  c\n\ndata:\td\n\n");
    assert_eq!(heard.answer(), "ab c\td");
}

#[test]
fn several_data_lines_are_joined_by_line_feeds() {
    let heard = hear_as("plain", "data: a\ndata\ndata:\ndata:  b\n\n");
    assert_eq!(heard.answer(), "a\n\n\n b");
    let crlf = hear_as("plain", "data: a\r\ndata: b\r\n\r\n");
    assert_eq!((crlf.answer(), crlf.events), ("a\nb", 1));
    let split = "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"x\"}}]}\n\n";
    assert_eq!(hear(split).answer(), "x");
}

#[test]
fn comments_count_and_never_join_an_event() {
    let body = format!(": a\n\n:\ndata: {}\n: b\n\n:c\n", text("x"));
    let heard = hear(body);
    assert_eq!(
        heard.seq(),
        "keepalive keepalive keepalive content keepalive"
    );
    assert_eq!((heard.events, heard.comments, heard.answer()), (1, 4, "x"));
    assert_eq!(heard.problems, []);
}

#[test]
fn only_data_makes_an_event_and_empty_data_does() {
    let heard = hear("id: 7\n\nevent: ping\n\nretry: 5\n\ndata\n\ndata:\n\nevent: ping\ndata:\n\n");
    assert_eq!(heard.seq(), "empty empty keepalive");
}

#[test]
fn an_event_name_does_not_outlive_its_event() {
    let heard = hear("event: ping\ndata: x\n\ndata: x\n\nevent: ping\n\ndata: x\n\n");
    assert_eq!(heard.seq(), "keepalive invalid invalid");
}

#[test]
fn the_last_event_id_is_the_last_whole_one_without_nul() {
    assert_eq!(
        hear("id: 5\ndata: x\n\nid: 6\u{0}7\ndata: x\n\n").last_event_id,
        "5"
    );
    assert_eq!(hear("id: 5\ndata: x\n\nid\n\n").last_event_id, "");
    assert_eq!(hear("id: 5\n\nid: 6\ndata: x\n").last_event_id, "5");
}

#[test]
fn other_line_ends_of_unicode_are_text() {
    let body = sse(&[
        &text("a\u{2028}b\u{2029}c\u{85}d\u{b}")[..1],
        &text("a\u{2028}b\u{2029}c\u{85}d"),
    ]);
    assert_eq!(hear(body).answer(), "a\u{2028}b\u{2029}c\u{85}d");
}

#[test]
fn an_unfinished_event_is_discarded_and_reported() {
    for tail in ["\n", "", "\nid: 3"] {
        let heard = hear(format!("data: {}\n\ndata: {}{tail}", text("a"), text("b")));
        assert_eq!((heard.answer(), heard.events), ("a", 1));
        assert_eq!(heard.problems, [Problem::TailUnterminated], "{tail:?}");
    }
    assert_eq!(hear("data: {\"choi").problems, [Problem::TailUnterminated]);
}

#[test]
fn an_unfinished_done_counts_and_is_reported() {
    for tail in ["data: [DONE]", "data: [DONE]\n", "data:[DONE]\r"] {
        let heard = hear(format!("data: {}\n\n{tail}", text("a")));
        assert_eq!(heard.ends, ["[DONE]"]);
        assert_eq!(heard.problems, [Problem::TailUnterminated], "{tail:?}");
    }
}

#[test]
fn broken_data_is_one_invalid_event_and_reading_goes_on() {
    let glued = format!("{}data: {}", &text("lost")[..20], text("lost"));
    let heard = hear(sse(&[&text("a"), &glued, &text("b"), "[DONE]"]));
    assert_eq!(heard.seq(), "content invalid content end");
    assert_eq!(heard.answer(), "ab");
}

#[test]
fn keep_alives_in_data_are_no_content() {
    let heard = hear(sse(&[": keepalive", &text("a")]));
    assert_eq!(heard.seq(), "keepalive content");
}

#[test]
fn bytes_that_are_not_utf_8_become_replacement_characters() {
    let body = b"data: {\"choices\":[{\"delta\":{\"content\":\"a\xf0\x9f\x92b\xff\"}}]}\n\n";
    assert_eq!(hear(body).answer(), "a\u{fffd}b\u{fffd}");
}

#[test]
fn halves_of_a_character_in_two_deltas_are_joined() {
    let heard = hear(sse(&[&text("a\\ud83d"), &text("\\udc69b"), "[DONE]"]));
    assert_eq!(
        (heard.answer(), heard.seq()),
        ("a\u{1f469}b", "content content end".into())
    );
    let other_choice = text("x").replace("\"index\":0", "\"index\":1");
    let heard = hear(sse(&[&text("\\ud83d"), &other_choice, &text("\\udc69")]));
    assert_eq!(
        (heard.answer(), heard.answers[&1].as_str()),
        ("\u{1f469}", "x")
    );
    assert_eq!(
        hear(sse(&[&text("\\ud83d"), &text("x")])).answer(),
        "\u{fffd}x"
    );
    assert_eq!(hear(sse(&[&text("a\\ud83d")])).answer(), "a\u{fffd}");
}

#[test]
fn an_event_beyond_the_limit_is_dropped_once_and_reading_goes_on() {
    let long = "a".repeat(Reader::MAX_EVENT_BYTES);
    let lines = format!("data: {}\n", "b".repeat(1 << 20)).repeat(5);
    for dropped in [
        format!("data: {}\nevent: x\ndata: more\n\n", text(&long)),
        format!("{lines}{lines}\n"),
        format!(":{long}\n\n"),
    ] {
        let body = format!("data: {}\n\n{dropped}data: {}\n\n", text("a"), text("b"));
        let mut sizes = 0..;
        for size in [usize::MAX, 4096] {
            let heard = Known::default().hear_in_reads(body.as_bytes(), &mut || {
                sizes.next();
                size
            });
            assert_eq!(heard.problems, [Problem::LineTooLong]);
            assert_eq!((heard.answer(), heard.events), ("ab", 2));
        }
    }
}

#[test]
fn a_long_event_below_the_limit_is_read_in_pieces() {
    let long = "a".repeat(1 << 20);
    let body = sse(&[&text(&long), "[DONE]"]);
    let heard = Known::default().hear_in_reads(body.as_bytes(), &mut || 16 << 10);
    assert_eq!((heard.answer().len(), heard.problems.len()), (1 << 20, 0));
}

#[test]
fn memory_stays_bounded_on_a_line_that_never_ends() {
    let mut reader = Reader::new(None, None, None);
    let mut heard = crate::heard::Heard::default();
    let piece = vec![b'a'; 1 << 20];
    streamlag_core::reader::Events::problem(&mut heard, Problem::BadChecksum);
    reader.push(b"data: ", &mut heard);
    for _ in 0..64 {
        reader.push(&piece, &mut heard);
    }
    reader.finish(&mut heard);
    assert_eq!(heard.problems, [Problem::BadChecksum, Problem::LineTooLong]);
    assert_eq!(heard.events, 0);
}
