//! What the page knows, without a browser: plain data and pure functions, tested natively. `view/` draws
//! it, file by file.

pub mod ask;
pub mod comparison;
pub mod edge;
pub mod format;
pub mod metrics;
pub mod outcome;
pub mod recent;
pub mod targets;
pub mod timeline;
