//! `GET /v1/live`: tells a page that there is something new.
//!
//! A client gets the number of the newest record, not the records: one that is slow sees the latest number
//! when it is ready, and nothing is queued for it.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::Stream;
use futures_util::stream::unfold;
use tokio::sync::watch;

use crate::server::App;

/// Shortest time between two events of one client: pages ask for a comparison after each.
const PACE: Duration = Duration::from_millis(100);
const KEEP_ALIVE: Duration = Duration::from_secs(15);

pub(crate) async fn live(
    State(app): State<Arc<App>>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let client = Client {
        changes: app.store.changes(),
        stopping: app.stopping.clone(),
        first: true,
    };
    let events = unfold(client, |mut client| async move {
        let seq = client.next().await?;
        let data = format!("{{\"seq\":{seq}}}");
        Some((Ok(Event::default().event("records").data(data)), client))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE))
}

struct Client {
    changes: watch::Receiver<u64>,
    stopping: watch::Receiver<bool>,
    /// The first event comes at once: whatever happened between a page's last query and its connection
    /// is not missed.
    first: bool,
}

impl Client {
    /// The number of the newest record, once there is a newer one; `None` when the collector stops.
    async fn next(&mut self) -> Option<u64> {
        if !self.first {
            tokio::select! {
                () = pace_then_change(&mut self.changes) => {}
                _ = self.stopping.wait_for(|stopping| *stopping) => return None,
            }
        }
        self.first = false;
        Some(*self.changes.borrow_and_update())
    }
}

async fn pace_then_change(changes: &mut watch::Receiver<u64>) {
    tokio::time::sleep(PACE).await;
    if changes.changed().await.is_err() {
        // The store is gone; `stopping` ends the stream.
        std::future::pending::<()>().await;
    }
}
