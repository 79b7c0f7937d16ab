//! Reads requests from a connection.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Instant;

/// Most bytes of a request's head.
const MOST_HEAD: usize = 64 << 10;
/// Most bytes of a request's body.
const MOST_BODY: usize = 8 << 20;
const MOST_HEADERS: usize = 100;

/// One request, read whole.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Path and query as sent.
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// When the last byte of it had been read.
    pub(crate) received: Instant,
    /// HTTP/1.1: knows chunked bodies and keeps the connection.
    pub(crate) is_1_1: bool,
}

impl Request {
    /// A header's value; names in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Path without the query.
    pub(crate) fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// A parameter of the query, decoded.
    pub(crate) fn query(&self, name: &str) -> Option<String> {
        let (_, query) = self.target.split_once('?')?;
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs.find(|(n, _)| n == name).map(|(_, v)| v.into_owned())
    }

    /// Whether the connection serves another request after this one.
    pub(crate) fn keeps_connection(&self) -> bool {
        let wish = self.header("connection").unwrap_or_default();
        self.is_1_1 && !wish.eq_ignore_ascii_case("close")
    }
}

/// Why no request was read.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// The client closed the connection, or it broke, or nothing came for long.
    Gone,
    /// Not HTTP as understood here: the status and sentence to answer with.
    Refused(u16, &'static str),
}

impl From<io::Error> for ReadError {
    fn from(_: io::Error) -> Self {
        Self::Gone
    }
}

/// A client's connection and what was read from it beyond the current request.
pub(crate) struct Connection {
    pub(crate) stream: TcpStream,
    unread: Vec<u8>,
}

impl Connection {
    pub(crate) fn new(stream: TcpStream) -> Self {
        Self {
            stream,
            unread: Vec::new(),
        }
    }

    /// Waits for the next request.
    pub(crate) fn read(&mut self) -> Result<Request, ReadError> {
        let mut request = loop {
            if let Some(request) = self.parse_head()? {
                break request;
            }
            if self.unread.len() > MOST_HEAD {
                return Err(ReadError::Refused(
                    431,
                    "the request's headers are too long",
                ));
            }
            self.fill()?;
        };
        if request.header("expect").is_some() {
            self.stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        request.body = self.read_body(&request)?;
        request.received = Instant::now();
        Ok(request)
    }

    fn parse_head(&mut self) -> Result<Option<Request>, ReadError> {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        let length = match parsed.parse(&self.unread) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => {
                return Err(ReadError::Refused(431, "the request has too many headers"));
            }
            Err(_) => return Err(ReadError::Refused(400, "the request is not HTTP/1.1")),
        };
        let headers = parsed.headers.iter().map(|h| {
            let value = String::from_utf8_lossy(h.value).trim().to_owned();
            (h.name.to_ascii_lowercase(), value)
        });
        let request = Request {
            headers: headers.collect(),
            method: parsed.method.unwrap_or_default().to_owned(),
            target: parsed.path.unwrap_or_default().to_owned(),
            is_1_1: parsed.version == Some(1),
            body: Vec::new(),
            received: Instant::now(),
        };
        self.unread.drain(..length);
        Ok(Some(request))
    }

    fn read_body(&mut self, request: &Request) -> Result<Vec<u8>, ReadError> {
        let coding = request.header("transfer-encoding").unwrap_or_default();
        if coding.eq_ignore_ascii_case("chunked") {
            return self.read_chunked();
        }
        let length = match request.header("content-length") {
            None => 0,
            Some(text) => text
                .parse::<usize>()
                .map_err(|_| ReadError::Refused(400, "content-length is not a number"))?,
        };
        self.take(length)
    }

    fn read_chunked(&mut self) -> Result<Vec<u8>, ReadError> {
        const BROKEN: ReadError = ReadError::Refused(400, "the request's chunked body is broken");
        let mut body = Vec::new();
        loop {
            let (line, size) = match httparse::parse_chunk_size(&self.unread) {
                Ok(httparse::Status::Complete(found)) => found,
                Ok(httparse::Status::Partial) => {
                    self.fill()?;
                    continue;
                }
                Err(_) => return Err(BROKEN),
            };
            self.unread.drain(..line);
            let size = usize::try_from(size).map_err(|_| BROKEN)?;
            if body.len().saturating_add(size) > MOST_BODY {
                return Err(ReadError::Refused(413, "the request's body is over 8 MB"));
            }
            body.extend(self.take(size)?);
            // No client here sends trailers: the line after the last chunk is empty, too.
            if self.take(2)? != b"\r\n" {
                return Err(BROKEN);
            }
            if size == 0 {
                return Ok(body);
            }
        }
    }

    fn take(&mut self, length: usize) -> Result<Vec<u8>, ReadError> {
        if length > MOST_BODY {
            return Err(ReadError::Refused(413, "the request's body is over 8 MB"));
        }
        while self.unread.len() < length {
            self.fill()?;
        }
        Ok(self.unread.drain(..length).collect())
    }

    fn fill(&mut self) -> Result<(), ReadError> {
        let mut piece = [0; 16 << 10];
        match self.stream.read(&mut piece)? {
            0 => Err(ReadError::Gone),
            n => {
                self.unread.extend_from_slice(&piece[..n]);
                Ok(())
            }
        }
    }
}
