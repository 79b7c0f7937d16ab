//! What goes in: files, cases, and things that are neither.

use std::path::Path;

use serde_json::json;

use super::{check, end, folder, lines, streamlag, text};

#[test]
fn files_are_detected_and_named() {
    let folder = folder("files");
    let (sse, ndjson) = (folder.join("a.sse"), folder.join("b.ndjson"));
    std::fs::write(&sse, text("Hi") + &end()).unwrap();
    let record = "{\"message\":{\"content\":\"Ho\"},\"done\":true,\"done_reason\":\"stop\"}\n";
    std::fs::write(&ndjson, record).unwrap();
    let output = streamlag(&[&sse, &ndjson]);
    assert!(output.status.success());
    let [a, b] = &lines(&output)[..] else {
        panic!("one line a file: {output:?}")
    };
    assert_eq!(
        (&a["answer"], &a["dialect"], &a["framing"]),
        (&json!("Hi"), &json!("openai"), &json!("sse"))
    );
    assert_eq!(
        (&b["answer"], &b["dialect"], &b["framing"]),
        (&json!("Ho"), &json!("ollama"), &json!("ndjson"))
    );
    assert_eq!(a["file"], json!(sse.display().to_string()));
    assert!(a["ttft_ms"].is_null(), "nothing is known about the time");
}

#[test]
fn a_file_that_is_not_there_is_named_and_the_rest_is_read() {
    let folder = folder("missing");
    let (none, some) = (folder.join("none.sse"), folder.join("some.sse"));
    std::fs::write(&some, text("Hi") + &end()).unwrap();
    let output = streamlag(&[&none, &some, &folder]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(lines(&output).len(), 1);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("none.sse: could not open the file"), "{said}");
    assert!(
        said.contains("could not read the file"),
        "a folder is no file: {said}"
    );
}

#[test]
fn a_line_that_is_no_case_is_named_with_its_place() {
    let file = folder("lines").join("cases.jsonl");
    let bad = [
        "{nope",
        "{\"text\":\"\"}",
        "{\"id\":\"a\",\"splits\":[9],\"text\":\"x\"}",
        "{\"id\":\"b\",\"bytes_base64\":\"*\"}",
        "{\"id\":\"c\",\"end_mode\":\"strange\"}",
        "{\"id\":\"d\",\"now_utc\":\"yesterday\",\"status\":429}",
        "{\"id\":\"e\",\"scenario\":[{\"t\":0,\"ev\":\"juggle\"}]}",
        "{\"id\":\"f\",\"visibility\":[[0,\"sideways\"]]}",
        "{\"id\":\"g\",\"at_ms\":[1,2,3],\"text\":\"x\"}",
        "{\"id\":\"h\",\"clock\":true}",
        "{\"id\":\"i\",\"read_size\":0}",
    ];
    std::fs::write(
        &file,
        bad.join("\n") + "\n\n{\"id\":\"good\",\"text\":\"\"}\n",
    )
    .unwrap();
    let output = streamlag(&[Path::new("--cases"), &file]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(lines(&output).len(), 1, "the good one");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    for (number, line) in bad.iter().enumerate() {
        let place = format!("cases.jsonl:{}: ", number + 1);
        assert!(said.contains(&place), "{line}: {said}");
    }
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn without_any_input_it_says_what_it_needs() {
    let output = streamlag(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--cases"));
}

#[test]
fn a_body_may_come_as_text_bytes_or_recipe() {
    let body = text("a") + &end();
    let whole = json!({"answer": "a", "complete": true, "ttft_ms": null, "http_class": "ok"});
    check("as-text", &json!({"text": body}), &whole);
    let half = body.len() / 2;
    let recipe = json!([{"text": body[..half]}, {"text": body[half..], "n": 1}]);
    check("as-recipe", &json!({"gen": recipe, "read_size": 7}), &whole);
    check(
        "as-bytes",
        &json!({"bytes_base64": "ZGF0YTogW0RPTkVdCgo="}),
        &json!({"end": "[DONE]"}),
    );
}
