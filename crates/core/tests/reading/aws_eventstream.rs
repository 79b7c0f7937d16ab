use streamlag_core::reader::{Problem, Reader};

use crate::heard::{Known, hear};

/// A binary message with string headers.
pub(crate) fn message(headers: &[(&str, &str)], payload: &str) -> Vec<u8> {
    let headers: Vec<u8> = headers
        .iter()
        .flat_map(|(name, value)| {
            let mut header = vec![name.len() as u8];
            header.extend(name.bytes());
            header.push(7);
            header.extend((value.len() as u16).to_be_bytes());
            header.extend(value.bytes());
            header
        })
        .collect();
    let total = (12 + headers.len() + payload.len() + 4) as u32;
    let mut message = total.to_be_bytes().to_vec();
    message.extend((headers.len() as u32).to_be_bytes());
    message.extend(crc32(&message).to_be_bytes());
    message.extend(headers);
    message.extend(payload.bytes());
    message.extend(crc32(&message).to_be_bytes());
    message
}

/// Bit by bit, as the standard has it.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            if crc & 1 == 1 {
                crc >> 1 ^ 0xedb8_8320
            } else {
                crc >> 1
            }
        })
    })
}

fn event(name: &str, payload: &str) -> Vec<u8> {
    message(
        &[
            (":event-type", name),
            (":content-type", "application/json"),
            (":message-type", "event"),
        ],
        payload,
    )
}

fn text(text: &str) -> Vec<u8> {
    event(
        "contentBlockDelta",
        &format!("{{\"contentBlockIndex\":0,\"delta\":{{\"text\":\"{text}\"}},\"p\":\"abc\"}}"),
    )
}

#[test]
fn messages_are_events_named_in_their_headers() {
    let body = [
        event("messageStart", r#"{"role":"assistant"}"#),
        event("contentBlockDelta", r#"{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"hm"}}}"#),
        event("contentBlockDelta", r#"{"contentBlockIndex":0,"delta":{"reasoningContent":{"signature":"x"}}}"#),
        text("a"),
        event("contentBlockStop", r#"{"contentBlockIndex":0}"#),
        event("contentBlockStart", r#"{"contentBlockIndex":1,"start":{"toolUse":{"toolUseId":"t","name":"f"}}}"#),
        event("contentBlockDelta", r#"{"contentBlockIndex":1,"delta":{"toolUse":{"input":"{}"}}}"#),
        event("messageStop", r#"{"stopReason":"tool_use"}"#),
        event("metadata", r#"{"metrics":{"latencyMs":2281},"usage":{"inputTokens":51,"outputTokens":94,"totalTokens":145,"cacheReadInputTokens":7}}"#),
    ]
    .concat();
    let heard = hear(&body);
    assert_eq!(
        heard.seq(),
        "empty reasoning empty content empty tool tool empty usage+end"
    );
    assert_eq!(
        (heard.answer(), heard.reasoning.as_str(), heard.tool(1)),
        ("a", "hm", ("f", "{}"))
    );
    assert_eq!(
        (heard.finish(), heard.ends.concat().as_str()),
        ("tool_use", "metadata")
    );
    assert_eq!(
        (heard.usage(), heard.usages[0].cached),
        ((Some(51), Some(94), None), Some(7))
    );
    assert_eq!(heard.timings, [("latencyMs", 2281.0)]);
    assert_eq!(
        (heard.framing, heard.dialect),
        (Some("aws_eventstream"), Some("bedrock"))
    );
    let known = Known {
        content_type: Some("application/vnd.amazon.eventstream"),
        ..Known::default()
    };
    assert_eq!(known.hear(&body), heard);
}

#[test]
fn exceptions_are_errors_of_their_type() {
    let body = [
        text("a"),
        message(
            &[
                (":message-type", "exception"),
                (":exception-type", "throttlingException"),
            ],
            r#"{"message":"slow down"}"#,
        ),
    ];
    let heard = hear(body.concat());
    assert_eq!(
        (heard.seq(), heard.error()),
        ("content error".into(), ("throttlingException", "", None))
    );
    let body = message(
        &[
            (":message-type", "exception"),
            (":exception-type", "modelStreamErrorException"),
        ],
        r#"{"message":"x","originalStatusCode":424}"#,
    );
    assert_eq!(
        hear(body).error(),
        ("modelStreamErrorException", "", Some(424))
    );
    // Unmodelled errors have a code in place of a type, and may have no payload.
    let body = message(
        &[
            (":message-type", "error"),
            (":error-code", "InternalError"),
            (":error-message", "x"),
        ],
        "",
    );
    assert_eq!(hear(body).error(), ("InternalError", "", None));
}

#[test]
fn payloads_whose_framing_was_stripped_are_read_too() {
    let heard = hear(
        "{\"messageStart\":{\"role\":\"assistant\"}}\n{\"contentBlockDelta\":{\"delta\":{\"text\":\"a\"}}}\n{\"throttlingException\":{\"message\":\"x\"}}\n",
    );
    assert_eq!(
        (heard.seq(), heard.answer()),
        ("empty content error".into(), "a")
    );
    assert_eq!(heard.error(), ("throttlingException", "", None));
}

#[test]
fn chunks_hold_another_dialects_events() {
    // {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}
    let bytes = "eyJ0eXBlIjoiY29udGVudF9ibG9ja19kZWx0YSIsImluZGV4IjowLCJkZWx0YSI6eyJ0eXBlIjoidGV4dF9kZWx0YSIsInRleHQiOiJIaSJ9fQ==";
    let heard = hear(event(
        "chunk",
        &format!("{{\"bytes\":\"{bytes}\",\"p\":\"abcd\"}}"),
    ));
    assert_eq!(
        (heard.seq(), heard.answer(), heard.dialect),
        ("content".into(), "Hi", Some("anthropic"))
    );
    assert_eq!(
        hear(event("chunk", "{\"bytes\":\"e30=\"}")).seq(),
        "unknown"
    );
    assert_eq!(
        hear(event("chunk", "{\"bytes\":\"ew==\"}")).seq(),
        "invalid"
    );
}

#[test]
fn a_damaged_message_is_reported_and_reading_goes_on() {
    let mut damaged = text("lost");
    let payload = damaged.len() - 20;
    damaged[payload] ^= 1;
    let heard = hear([text("a"), damaged, text("b")].concat());
    assert_eq!(
        (heard.answer(), heard.seq()),
        ("ab", "content invalid content".into())
    );
    assert_eq!(heard.problems, [Problem::BadChecksum]);
}

#[test]
fn after_a_damaged_length_the_next_right_one_is_found() {
    let mut damaged = text("lost");
    damaged[2] ^= 1;
    let heard = hear([text("a"), damaged, text("b")].concat());
    assert_eq!(
        (heard.answer(), &heard.problems[..]),
        ("ab", &[Problem::BadChecksum][..])
    );
}

#[test]
fn a_message_beyond_the_limit_is_skipped_and_reading_goes_on() {
    let body = [
        text("a"),
        text(&"x".repeat(Reader::MAX_EVENT_BYTES)),
        text("b"),
    ]
    .concat();
    for size in [usize::MAX, 4096] {
        let heard = Known::default().hear_in_reads(&body, &mut || size);
        assert_eq!(
            (heard.answer(), &heard.problems[..]),
            ("ab", &[Problem::LineTooLong][..])
        );
    }
}

#[test]
fn a_cut_message_is_reported() {
    let body = [text("a"), text("b")].concat();
    for cut in [1, 5, 30] {
        let heard = hear(&body[..body.len() - cut]);
        assert_eq!(
            (heard.answer(), &heard.problems[..]),
            ("a", &[Problem::TailUnterminated][..])
        );
    }
}
