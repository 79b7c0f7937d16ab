//! What is taken, what is not, and what is said about it.

use serde_json::json;

use crate::support::{Running, id, parts, record, record_with};

#[tokio::test]
async fn a_record_is_kept_once_however_often_it_comes() {
    let collector = Running::start("").await;
    let first = collector.post_records(&record(1)).await;
    assert_eq!(
        first,
        (
            200,
            json!({ "accepted": 1, "duplicate": 0, "rejected": [] })
        )
    );
    let again = record_with(1, json!({ "outcome": "error" }));
    let second = collector
        .post_records(&json!([again, record(2), record(2)]))
        .await;
    assert_eq!(
        second,
        (
            200,
            json!({ "accepted": 1, "duplicate": 2, "rejected": [] })
        )
    );
    let (_, kept) = collector.get(&format!("/v1/records/{}", id(1))).await;
    assert_eq!(kept["outcome"], "ok");
    assert_eq!(
        collector
            .get("/v1/records")
            .await
            .1
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[tokio::test]
async fn lines_arrays_and_single_records_are_taken_whatever_the_content_type_says() {
    let collector = Running::start("").await;
    let lines = format!("{}\n{}\n", record(1), record(2));
    let pretty = serde_json::to_string_pretty(&record(3)).unwrap();
    for (body, content_type, accepted) in [
        (lines, "text/plain;charset=UTF-8", 2),
        (pretty, "application/x-ndjson", 1),
        (
            json!([record(4)]).to_string(),
            "application/octet-stream",
            1,
        ),
    ] {
        let request = collector.client.post(collector.url("/v1/records"));
        let response = request
            .header("content-type", content_type)
            .body(body)
            .send()
            .await;
        assert_eq!(parts(response.unwrap()).await.1["accepted"], accepted);
    }
}

#[tokio::test]
async fn a_malformed_record_names_its_field_and_reason_and_the_rest_is_kept() {
    let collector = Running::start("").await;
    let bad = record_with(2, json!({ "timing": { "ttft_ms": "soon" } }));
    let negative = record_with(3, json!({ "timing": { "ttft_ms": -1 } }));
    let word = record_with(4, json!({ "outcome": "fine" }));
    let (status, report) = collector
        .post_records(&json!([
            record(1),
            bad,
            negative,
            word,
            "no record",
            record(5)
        ]))
        .await;
    assert_eq!((status, &report["accepted"]), (200, &json!(2)));
    let rejected = report["rejected"].as_array().unwrap();
    let fields: Vec<_> = rejected
        .iter()
        .map(|r| (r["index"].clone(), r["field"].clone()))
        .collect();
    let expected = [
        (1, "timing.ttft_ms"),
        (2, "timing.ttft_ms"),
        (3, "outcome"),
        (4, "."),
    ];
    assert_eq!(
        fields,
        expected.map(|(index, field)| (json!(index), json!(field)))
    );
    assert_eq!(rejected[0]["id"], id(2));
    assert!(rejected[1]["reason"].as_str().unwrap().contains("-1"));
    assert_eq!(rejected[3]["id"], json!(null));
    for (n, status) in [(1, 200), (2, 404), (3, 404), (4, 404), (5, 200)] {
        assert_eq!(
            collector.get(&format!("/v1/records/{}", id(n))).await.0,
            status,
            "{n}"
        );
    }
}

#[tokio::test]
async fn nothing_to_keep_is_a_failure_and_nothing_sent_is_none() {
    let collector = Running::start("").await;
    assert_eq!(collector.post_records(&json!([{ "id": "x" }])).await.0, 400);
    assert_eq!(collector.post_records(&json!([])).await.0, 200);
    let (status, answer) = parts(collector.post("/v1/records", "").await).await;
    assert_eq!(status, 400);
    assert!(
        answer["error"]["message"]
            .as_str()
            .unwrap()
            .contains("empty")
    );
}

#[tokio::test]
async fn fields_of_a_newer_version_are_kept_at_every_depth() {
    let collector = Running::start("").await;
    let newer = record_with(
        1,
        json!({ "schema": 2, "outcome": "new_word", "extra": { "a": 1 }, "timing": { "ttft_ms": 5, "new_ms": 7 } }),
    );
    assert_eq!(collector.post_records(&newer).await.1["accepted"], 1);
    assert_eq!(
        collector.get(&format!("/v1/records/{}", id(1))).await.1,
        newer
    );
}

#[tokio::test]
async fn packed_bodies_are_taken() {
    use std::io::Write as _;
    let collector = Running::start("").await;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(record(1).to_string().as_bytes()).unwrap();
    let request = collector.client.post(collector.url("/v1/records"));
    let request = request
        .header("content-encoding", "gzip")
        .body(gzip.finish().unwrap());
    assert_eq!(parts(request.send().await.unwrap()).await.1["accepted"], 1);
}

#[tokio::test]
async fn any_page_may_post_and_none_may_read() {
    let collector = Running::start("").await;
    let allow = "access-control-allow-origin";
    let url = collector.url("/v1/records");
    let origin = "https://anywhere.example";
    let ask = collector.client.request(reqwest::Method::OPTIONS, &url);
    let preflight = ask
        .header("origin", origin)
        .header("access-control-request-method", "POST")
        .header(
            "access-control-request-headers",
            "content-type,x-streamlag-key",
        )
        .send()
        .await
        .unwrap();
    assert_eq!(preflight.status(), 204);
    assert_eq!(preflight.headers()[allow], "*");
    assert_eq!(
        preflight.headers()["access-control-allow-headers"],
        "content-type,x-streamlag-key"
    );
    let posted = collector
        .client
        .post(&url)
        .header("origin", origin)
        .body(record(1).to_string());
    let posted = posted.send().await.unwrap();
    assert_eq!(posted.headers()[allow], "*");
    // A browser's keep-alive budget leaks where a beacon's answer says so.
    assert!(posted.headers().get("cache-control").is_none());
    let read = collector
        .client
        .get(&url)
        .header("origin", origin)
        .send()
        .await
        .unwrap();
    assert!(read.headers().get(allow).is_none());
}

#[tokio::test]
async fn records_are_listed_newest_first_and_by_target_and_vantage() {
    let collector = Running::start("").await;
    let now = crate::support::now_ms();
    let at = |n: u64, ago: u64, vantage: &str, target: &str| {
        record_with(
            n,
            json!({ "started_at_ms": now - ago, "vantage": vantage, "target": { "id": target } }),
        )
    };
    let records = [
        at(1, 30, "browser", "a"),
        at(2, 10, "server", "a"),
        at(3, 20, "browser", "b"),
        at(4, 90_000_000, "browser", "a"),
    ];
    collector.post_records(&json!(records)).await;
    let check = async |query: &str, expected: &[u64]| {
        let (_, list) = collector.get(&format!("/v1/records{query}")).await;
        let ids: Vec<_> = list
            .as_array()
            .unwrap()
            .iter()
            .map(|r| r["id"].clone())
            .collect();
        let expected: Vec<_> = expected.iter().map(|n| json!(id(*n))).collect();
        assert_eq!(ids, expected, "{query}");
    };
    check("", &[2, 3, 1, 4]).await;
    check("?limit=2", &[2, 3]).await;
    check("?target=a", &[2, 1, 4]).await;
    check("?target=a&vantage=browser", &[1, 4]).await;
    check("?target=none", &[]).await;
    for bad in ["?limit=-1", "?vantage=moon", "?unknown=1"] {
        let (status, answer) = collector.get(&format!("/v1/records{bad}")).await;
        assert_eq!(
            (status, &answer["error"]["type"]),
            (400, &json!("bad_request")),
            "{bad}"
        );
    }
    assert_eq!(collector.get("/v1/records/zz").await.0, 400);
}
