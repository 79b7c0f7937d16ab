//! Bodies that are no streams at all.

use streamlag_core::reader::Problem;

use crate::heard::{Known, hear};

const NAMED: Known<'static> = Known {
    dialect: Some("openai"),
    framing: Some("sse"),
    content_type: Some("text/event-stream"),
};
const ANSWER: &str = r#"{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Whole."},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}"#;

#[test]
fn web_pages_and_other_texts_are_no_streams() {
    for body in [
        "<html>\r\n<body>Please wait</body></html>",
        "\n\n <!DOCTYPE html>\n<p>data: x</p>",
        "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>",
        "Internal Server Error",
        "error code: 1015\n",
        "upstream connect error or disconnect/reset before headers\n\nreset reason: overflow",
        "\"Too many requests\"",
        "\u{8bf7}\u{6c42}\u{5931}\u{8d25}",
    ] {
        for heard in [hear(body), NAMED.hear(body)] {
            assert_eq!(
                (heard.problems, heard.events),
                (vec![Problem::NotAStream], 0),
                "{body}"
            );
        }
    }
}

#[test]
fn compressed_bytes_are_told_apart_from_text() {
    for body in [
        &b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03-\n\n\x00"[..],
        b"\x28\xb5\x2f\xfd\x04\x00\xa1\x00\x00data",
        b"\x8b\x06\x80\x64\x61\x74\x61\x03",
        b"x\x9c\xcbH\xcd\xc9\xc9\x07\x00\x06,\x02\x15",
    ] {
        for heard in [hear(body), NAMED.hear(body)] {
            assert_eq!(
                (heard.problems, heard.events),
                (vec![Problem::UndecodedBody], 0),
                "{body:?}"
            );
        }
    }
}

#[test]
fn a_whole_answer_is_read_and_is_no_event() {
    let pretty = ANSWER.replace(',', ",\n  ").replace('{', "{\n  ");
    for body in [ANSWER, &format!("\n\n\n{ANSWER}\n"), &pretty] {
        let json = Known {
            content_type: Some("application/json; charset=utf-8"),
            ..Known::default()
        };
        for heard in [hear(body), NAMED.hear(body), json.hear(body)] {
            assert_eq!(
                (heard.answer(), heard.finish(), heard.events),
                ("Whole.", "stop", 0)
            );
            assert_eq!(heard.usage(), (Some(3), Some(2), None));
            assert_eq!(heard.problems, [Problem::NotStreamed]);
            assert_eq!(heard.seq(), "content+usage+unframed");
        }
    }
}

#[test]
fn whole_answers_of_other_families_are_read_too() {
    for (body, answer) in [
        (
            r#"{"type":"message","role":"assistant","content":[{"type":"thinking","thinking":"h"},{"type":"text","text":"A"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":2}}"#,
            "A",
        ),
        (
            r#"{"object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"R"}]}],"usage":{"input_tokens":1,"output_tokens":2}}"#,
            "R",
        ),
        (
            r#"{"message":{"role":"assistant","content":"O"},"done":true,"done_reason":"stop","eval_count":1}"#,
            "O",
        ),
        (
            r#"{"candidates":[{"content":{"parts":[{"text":"G"}]},"finishReason":"STOP"}]}"#,
            "G",
        ),
        (
            r#"{"id":"1","message":{"role":"assistant","content":[{"type":"text","text":"C"}]},"finish_reason":"COMPLETE"}"#,
            "C",
        ),
        (r#"{"result":{"response":"W"},"success":true}"#, "W"),
        (
            r#"{"content":"L","stop":true,"stop_type":"eos","tokens_predicted":1}"#,
            "L",
        ),
    ] {
        let heard = hear(body);
        assert_eq!((heard.answer(), heard.events), (answer, 0), "{body}");
        assert_eq!(heard.problems, [Problem::NotStreamed], "{body}");
    }
}

#[test]
fn a_json_error_is_an_error_and_no_event() {
    for (body, error) in [
        (
            r#"{"error":{"message":"slow down","type":"rate_limit_error"}}"#,
            ("rate_limit_error", "", None),
        ),
        (
            r#"{"type":"error","error":{"type":"overloaded_error","message":"x"}}"#,
            ("overloaded_error", "", None),
        ),
        (r#"{"error":"model not found"}"#, ("", "", None)),
        (
            r#"{"error":{"code":429,"message":"x","status":"RESOURCE_EXHAUSTED"}}"#,
            ("", "RESOURCE_EXHAUSTED", Some(429)),
        ),
        (
            r#"{"error_code":18,"error_msg":"Open api qps request limit reached"}"#,
            ("rate_limit_error", "", None),
        ),
        (
            r#"{"object":"error","message":"x","type":"BadRequestError","code":400}"#,
            ("BadRequestError", "", Some(400)),
        ),
    ] {
        let json = Known {
            framing: Some("json"),
            ..Known::default()
        };
        for heard in [hear(body), NAMED.hear(body), json.hear(body)] {
            assert_eq!((heard.error(), heard.events), (error, 0), "{body}");
            assert_eq!(heard.seq(), "error+unframed");
        }
    }
}

#[test]
fn json_that_says_nothing_is_no_stream() {
    for body in [
        r#"{"message":"Unauthorized"}"#,
        "{\n \"detail\": \"Not Found\"\n}\n",
    ] {
        assert_eq!(hear(body).problems, [Problem::NotAStream]);
        let json = Known {
            content_type: Some("application/json"),
            ..Known::default()
        };
        let heard = json.hear(body);
        assert_eq!(
            (heard.problems, heard.events),
            (vec![Problem::NotAStream], 0)
        );
    }
    // Several of them are records of an unknown kind.
    let heard = hear("{\"status\":\"pulling\"}\n{\"status\":\"success\"}\n");
    assert_eq!(
        (heard.seq(), heard.problems.len()),
        ("unknown unknown".into(), 0)
    );
}

#[test]
fn an_empty_body_says_nothing() {
    for body in ["", "\n\n", " \r\n", "\u{feff}"] {
        let heard = hear(body);
        assert_eq!((heard.seq.len(), heard.problems.len()), (0, 0), "{body:?}");
    }
}
