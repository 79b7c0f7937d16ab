//! Starts the real parts (mock, collector, workerd, Chromium) for the demo and the tests.

pub mod place;
