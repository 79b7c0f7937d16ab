//! Statuses, error words and finish reasons → [`ErrorClass`]. Structured words only, never messages.

use crate::input::Failure;
use crate::measurement::ErrorClass;

/// The class of an HTTP status; `None` for a success.
pub(crate) const fn of_status(status: u16) -> Option<ErrorClass> {
    Some(match status {
        200..=299 => return None,
        401 | 403 | 407 => ErrorClass::Auth,
        402 => ErrorClass::Quota,
        408 | 504 | 522 | 524 | 598 | 599 => ErrorClass::Timeout,
        429 => ErrorClass::RateLimited,
        451 => ErrorClass::GeoBlocked,
        400..=499 => ErrorClass::BadRequest,
        503 | 529 => ErrorClass::Overloaded,
        500..=599 => ErrorClass::Server,
        // A redirect that was not followed, or no HTTP status at all.
        _ => ErrorClass::NotAStream,
    })
}

/// The class of a failure that the platform told.
pub(crate) const fn of_failure(failure: Failure) -> ErrorClass {
    match failure {
        Failure::Dns => ErrorClass::Dns,
        Failure::Connect => ErrorClass::Connect,
        Failure::Tls => ErrorClass::Tls,
        Failure::Reset => ErrorClass::Reset,
        Failure::Network => ErrorClass::Network,
        Failure::Prober => ErrorClass::Prober,
    }
}

/// The class that a relay of ours names in `x-streamlag-upstream`.
pub(crate) fn of_upstream(word: &str) -> Option<ErrorClass> {
    [
        ErrorClass::Dns,
        ErrorClass::Connect,
        ErrorClass::Tls,
        ErrorClass::Timeout,
    ]
    .into_iter()
    .find(|class| word.trim().eq_ignore_ascii_case(class.as_str()))
}

/// Parts of providers' error types and codes, lower case without separators, the telling ones first:
/// `insufficient_quota` comes with the type of a rate limit, `invalid_request_error` with nearly anything.
const WORDS: &[(&str, ErrorClass)] = &[
    ("unsupportedcountry", ErrorClass::GeoBlocked),
    ("countrynotsupported", ErrorClass::GeoBlocked),
    ("regionnotsupported", ErrorClass::GeoBlocked),
    ("locationnotsupported", ErrorClass::GeoBlocked),
    ("unsupportedregion", ErrorClass::GeoBlocked),
    ("geoblock", ErrorClass::GeoBlocked),
    ("contentfilter", ErrorClass::ContentFilter),
    ("contentpolicy", ErrorClass::ContentFilter),
    ("contentmoderation", ErrorClass::ContentFilter),
    ("moderation", ErrorClass::ContentFilter),
    ("guardrail", ErrorClass::ContentFilter),
    ("datainspection", ErrorClass::ContentFilter),
    ("prohibitedcontent", ErrorClass::ContentFilter),
    ("sensitive", ErrorClass::ContentFilter),
    ("safety", ErrorClass::ContentFilter),
    ("insufficientquota", ErrorClass::Quota),
    ("insufficientbalance", ErrorClass::Quota),
    ("insufficientfund", ErrorClass::Quota),
    ("currentquota", ErrorClass::Quota),
    ("quotaexceeded", ErrorClass::Quota),
    ("billing", ErrorClass::Quota),
    ("payment", ErrorClass::Quota),
    ("credit", ErrorClass::Quota),
    ("arrear", ErrorClass::Quota),
    ("ratelimit", ErrorClass::RateLimited),
    ("toomanyrequests", ErrorClass::RateLimited),
    ("throttl", ErrorClass::RateLimited),
    ("resourceexhausted", ErrorClass::RateLimited),
    ("overload", ErrorClass::Overloaded),
    ("unavailable", ErrorClass::Overloaded),
    ("capacity", ErrorClass::Overloaded),
    ("notready", ErrorClass::Overloaded),
    ("timeout", ErrorClass::Timeout),
    ("timedout", ErrorClass::Timeout),
    ("deadlineexceeded", ErrorClass::Timeout),
    ("authenti", ErrorClass::Auth),
    ("unauthorized", ErrorClass::Auth),
    ("apikey", ErrorClass::Auth),
    ("permission", ErrorClass::Auth),
    ("forbidden", ErrorClass::Auth),
    ("accessdenied", ErrorClass::Auth),
    ("unrecognizedclient", ErrorClass::Auth),
    ("expiredtoken", ErrorClass::Auth),
    ("invalidrequest", ErrorClass::BadRequest),
    ("badrequest", ErrorClass::BadRequest),
    ("invalid", ErrorClass::BadRequest),
    ("validation", ErrorClass::BadRequest),
    ("notfound", ErrorClass::BadRequest),
    ("failedprecondition", ErrorClass::BadRequest),
    ("contextlength", ErrorClass::BadRequest),
    ("contextsize", ErrorClass::BadRequest),
    ("toolarge", ErrorClass::BadRequest),
    ("unprocessable", ErrorClass::BadRequest),
];

/// Finish reasons by which a provider says that its filter ended the answer, and those that are errors.
/// (A model's own refusal is an answer.)
const FINISHES: &[(&str, ErrorClass)] = &[
    ("contentfilter", ErrorClass::ContentFilter),
    ("guardrail", ErrorClass::ContentFilter),
    ("safety", ErrorClass::ContentFilter),
    ("recitation", ErrorClass::ContentFilter),
    ("blocklist", ErrorClass::ContentFilter),
    ("prohibitedcontent", ErrorClass::ContentFilter),
    ("spii", ErrorClass::ContentFilter),
    ("sensitive", ErrorClass::ContentFilter),
    ("timeout", ErrorClass::Timeout),
    ("insufficientsystemresource", ErrorClass::Overloaded),
    ("error", ErrorClass::Server),
    ("malformed", ErrorClass::Server),
];

/// The class of an in-stream error, or of an error body, from its two words and its number. The words
/// win where they say anything.
pub(crate) fn of_error(kind: &str, detail: &str, code: Option<u16>) -> ErrorClass {
    [find(WORDS, kind), find(WORDS, detail)]
        .into_iter()
        .flatten()
        .min_by_key(|(rank, _)| *rank)
        .map(|(_, class)| class)
        .or_else(|| of_status(code.filter(|code| (400..600).contains(code))?))
        .unwrap_or(ErrorClass::Server)
}

/// The class of a finish reason that is a failure.
pub(crate) fn of_finish(reason: &str) -> Option<ErrorClass> {
    find(FINISHES, reason).map(|(_, class)| class)
}

/// Whether asking again may help.
pub(crate) const fn is_retryable(class: ErrorClass, status: Option<u16>) -> bool {
    if matches!(status, Some(501 | 505 | 508 | 511)) {
        return false;
    }
    matches!(
        class,
        ErrorClass::RateLimited
            | ErrorClass::Overloaded
            | ErrorClass::Server
            | ErrorClass::Timeout
            | ErrorClass::Truncated
            | ErrorClass::Empty
            | ErrorClass::Dns
            | ErrorClass::Connect
            | ErrorClass::Reset
            | ErrorClass::Network
    )
}

/// The first entry that is a part of `word`, and its rank.
fn find(table: &[(&str, ErrorClass)], word: &str) -> Option<(usize, ErrorClass)> {
    let mut letters = [0u8; 64];
    let mut length = 0;
    let plain = word.bytes().filter(u8::is_ascii_alphanumeric);
    for (slot, byte) in letters.iter_mut().zip(plain) {
        *slot = byte.to_ascii_lowercase();
        length += 1;
    }
    let word = letters.get(..length)?;
    table
        .iter()
        .enumerate()
        .find(|(_, (part, _))| {
            let part = part.as_bytes();
            word.windows(part.len()).any(|window| window == part)
        })
        .map(|(rank, (_, class))| (rank, *class))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_providers_have_a_class() {
        let check = |word, class| assert_eq!(of_error(word, "", None), class, "{word}");
        check("insufficient_quota", ErrorClass::Quota);
        check("ServiceQuotaExceededException", ErrorClass::Quota);
        check("exceeded_current_quota_error", ErrorClass::Quota);
        check("rate_limit_exceeded", ErrorClass::RateLimited);
        check("throttlingException", ErrorClass::RateLimited);
        check("RESOURCE_EXHAUSTED", ErrorClass::RateLimited);
        check("server_is_overloaded", ErrorClass::Overloaded);
        check("UNAVAILABLE", ErrorClass::Overloaded);
        check("modelNotReadyException", ErrorClass::Overloaded);
        check("modelTimeoutException", ErrorClass::Timeout);
        check("DEADLINE_EXCEEDED", ErrorClass::Timeout);
        check("authentication_error", ErrorClass::Auth);
        check("UNAUTHENTICATED", ErrorClass::Auth);
        check("invalid_api_key", ErrorClass::Auth);
        check("context_length_exceeded", ErrorClass::BadRequest);
        check("INVALID_ARGUMENT", ErrorClass::BadRequest);
        check(
            "unsupported_country_region_territory",
            ErrorClass::GeoBlocked,
        );
        check("content_filter", ErrorClass::ContentFilter);
        check("internalServerException", ErrorClass::Server);
        check("", ErrorClass::Server);
    }

    #[test]
    fn the_more_telling_of_two_words_wins() {
        let check = |kind, detail, class| assert_eq!(of_error(kind, detail, None), class);
        check("rate_limit_error", "insufficient_quota", ErrorClass::Quota);
        check("tokens", "rate_limit_exceeded", ErrorClass::RateLimited);
        check(
            "server_error",
            "server_is_overloaded",
            ErrorClass::Overloaded,
        );
        check(
            "invalid_request_error",
            "content_filter",
            ErrorClass::ContentFilter,
        );
    }

    #[test]
    fn a_number_speaks_where_the_word_does_not() {
        assert_eq!(of_error("", "", Some(502)), ErrorClass::Server);
        assert_eq!(of_error("upstream", "", Some(429)), ErrorClass::RateLimited);
        assert_eq!(
            of_error("overloaded_error", "", Some(400)),
            ErrorClass::Overloaded
        );
        assert_eq!(of_error("", "", Some(200)), ErrorClass::Server);
    }

    #[test]
    fn a_refusal_is_an_answer_and_a_filter_is_not() {
        assert_eq!(of_finish("refusal"), None);
        assert_eq!(of_finish("stop"), None);
        assert_eq!(of_finish("content_filter"), Some(ErrorClass::ContentFilter));
        assert_eq!(of_finish("SAFETY"), Some(ErrorClass::ContentFilter));
        assert_eq!(of_finish("error"), Some(ErrorClass::Server));
        assert_eq!(
            of_finish("MALFORMED_FUNCTION_CALL"),
            Some(ErrorClass::Server)
        );
    }
}
