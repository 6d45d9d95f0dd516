//! Answers.

use anyhow::Error;
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Response, StatusCode};
use serde::Serialize;

/// An answer.
pub(super) type Reply = Response<Full<Bytes>>;

/// What the page may do: load what comes from here.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Bytes of some type.
pub(super) fn bytes(kind: &'static str, body: impl Into<Bytes>) -> Reply {
    let mut reply = Response::new(Full::new(body.into()));
    let headers = [
        (CONTENT_TYPE, kind),
        (CACHE_CONTROL, "no-store"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    for (name, value) in headers {
        reply.headers_mut().insert(name, hyper::header::HeaderValue::from_static(value));
    }
    reply
}

/// JSON.
pub(super) fn json(value: &impl Serialize) -> Reply {
    with_status(StatusCode::OK, value)
}

/// JSON with another status.
pub(super) fn with_status(status: StatusCode, value: &impl Serialize) -> Reply {
    let mut reply = match serde_json::to_vec(value) {
        Ok(body) => bytes("application/json", body),
        Err(error) => return refusal(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
    };
    *reply.status_mut() = status;
    reply
}

/// A fault in one line.
pub(super) fn refusal(status: StatusCode, fault: &str) -> Reply {
    #[derive(Serialize)]
    struct Refusal<'a> {
        error: &'a str,
    }
    with_status(status, &Refusal { error: fault })
}

/// There is nothing at this path.
pub(super) fn missing() -> Reply {
    refusal(StatusCode::NOT_FOUND, "there is no such page")
}

/// A fault and its causes in one line.
pub(super) fn failure(status: StatusCode, error: &Error) -> Reply {
    refusal(status, &format!("{error:#}").replace(char::is_control, " "))
}
