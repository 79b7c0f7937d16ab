//! Counts the connections that a client opens: the only way to know that a request did not need one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use tower_layer::Layer;
use tower_service::Service;

/// A count that goes up each time a connection is opened.
#[derive(Debug, Clone, Default)]
pub(super) struct Connections(Arc<AtomicU64>);

impl Connections {
    /// Connections opened so far, failed ones included.
    pub(super) fn opened(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

impl<S> Layer<S> for Connections {
    type Service = Counted<S>;

    fn layer(&self, inner: S) -> Counted<S> {
        Counted {
            inner,
            connections: self.clone(),
        }
    }
}

/// A connector whose calls are counted.
#[derive(Debug, Clone)]
pub(super) struct Counted<S> {
    inner: S,
    connections: Connections,
}

impl<S: Service<R>, R> Service<R> for Counted<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: R) -> S::Future {
        self.connections.0.fetch_add(1, Ordering::SeqCst);
        self.inner.call(request)
    }
}
