//! Identifiers, drawn at random.

use streamlag_wire::hex;

/// 32 lower-case hex digits: a record's or a trace's id.
pub(crate) fn record_id() -> String {
    hex::lower(&random::<16>())
}

/// W3C trace context: this trace, a new span, sampled.
pub(crate) fn traceparent(trace_id: &str) -> String {
    ["00", trace_id, &hex::lower(&random::<8>()), "01"].join("-")
}

/// Any number, to spread retries.
pub(crate) fn spread() -> u32 {
    u32::from_le_bytes(random::<4>())
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    let crypto = web_sys::window().and_then(|window| window.crypto().ok());
    let drawn = crypto.map(|crypto| crypto.get_random_values_with_u8_array(&mut bytes));
    if !matches!(drawn, Some(Ok(_))) {
        // Ids need to be unlikely to collide, not unguessable.
        bytes.fill_with(|| (js_sys::Math::random() * 256.0) as u8);
    }
    bytes
}
