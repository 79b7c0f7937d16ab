//! The agent's package in an app that is not ours, in a real Chromium.

mod app;
mod delivery;
mod face;
mod measured;
mod streams;
