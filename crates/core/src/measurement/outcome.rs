//! How a request ended, and what kind of failure it was.

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Outcome {
    /// A terminal signal and no error.
    Ok,
    /// The body ended without a terminal signal.
    #[default]
    Truncated,
    /// An HTTP, in-stream, network or format error.
    Error,
    /// A time limit ran out.
    Timeout,
    /// The user or the page ended it: neither success nor error.
    Aborted,
}

impl Outcome {
    /// The word in records, SQL and the UI.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Truncated => "truncated",
            Self::Error => "error",
            Self::Timeout => "timeout",
            Self::Aborted => "aborted",
        }
    }
}

macro_rules! error_classes {
    ($($(#[$doc:meta])* $variant:ident = $word:literal,)*) => {
        /// What kind of failure it was.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum ErrorClass { $($(#[$doc])* $variant,)* }

        impl ErrorClass {
            /// Every class.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The word in records, SQL and the UI.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }
    };
}
error_classes! {
    /// 429, or an in-stream rate limit.
    RateLimited = "rate_limited",
    /// The account's quota or balance is used up.
    Quota = "quota",
    /// 503, 529 or an in-stream overload.
    Overloaded = "overloaded",
    /// Another failure of the provider.
    Server = "server",
    /// The request was refused as wrong (400, 404, 422 …).
    BadRequest = "bad_request",
    /// 401 or 403.
    Auth = "auth",
    /// The provider's filter ended it.
    ContentFilter = "content_filter",
    /// The provider does not serve the place asked from.
    GeoBlocked = "geo_blocked",
    /// A time limit ran out.
    Timeout = "timeout",
    /// The body ended without a terminal signal.
    Truncated = "truncated",
    /// The body is not a stream of a known framing (HTML, a JSON object).
    NotAStream = "not_a_stream",
    /// Compressed bytes reached the parser.
    UndecodedBody = "undecoded_body",
    /// An event was longer than the limit.
    LineTooLong = "line_too_long",
    /// A success without any event.
    Empty = "empty",
    /// The name could not be resolved.
    Dns = "dns",
    /// The connection was refused or unreachable.
    Connect = "connect",
    /// TLS could not be agreed.
    Tls = "tls",
    /// The connection broke.
    Reset = "reset",
    /// The platform does not say more.
    Network = "network",
    /// The measuring side failed; never the target's fault.
    Prober = "prober",
}
