//! The crate `eventsource-stream`.

use bytes::Bytes;
use eventsource_stream::{Event, EventStream};
use futures_util::{FutureExt as _, StreamExt as _, stream};
use std::convert::Infallible;

use crate::decode::Decode;
use crate::seen::Seen;

/// Reads a stream; what it cannot read it leaves out.
pub(crate) fn read(reads: &[Bytes], decode: Decode, seen: &mut Seen) {
    each(reads.iter().cloned(), |event| {
        seen.events += 1;
        (decode.take)(&event.data, seen);
    });
}

/// Whether a body is an event stream whose events all hold JSON, or the word that ends it.
pub(crate) fn all_json(body: &[u8]) -> bool {
    let (mut events, mut others) = (0, 0);
    each([Bytes::copy_from_slice(body)], |event| {
        let json = serde_json::from_str::<serde_json::Value>(&event.data);
        events += 1;
        others += u32::from(json.is_err() && event.data != "[DONE]");
    });
    events > 0 && others == 0
}

fn each(reads: impl IntoIterator<Item = Bytes>, mut take: impl FnMut(Event)) {
    let mut events = EventStream::new(stream::iter(reads).map(Ok::<_, Infallible>));
    // All reads are there: nothing is ever waited for.
    while let Some(Some(event)) = events.next().now_or_never() {
        if let Ok(event) = event {
            take(event);
        }
    }
}
