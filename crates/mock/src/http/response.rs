//! Writes responses, and says when each write had returned.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::net::TcpStream;
use std::time::{Instant, SystemTime};

/// How the end of the body is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// The length is known.
    Length(usize),
    /// HTTP/1.1 chunks.
    Chunked,
    /// The connection's end, for clients of HTTP/1.0.
    Close,
}

/// Status and headers.
#[derive(Debug, Clone)]
pub(crate) struct Head {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) framing: Framing,
}

/// Just before and just after one write to the socket.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Written {
    pub(crate) began: Instant,
    pub(crate) returned: Instant,
}

impl Head {
    /// The bytes of status line and headers.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut text = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        for (name, value) in &self.headers {
            let _ = write!(text, "{name}: {value}\r\n");
        }
        let date = httpdate::fmt_http_date(SystemTime::now());
        let _ = write!(text, "date: {date}\r\n");
        let _ = match self.framing {
            // 204 has no body and must not state a length (RFC 9110, section 8.6).
            Framing::Length(_) if self.status == 204 => Ok(()),
            Framing::Length(length) => write!(text, "content-length: {length}\r\n"),
            Framing::Chunked => write!(text, "transfer-encoding: chunked\r\n"),
            Framing::Close => write!(text, "connection: close\r\n"),
        };
        text.push_str("\r\n");
        text.into_bytes()
    }
}

impl Framing {
    /// Appends a part of the body, framed.
    pub(crate) fn part(self, bytes: &[u8], out: &mut Vec<u8>) {
        match self {
            Self::Chunked if bytes.is_empty() => {} // an empty chunk would end the body
            Self::Chunked => {
                out.extend_from_slice(format!("{:x}\r\n", bytes.len()).as_bytes());
                out.extend_from_slice(bytes);
                out.extend_from_slice(b"\r\n");
            }
            Self::Length(_) | Self::Close => out.extend_from_slice(bytes),
        }
    }

    /// What follows the last part.
    pub(crate) fn end(self) -> &'static [u8] {
        match self {
            Self::Chunked => b"0\r\n\r\n",
            Self::Length(_) | Self::Close => b"",
        }
    }
}

impl Written {
    /// Writes all of it. Nagle is off and the stream is blocking: on return the kernel has every byte.
    pub(crate) fn all(mut stream: &TcpStream, bytes: &[u8]) -> io::Result<Self> {
        let began = Instant::now();
        stream.write_all(bytes)?;
        let returned = Instant::now();
        Ok(Self { began, returned })
    }
}

/// The reason phrase; clients ignore it, people read it.
fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        413 => "Content Too Large",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        529 => "Overloaded",
        _ => "Scripted",
    }
}
