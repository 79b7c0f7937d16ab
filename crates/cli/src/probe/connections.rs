//! Tells whether a request opened a connection: the only way to know that it did not need one.

use std::cell::Cell;
use std::task::{Context, Poll};

use tower_layer::Layer;
use tower_service::Service;

tokio::task_local! {
    /// Whether the request of this task has asked for a connection. The client asks from within the
    /// request's own task, so requests that run at the same time are told apart.
    static OPENED: Cell<bool>;
}

/// Does a request's work; beside what it gives, whether it opened a connection, failed ones included.
pub(super) async fn watched<T>(request: impl Future<Output = T>) -> (T, bool) {
    let work = async {
        let given = request.await;
        (given, OPENED.with(Cell::get))
    };
    OPENED.scope(Cell::new(false), work).await
}

/// Marks the request on whose behalf a connection is opened.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Marking;

impl<S> Layer<S> for Marking {
    type Service = Marked<S>;

    fn layer(&self, inner: S) -> Marked<S> {
        Marked(inner)
    }
}

/// A connector whose calls are seen.
#[derive(Debug, Clone)]
pub(super) struct Marked<S>(S);

impl<S: Service<R>, R> Service<R> for Marked<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: R) -> S::Future {
        // Outside of a request nobody wants to know.
        let _ = OPENED.try_with(|opened| opened.set(true));
        self.0.call(request)
    }
}
