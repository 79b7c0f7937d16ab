//! Messages with right checksums, which no fuzzer would find by trying.

/// Turns the input into a body: pieces of a kind, a length and bytes. Even ones are wrapped into messages, odd ones stay
/// as they are.
pub fn messages(data: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    let mut rest = data;
    while let Some((&[kind, length], tail)) = rest.split_first_chunk::<2>() {
        let (piece, tail) = tail.split_at(usize::from(length).min(tail.len()));
        rest = tail;
        if kind % 2 == 0 {
            body.extend(message(NAMES[usize::from(kind / 2) % NAMES.len()], piece));
        } else {
            body.extend(piece);
        }
    }
    body
}

/// Header and value.
const NAMES: [(&str, &str); 8] = [
    (":event-type", "contentBlockDelta"),
    (":event-type", "contentBlockStart"),
    (":event-type", "messageStop"),
    (":event-type", "metadata"),
    (":event-type", "chunk"),
    (":event-type", "messageStart"),
    (":exception-type", "throttlingException"),
    (":message-type", "error"),
];

fn message((name, value): (&str, &str), payload: &[u8]) -> Vec<u8> {
    let mut headers = vec![name.len() as u8];
    headers.extend(name.bytes());
    headers.push(7);
    headers.extend((value.len() as u16).to_be_bytes());
    headers.extend(value.bytes());
    let mut out = ((16 + headers.len() + payload.len()) as u32)
        .to_be_bytes()
        .to_vec();
    out.extend((headers.len() as u32).to_be_bytes());
    out.extend(crc32fast::hash(&out).to_be_bytes());
    out.extend(headers);
    out.extend(payload);
    out.extend(crc32fast::hash(&out).to_be_bytes());
    out
}
