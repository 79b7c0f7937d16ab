//! Whatever the bytes: no panic, and the split into reads makes no difference.

use proptest::prelude::*;

use crate::aws_eventstream::message;
use crate::heard::Known;

/// Pieces that streams are made of, some of them broken.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let known = prop::sample::select(vec![
        "data: ",
        "data:",
        "data",
        "event: error",
        "event: output",
        "event: end",
        "id: 1",
        "error: {}",
        ": c",
        "\n",
        "\r",
        "\r\n",
        "\n\n",
        "\r\n\r\n",
        "[DONE]",
        "{",
        "}",
        "[",
        "]",
        ",",
        "\"",
        "\\",
        "\\ud83d",
        "\u{feff}",
        r#"{"choices":[{"index":0,"delta":{"content":"a\ud83d"},"finish_reason":null}]}"#,
        r#"{"choices":[{"index":1,"delta":{"content":"\udc69b","tool_calls":[{"function":{"name":"f","arguments":{"a": [1, 2]}}}]}}],"usage":{"prompt_tokens":1}}"#,
        r#"{"type":"message_start","message":{"usage":{"input_tokens":1}}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}   }"#,
        r#"{"type":"response.output_text.delta","delta":"x"}"#,
        r#"{"candidates":[{"content":{"parts":[{"text":"x"}]},"finishReason":1}]}"#,
        r#"{"message":{"content":"x"},"done":true}"#,
        r#"{"error":{"code":500}}"#,
        r#"[{"type":"ai","id":"m","content":"snap"}]"#,
        r#"{"chunk":{"bytes":"e30="}}"#,
        "<html>",
    ]);
    prop_oneof![
        12 => known.prop_map(|text| text.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..12),
        1 => Just(message(&[(":event-type", "contentBlockDelta")], r#"{"delta":{"text":"x"}}"#)),
        1 => (0usize..40, any::<u8>()).prop_map(|(at, byte)| {
            let mut damaged = message(&[(":event-type", "metadata")], "{}");
            let at = at % damaged.len();
            damaged[at] = byte;
            damaged
        }),
    ]
}

fn known() -> impl Strategy<Value = Known<'static>> {
    let dialect = prop::sample::select(vec![
        None,
        Some("openai"),
        Some("plain"),
        Some("writer"),
        Some("nobody"),
    ]);
    let framing = prop::sample::select(vec![
        None,
        None,
        Some("sse"),
        Some("ndjson"),
        Some("jsonarray"),
        Some("json"),
        Some("aws_eventstream"),
    ]);
    (dialect, framing).prop_map(|(dialect, framing)| Known {
        dialect,
        framing,
        content_type: None,
    })
}

proptest! {
    #[test]
    fn any_split_gives_the_same_events(known in known(), pieces in proptest::collection::vec(piece(), 0..24), sizes in proptest::collection::vec(1usize..40, 1..20)) {
        let body = pieces.concat();
        let whole = known.hear_in_reads(&body, &mut || usize::MAX);
        let mut sizes = sizes.into_iter().cycle();
        let split = known.hear_in_reads(&body, &mut || sizes.next().unwrap_or(1));
        prop_assert_eq!(&whole, &split);
        prop_assert_eq!(&whole, &known.hear_in_reads(&body, &mut || 1));
    }

    #[test]
    fn no_bytes_make_it_panic(known in known(), body in proptest::collection::vec(any::<u8>(), 0..400)) {
        known.hear_in_reads(&body, &mut || 7);
    }

    #[test]
    fn a_longer_prefix_never_changes_what_was_heard(pieces in proptest::collection::vec(piece(), 0..24), cut in any::<prop::sample::Index>()) {
        let body = pieces.concat();
        let cut = cut.index(body.len() + 1);
        let mut reader = streamlag_core::reader::Reader::new(None, None, None);
        let mut heard = crate::heard::Heard::default();
        reader.push(&body[..cut], &mut heard);
        let before = heard.clone();
        reader.push(&body[cut..], &mut heard);
        prop_assert!(heard.seq.starts_with(&before.seq));
        prop_assert!(heard.usages.starts_with(&before.usages));
        prop_assert!(heard.problems.starts_with(&before.problems));
    }
}
