//! A record is at most 4,096 bytes, whatever the stream was like.
//!
//! `cargo test -p streamlag-wire --test size -- --nocapture` prints the sizes.

mod stream;
mod typical;
mod union;
mod varied;
