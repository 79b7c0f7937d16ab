//! The live updates.

use futures_util::StreamExt;
use futures_util::stream::BoxStream;

use crate::support::{Running, id, record, soon};

/// The numbers in the events of one connection.
struct Events {
    bytes: BoxStream<'static, reqwest::Result<bytes::Bytes>>,
    text: String,
}

impl Events {
    async fn connect(collector: &Running) -> Self {
        let response = collector
            .client
            .get(collector.url("/v1/live"))
            .send()
            .await
            .unwrap();
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self {
            bytes: response.bytes_stream().boxed(),
            text: String::new(),
        }
    }

    /// `None`: the stream has ended.
    async fn next(&mut self) -> Option<u64> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let seq = event
                    .strip_prefix("event: records\ndata: {\"seq\":")
                    .unwrap();
                let seq = seq.strip_suffix('}').unwrap().parse().unwrap();
                self.text = rest.to_owned();
                return Some(seq);
            }
            let chunk = soon(self.bytes.next()).await?;
            self.text
                .push_str(std::str::from_utf8(&chunk.ok()?).unwrap());
        }
    }
}

#[tokio::test]
async fn every_client_hears_of_a_record_that_can_then_be_read() {
    let collector = Running::start("").await;
    let mut clients = Vec::new();
    for _ in 0..50 {
        let mut events = Events::connect(&collector).await;
        assert_eq!(events.next().await, Some(0));
        clients.push(events);
    }
    collector.post_records(&record(1)).await;
    for events in &mut clients {
        assert_eq!(events.next().await, Some(1));
    }
    assert_eq!(
        collector.get(&format!("/v1/records/{}", id(1))).await.0,
        200
    );
}

#[tokio::test]
async fn a_record_that_was_there_already_is_no_news() {
    let collector = Running::start("").await;
    collector.post_records(&record(1)).await;
    let mut events = Events::connect(&collector).await;
    assert_eq!(events.next().await, Some(1));
    collector.post_records(&record(1)).await;
    collector.post_records(&record(2)).await;
    assert_eq!(events.next().await, Some(2));
}

#[tokio::test]
async fn a_client_that_did_not_listen_ends_at_the_latest_number() {
    let collector = Running::start("").await;
    let mut events = Events::connect(&collector).await;
    for n in 1..=50 {
        collector.post_records(&record(n)).await;
    }
    let mut last = 0;
    while last < 50 {
        let next = events.next().await.unwrap();
        assert!(next > last || next == 0, "{next} after {last}");
        last = next;
    }
}

#[tokio::test]
async fn stopping_ends_the_connections() {
    let collector = Running::start("").await;
    let mut events = Events::connect(&collector).await;
    assert_eq!(events.next().await, Some(0));
    soon(collector.stop()).await;
    assert_eq!(events.next().await, None);
}
