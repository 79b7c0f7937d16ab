//! Which pages may spend a target's key.
//!
//! A browser names the page's origin on every `POST`. Withholding CORS headers would only keep the answer
//! from a foreign page, not the request from the target, so that a foreign origin is refused before
//! anything is sent. The `Host` header is no proof of being the same site: a name that is rebound to this
//! machine passes for it.

use axum::response::{IntoResponse, Response};
use http::header::ORIGIN;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use streamlag_wire::relay;
use url::{Host, Url};

use crate::answer::Failure;

/// The page's origin where it may use the relay; `None` for callers that are no page.
pub(crate) fn allowed<'a>(
    headers: &'a HeaderMap,
    origins: &[String],
) -> Result<Option<&'a str>, Failure> {
    let Some(origin) = headers.get(ORIGIN) else {
        return Ok(None);
    };
    let origin = origin.to_str().unwrap_or_default();
    if is_this_machine(origin) || origins.iter().any(|listed| listed == origin) {
        return Ok(Some(origin));
    }
    let message = format!(
        "pages of {origin:?} may not use the relay; add that origin to origins under [collector] in streamlag.toml"
    );
    Err(Failure::new(StatusCode::FORBIDDEN, "origin", message))
}

/// Lets the page of that origin read the answer, all its headers and its timing.
pub(crate) fn expose(response: &mut Response, origin: Option<&str>) {
    let Some(origin) = origin else { return };
    let headers = response.headers_mut();
    let names = relay::exposed(headers.keys().map(HeaderName::as_str));
    let exposed = ("access-control-expose-headers", names);
    for (name, value) in relay::cors(origin).into_iter().chain([exposed]) {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.append(HeaderName::from_static(name), value);
        }
    }
}

/// The answer to a preflight of an allowed page.
pub(crate) fn preflight(headers: &HeaderMap, origins: &[String]) -> Response {
    let origin = match allowed(headers, origins) {
        Ok(origin) => origin,
        Err(failure) => return failure.into_response(),
    };
    let mut response = StatusCode::NO_CONTENT.into_response();
    let requested = headers.get("access-control-request-headers");
    let requested = requested.and_then(|value| value.to_str().ok());
    for (name, value) in relay::preflight(requested) {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response
                .headers_mut()
                .insert(HeaderName::from_static(name), value);
        }
    }
    expose(&mut response, origin);
    response
}

fn is_this_machine(origin: &str) -> bool {
    let url = Url::parse(origin).ok();
    let url = url.filter(|url| matches!(url.scheme(), "http" | "https"));
    match url.as_ref().and_then(Url::host) {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(origin: &str) -> bool {
        let headers = HeaderMap::from_iter([(ORIGIN, HeaderValue::from_str(origin).unwrap())]);
        allowed(&headers, &["https://app.example".to_owned()]).is_ok()
    }

    #[test]
    fn pages_of_this_machine_and_listed_ones_are_allowed() {
        for origin in [
            "http://127.0.0.1:7070",
            "http://localhost:3000",
            "http://[::1]:1",
            "https://app.example",
        ] {
            assert!(check(origin), "{origin}");
        }
        assert!(allowed(&HeaderMap::new(), &[]).is_ok());
    }

    #[test]
    fn foreign_pages_are_refused() {
        for origin in [
            "https://evil.example",
            "http://127.0.0.1.evil.example",
            "http://localhost.evil.example",
            "https://app.example.evil.example",
            "http://app.example",
            "null",
            "file://",
            "",
        ] {
            assert!(!check(origin), "{origin}");
        }
    }
}
