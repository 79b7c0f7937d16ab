//! Starts the real parts (mock, collector, workerd, Chromium) for the demo and the tests, and asks them things.
//!
//! Everything listens on 127.0.0.1 and lives in a folder of its own below cargo's target folder. What is started
//! here is ended when its value is dropped.

pub mod bare;
pub mod blank;
pub mod browser;
pub mod collector;
pub mod http;
pub mod mailbox;
pub mod mock;
pub mod page;
pub mod place;
pub mod ports;
pub mod process;
pub mod site;
pub mod stack;
pub mod table;
pub mod tap;
pub mod trouble;
pub mod workerd;

pub use place::Place;
pub use stack::{Plan, Stack};
pub use trouble::Trouble;
