//! Bodies that were not meant well.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;

use crate::support::{Running, id, parts, record, record_with};

#[tokio::test]
async fn sql_and_html_in_every_string_are_only_strings() {
    let collector = Running::start("").await;
    let nasty = [
        "'; DROP TABLE record; --",
        "\" OR 1=1; --",
        "<script>alert(1)</script>",
        "%27%20OR%201=1",
        "\u{0}null\u{0}",
        "line\nbreak\u{2028}",
    ];
    for (n, text) in (1..).zip(nasty) {
        let record = record_with(
            n,
            json!({
                "region": text, "colo": text, "agent": text, "app": text, "finish": text, "prompt_id": text,
                "target": { "id": text, "side": text, "base_url": text, "model": text }, "flags": [text],
            }),
        );
        assert_eq!(
            collector.post_records(&record).await.1["accepted"],
            1,
            "{text}"
        );
        let query = [("target", text)];
        for path in ["/v1/records", "/v1/comparison"] {
            let request = collector.client.get(collector.url(path)).query(&query);
            let response = request.send().await.unwrap();
            assert_eq!(response.headers()["content-type"], "application/json");
            assert_eq!(response.headers()["x-content-type-options"], "nosniff");
            let (_, answer) = parts(response).await;
            let region = match path {
                "/v1/records" => &answer[0]["region"],
                _ => &answer["groups"][0]["region"],
            };
            assert_eq!(region, text, "{path}");
        }
    }
    let (_, all) = collector.get("/v1/records").await;
    assert_eq!(all.as_array().unwrap().len(), nasty.len());
}

#[tokio::test]
async fn numbers_that_are_none_or_absurd_are_refused() {
    let collector = Running::start("").await;
    for number in [
        "NaN",
        "Infinity",
        "-1",
        "-0.001",
        "1e300",
        "1e999",
        "99999999999999999999",
        "\"5\"",
    ] {
        let text = record(1)
            .to_string()
            .replace("\"ttft_ms\":1", &format!("\"ttft_ms\":{number}"));
        assert!(text.contains(number), "{text}");
        let (status, answer) = parts(collector.post("/v1/records", text).await).await;
        assert_eq!(status, 400, "{number}: {answer}");
    }
    let far = record_with(1, json!({ "started_at_ms": 9e12 }));
    assert_eq!(
        collector.post_records(&far).await.1["rejected"][0]["field"],
        "started_at_ms"
    );
    assert_eq!(
        collector.get(&format!("/v1/records/{}", id(1))).await.0,
        404
    );
}

#[tokio::test]
async fn what_is_too_large_or_too_deep_is_refused_with_a_sentence() {
    let collector = Running::start("").await;
    let large = vec![b' '; (8 << 20) + 1];
    let (status, answer) = parts(collector.post("/v1/records", large).await).await;
    assert_eq!(status, 413);
    assert!(
        answer["error"]["message"]
            .as_str()
            .unwrap()
            .contains("send less")
    );
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let inside = record(1).to_string().replace("\"ok\"", &deep);
    for body in [deep, inside] {
        assert_eq!(collector.post("/v1/records", body).await.status(), 400);
    }
    let long = record_with(1, json!({ "app": "x".repeat(70_000) }));
    let (status, answer) = collector.post_records(&long).await;
    assert_eq!(status, 400);
    assert!(
        answer["rejected"][0]["reason"]
            .as_str()
            .unwrap()
            .contains("bytes")
    );
    // The rest of the batch of a record that is too large is kept.
    assert_eq!(
        collector.post_records(&json!([long, record(2)])).await.1["accepted"],
        1
    );
}

#[test]
fn no_bytes_bring_it_down() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let collector = runtime.block_on(Running::start(""));
    let valid = json!([record(1), record(2)]).to_string().into_bytes();
    let any_bytes = proptest::collection::vec(any::<u8>(), 0..300);
    let near_miss =
        proptest::collection::vec((0..valid.len(), any::<u8>()), 1..4).prop_map(move |changes| {
            let mut body = valid.clone();
            for (at, byte) in changes {
                body[at] = byte;
            }
            body
        });
    let encodings = prop_oneof![Just("identity"), Just("gzip"), Just("deflate")];
    let config = Config {
        cases: 200,
        ..Config::default()
    };
    let posted = TestRunner::new(config).run(
        &(prop_oneof![any_bytes, near_miss], encodings),
        |(body, encoding)| {
            let request = collector.client.post(collector.url("/v1/records"));
            let request = request.header("content-encoding", encoding).body(body);
            let response = runtime.block_on(request.send()).unwrap();
            let status = response.status().as_u16();
            prop_assert!([200, 400, 413].contains(&status), "{status}");
            Ok(())
        },
    );
    posted.unwrap();
    assert_eq!(runtime.block_on(collector.get("/healthz")).0, 200);
}
