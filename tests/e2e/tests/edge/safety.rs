//! Who may ask the worker for what, and what it keeps to itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use harness::workerd::Edge;
use serde_json::{Value, json};
use streamlag_wire::sign;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::ground::{Ground, PROMPT, SECRET, scripted, signature};

const PATH: &str = "/probe/quick";
const BODY: &str = r#"{"regions":["weur"]}"#;

#[tokio::test]
async fn a_call_that_is_not_signed_rightly_costs_nothing() {
    let ground = Ground::new(
        "unsigned",
        Edge::default(),
        &[scripted("quick", "mock-quick")],
    )
    .await;
    let replace = |name: &str, value: &str| {
        let mut headers = signature(PATH, BODY, 0);
        headers
            .iter_mut()
            .filter(|(n, _)| n == name)
            .for_each(|(_, v)| *v = value.to_owned());
        headers
    };
    let cases = [
        ("no headers", vec![], BODY),
        (
            "another body",
            signature(PATH, BODY, 0),
            r#"{"regions":["enam"]}"#,
        ),
        ("another path", signature("/probe/other", BODY, 0), BODY),
        ("a stale time", signature(PATH, BODY, 301), BODY),
        ("a made-up code", replace(sign::SIGNATURE, "v1=00"), BODY),
        ("another key", replace(sign::KEY, "other"), BODY),
        ("another nonce", replace(sign::NONCE, "abcdefgh"), BODY),
    ];
    for (what, headers, body) in cases {
        let answer = ground.call(PATH, &headers, body).await;
        assert_eq!(answer.status, 401, "{what}: {}", answer.text());
        assert!(
            answer.json()["error"].is_string(),
            "{what}: {}",
            answer.text()
        );
    }
    let large = "x".repeat(20_000);
    let answer = ground.call(PATH, &signature(PATH, &large, 0), &large).await;
    assert_eq!(answer.status, 413);
    assert_eq!(ground.call("/schedule", &[], "").await.status, 401);
    assert!(ground.asked().await.is_empty(), "the target was asked");
}

#[tokio::test]
async fn a_replayed_call_costs_nothing() {
    let mut ground = Ground::new(
        "replayed",
        Edge::default(),
        &[scripted("quick", "mock-quick")],
    )
    .await;
    let headers = signature(PATH, BODY, 0);
    let first = ground.call(PATH, &headers, BODY).await.json();
    assert_eq!(first["results"][0]["outcome"], "ok");
    let mut replays = vec![ground.call(PATH, &headers, BODY).await.json()];
    ground.kill_worker();
    ground.start_worker().await;
    replays.push(ground.call(PATH, &headers, BODY).await.json());
    for replay in replays {
        let result = &replay["results"][0];
        assert_eq!(result["record_id"], Value::Null, "{replay}");
        assert!(
            result["reason"].as_str().unwrap().contains("before"),
            "{replay}"
        );
    }
    assert_eq!(ground.asked().await.len(), 1);
}

#[tokio::test]
async fn only_named_targets_and_regions_are_asked() {
    let ground = Ground::new("names", Edge::default(), &[scripted("quick", "mock-quick")]).await;
    for (path, body, status) in [
        ("/probe/other", "", 404),
        ("/probe/http%3A%2F%2Fexample.com", "", 404),
        (PATH, r#"{"regions":["moon"]}"#, 400),
        (PATH, r#"{"url":"http://example.com"}"#, 400),
        (PATH, "no json", 400),
    ] {
        let answer = ground.signed(path, body).await;
        assert_eq!(answer.status, status, "{path} {body}: {}", answer.text());
    }
    assert!(ground.asked().await.is_empty());
}

#[tokio::test]
async fn a_redirect_is_an_error_and_not_followed() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let calls = Arc::new(AtomicU32::new(0));
    let counted = calls.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::SeqCst);
            let _ = stream.read(&mut [0; 4_096]).await;
            let answer = format!(
                "HTTP/1.1 302 Found\r\nlocation: http://{address}/elsewhere\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            );
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    let mut target = scripted("redirect", "mock-quick");
    target["url"] = json!(format!("http://{address}/start"));
    let ground = Ground::new("redirect", Edge::default(), &[target]).await;
    let result = ground.probe("redirect").await;
    assert_eq!(result["outcome"], "error");
    assert_eq!(ground.record(&result).await.http.status, Some(302));
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn the_probers_own_failure_is_not_the_targets() {
    let mut target = scripted("keyless", "mock-quick");
    target["key_env"] = json!("STREAMLAG_TEST_NO_SUCH_KEY");
    let ground = Ground::new("prober", Edge::default(), &[target]).await;
    let result = ground.probe("keyless").await;
    let reason = result["reason"].as_str().unwrap();
    assert!(
        reason.contains("KEY_STREAMLAG_TEST_NO_SUCH_KEY"),
        "{reason}"
    );
    assert_eq!(
        ground.record(&result).await.error_class.as_deref(),
        Some("prober")
    );
    assert!(ground.asked().await.is_empty());
}

#[tokio::test]
async fn neither_secrets_nor_texts_are_in_records_or_logs() {
    let targets = [scripted("quick", "mock-quick"), scripted("cut", "mock-cut")];
    let ground = Ground::new("private", Edge::default(), &targets).await;
    let mut written = String::new();
    for id in ["quick", "cut"] {
        let record = ground.record(&ground.probe(id).await).await;
        written += &serde_json::to_string(&record).unwrap();
    }
    written += &ground.worker_log();
    assert!(written.contains("worker.date_now"));
    let answer = ground.answer("mock-quick").await;
    assert!(answer.len() > 12, "{answer}");
    for private in [SECRET, PROMPT, &answer[..12]] {
        assert!(!written.contains(private), "{private:?} in {written}");
    }
}
