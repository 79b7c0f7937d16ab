//! A probe, driven through step tables on a fake clock, and through anything at all.

mod attempts;
mod clocks;
mod endings;
mod flags;
mod gaps;
mod headers;
mod properties;
mod screen;
mod script;
mod segments;
mod sketch;
