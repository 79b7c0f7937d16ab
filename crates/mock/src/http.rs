//! Just enough HTTP/1.1 to be sure of one thing: when the bytes were handed to the kernel.
//!
//! A server library takes a body through channels and tasks of its own, and "written" comes to mean "put
//! into a queue". Here every write is a blocking call on the socket and its stamp is taken when that call
//! returns. Reading is left to `httparse`.

mod request;
mod response;
mod wait;

pub(crate) use request::{Connection, ReadError, Request};
pub(crate) use response::{Framing, Head, Written};
pub(crate) use wait::{Wake, Watch, sharpen_timers};
