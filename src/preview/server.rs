//! Connections: how many, how long, and who may call.

use std::convert::Infallible;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result};
use hyper::body::Incoming;
use hyper::header::{HOST, ORIGIN};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::runtime::Builder;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_io_timeout::TimeoutStream;

use super::answer::{Reply, refusal};
use super::route::Desk;
use crate::source::Interrupt;

/// Connections at a time; others wait. A browser opens six.
const CONNECTIONS: usize = 128;
/// How long a client may take for the head of a request, and to take up a piece of the answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long a connection may be idle.
const IDLE: Duration = Duration::from_secs(300);
/// How often the interrupt is looked at.
const PULSE: Duration = Duration::from_millis(100);
/// The longest head of a request.
const HEAD_BYTES: usize = 16 << 10;

/// Answers until the user stops it. Blocks.
pub(super) fn serve(listener: TcpListener, desk: Arc<Desk>, interrupt: &Interrupt) -> Result<()> {
    listener.set_nonblocking(true).context("prepare the port")?;
    let runtime = Builder::new_current_thread().enable_io().enable_time().max_blocking_threads(8).build();
    let runtime = runtime.context("start the server")?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).context("prepare the port")?;
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        while !interrupt.load(Ordering::Relaxed) {
            let Ok(Ok(place)) = timeout(PULSE, places.clone().acquire_owned()).await else { continue };
            // A connection that failed before it was taken is nobody's loss, nor is one for which there is no room.
            let Ok(Ok((stream, _))) = timeout(PULSE, listener.accept()).await else { continue };
            let _ = stream.set_nodelay(true);
            let mut stream = TimeoutStream::new(stream);
            stream.set_read_timeout(Some(IDLE));
            stream.set_write_timeout(Some(PATIENCE));
            let desk = desk.clone();
            tokio::spawn(async move {
                let service = service_fn(move |request| answered(request, desk.clone()));
                let mut protocol = http1::Builder::new();
                protocol.timer(TokioTimer::new()).header_read_timeout(IDLE).max_buf_size(HEAD_BYTES);
                let outcome = protocol.serve_connection(TokioIo::new(Box::pin(stream)), service).await;
                if let Err(error) = outcome {
                    log::debug!("a connection ended: {error}");
                }
                drop(place);
            });
        }
        Ok(())
    })
}

async fn answered(request: Request<Incoming>, desk: Arc<Desk>) -> Result<Reply, Infallible> {
    let reply = match admit(&request, &desk) {
        Ok(path) => desk.answer(&path, request).await,
        Err(fault) => refusal(StatusCode::FORBIDDEN, fault),
    };
    Ok(reply)
}

/// What lies behind the token, for who may ask.
fn admit(request: &Request<Incoming>, desk: &Desk) -> Result<String, &'static str> {
    const NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

    let port = desk.address.port();
    let is_own = |name: &str| NAMES.iter().any(|known| name == format!("{known}:{port}"));
    let text = |header| request.headers().get(header).map(|value| value.to_str().unwrap_or_default());
    if !text(HOST).is_some_and(is_own) {
        return Err("wrong host name");
    }
    if !text(ORIGIN).is_none_or(|origin| origin.strip_prefix("http://").is_some_and(is_own)) {
        return Err("request from another site refused");
    }
    let path = request.uri().path().strip_prefix('/').and_then(|path| path.strip_prefix(desk.token.as_str()));
    path.map(str::to_owned)
        .filter(|path| path.is_empty() || path.starts_with('/'))
        .ok_or("the address is incomplete; use the one that warpreel printed")
}
