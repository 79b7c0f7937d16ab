//! What the page knows, without a browser: the natively tested half of it. The page itself is the binary.

pub mod state;
