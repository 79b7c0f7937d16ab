//! The page's files, embedded by `build.rs`.

use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use http::{HeaderMap, HeaderValue, StatusCode, Uri};

use crate::answer::Failure;

/// One file of the page.
struct Asset {
    /// From the site's root, without a leading `/`.
    path: &'static str,
    content_type: &'static str,
    /// Changes with the content.
    etag: &'static str,
    bytes: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Shown where the binary was built without the page.
const NO_PAGE: &str = include_str!("assets/no_page.html");

/// Of the page itself. Wasm needs `'wasm-unsafe-eval'`; everything comes from here and talks to here. The
/// two policies after it isolate the page, and an isolated page has the finer clock.
const PAGE_HEADERS: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
         img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("referrer-policy", "no-referrer"),
    ("x-frame-options", "DENY"),
];

pub(crate) async fn serve(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    if let Some(asset) = ASSETS.iter().find(|asset| asset.path == path) {
        return answer(asset, &headers);
    }
    if path == "index.html" {
        let html = HeaderValue::from_static("text/html; charset=utf-8");
        return ([(CONTENT_TYPE, html)], NO_PAGE).into_response();
    }
    Failure::not_found(format!("there is nothing at {:?}", uri.path())).into_response()
}

fn answer(asset: &'static Asset, asked: &HeaderMap) -> Response {
    let etag = HeaderValue::from_static(asset.etag);
    let mut response = match asked.get(IF_NONE_MATCH) == Some(&etag) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => asset.bytes.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(ETAG, etag);
    // Kept, but asked about each time: names do not change with the content.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(asset.content_type));
    headers.insert(
        "x-content-type-options",
        HeaderValue::from_static("nosniff"),
    );
    for (name, value) in PAGE_HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    static PAGE: Asset = Asset {
        path: "index.html",
        content_type: "text/html; charset=utf-8",
        etag: "\"1\"",
        bytes: b"<!doctype html>",
    };

    #[test]
    fn the_page_may_run_wasm_and_talk_to_its_own_origin_only() {
        let response = answer(&PAGE, &HeaderMap::new());
        let policy = response.headers()["content-security-policy"]
            .to_str()
            .unwrap();
        assert!(
            policy.contains("script-src 'self' 'wasm-unsafe-eval';"),
            "{policy}"
        );
        assert!(policy.contains("connect-src 'self';"), "{policy}");
        assert!(!policy.contains("  "), "{policy}");
        assert_eq!(response.headers()[CONTENT_TYPE], "text/html; charset=utf-8");
    }

    #[test]
    fn a_file_that_the_browser_has_is_not_sent_again() {
        let asked = |etag| HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_static(etag))]);
        assert_eq!(
            answer(&PAGE, &asked("\"1\"")).status(),
            StatusCode::NOT_MODIFIED
        );
        assert_eq!(answer(&PAGE, &asked("\"2\"")).status(), StatusCode::OK);
    }
}
