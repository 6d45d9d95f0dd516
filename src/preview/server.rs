//! Connections: how many, how long, and who may call.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HOST, ORIGIN};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::runtime::Builder;
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tokio_io_timeout::TimeoutStream;

use super::answer::{Reply, refusal};
use super::site::PreviewSite;
use crate::source::CancelToken;

/// Connections at a time. A further one replaces one that is without a request for longer than [`GRACE`], or waits. A
/// browser opens six.
const CONNECTIONS: usize = 128;
/// How long a client is left to send its first request, on a busy machine too, before a further one may replace it.
const GRACE: Duration = Duration::from_secs(2);
/// How long a client may take for the head of a request, and to take up a piece of the answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long a connection may be idle.
const IDLE: Duration = Duration::from_secs(300);
/// How often the interrupt is looked at.
const PULSE: Duration = Duration::from_millis(100);
/// The longest head of a request.
const HEAD_BYTES: usize = 16 << 10;

/// Answers until the user stops it. Blocks.
pub(super) fn serve(listener: TcpListener, site: Arc<PreviewSite>, interrupt: &CancelToken) -> Result<()> {
    listener.set_nonblocking(true).context("prepare the port")?;
    let runtime = Builder::new_current_thread().enable_io().enable_time().max_blocking_threads(8).build();
    let runtime = runtime.context("start the server")?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).context("prepare the port")?;
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        let mut open: VecDeque<SilentConnection> = VecDeque::new();
        while !interrupt.is_cancelled() {
            // Connections that fail before accept are ignored.
            let Ok(Ok((stream, _))) = timeout(PULSE, listener.accept()).await else { continue };
            open.retain(|connection| !connection.is_over());
            let place = loop {
                if let Ok(place) = places.clone().try_acquire_owned() {
                    break Some(place);
                }
                // Close a connection without a request; its permit is free when its task has ended.
                if let Some(at) = open.iter().position(SilentConnection::is_replaceable)
                    && let Some(connection) = open.remove(at)
                {
                    connection.task.abort();
                }
                match timeout(PULSE, places.clone().acquire_owned()).await {
                    Ok(place) => break place.ok(),
                    Err(_) if interrupt.is_cancelled() => break None,
                    Err(_) => {}
                }
            };
            let Some(place) = place else { continue };
            let _ = stream.set_nodelay(true);
            let mut stream = TimeoutStream::new(stream);
            stream.set_read_timeout(Some(IDLE));
            stream.set_write_timeout(Some(PATIENCE));
            let (site, has_request) = (site.clone(), Arc::new(AtomicBool::new(false)));
            let heard = has_request.clone();
            let task = tokio::spawn(async move {
                let service = service_fn(move |request| {
                    heard.store(true, Ordering::Relaxed);
                    answered(request, site.clone())
                });
                let mut protocol = http1::Builder::new();
                protocol.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(HEAD_BYTES);
                let outcome = protocol.serve_connection(TokioIo::new(Box::pin(stream)), service).await;
                if let Err(error) = outcome {
                    log::debug!("a connection ended: {error}");
                }
                drop(place);
            });
            open.push_back(SilentConnection { task: task.abort_handle(), has_request, since: Instant::now() });
        }
        Ok(())
    })
}

/// A connection before its first request.
struct SilentConnection {
    task: AbortHandle,
    has_request: Arc<AtomicBool>,
    since: Instant,
}

impl SilentConnection {
    /// True after its first request or its end.
    fn is_over(&self) -> bool {
        self.has_request.load(Ordering::Relaxed) || self.task.is_finished()
    }

    /// Without a request, and for long enough that none is on its way.
    fn is_replaceable(&self) -> bool {
        !self.has_request.load(Ordering::Relaxed) && self.since.elapsed() >= GRACE
    }
}

async fn answered(request: Request<Incoming>, site: Arc<PreviewSite>) -> Result<Reply, Infallible> {
    let reply = match admit(&request, &site) {
        Ok(path) => site.answer(&path, request).await,
        Err((status, fault)) => refusal(status, fault),
    };
    Ok(reply)
}

/// What lies behind the token, for who may ask.
fn admit(request: &Request<Incoming>, site: &PreviewSite) -> Result<String, (StatusCode, &'static str)> {
    const NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

    let port = site.address.port();
    let is_own = |name: &str| NAMES.iter().any(|known| name == format!("{known}:{port}"));
    let text = |header| request.headers().get(header).map(|value| value.to_str().unwrap_or_default());
    let forbidden = |fault| Err((StatusCode::FORBIDDEN, fault));
    // Other software may use the second of two host names.
    if request.headers().get_all(HOST).iter().count() != 1 || !text(HOST).is_some_and(is_own) {
        return forbidden("wrong host name");
    }
    if !text(ORIGIN).is_none_or(|origin| origin.strip_prefix("http://").is_some_and(is_own)) {
        return forbidden("request from another site refused");
    }
    // Other sites can send forms and plain text without a preflight request, but not JSON.
    let is_json = |kind: &str| kind.split(';').next().is_some_and(|kind| kind.trim() == "application/json");
    if request.method() == Method::POST && !text(CONTENT_TYPE).is_some_and(is_json) {
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, "only application/json is supported"));
    }
    let path = request.uri().path().strip_prefix('/').and_then(|path| path.strip_prefix(site.token.as_str()));
    path.map(str::to_owned)
        .filter(|path| path.is_empty() || path.starts_with('/'))
        .ok_or((StatusCode::FORBIDDEN, "the address is incomplete; use the one that warpreel printed"))
}
