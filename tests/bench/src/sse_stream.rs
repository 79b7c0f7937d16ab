//! The crate `sse-stream`.

use bytes::Bytes;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use sse_stream::SseByteStream;
use std::convert::Infallible;

use crate::decode::Decode;
use crate::seen::Seen;

/// Reads a stream; what it cannot read it leaves out.
pub(crate) fn read(reads: &[Bytes], decode: Decode, seen: &mut Seen) {
    let reads = reads.iter().cloned().map(Ok::<_, Infallible>);
    let mut events = SseByteStream::new(stream::iter(reads));
    // All reads are there: nothing is ever waited for.
    while let Some(Some(event)) = events.next().now_or_never() {
        if let Ok(Some(data)) = event.map(|event| event.data) {
            seen.events += 1;
            (decode.take)(&data, seen);
        }
    }
}
