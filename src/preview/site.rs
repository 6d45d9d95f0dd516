//! Requests behind the token: those about the list and what all clips share are answered here, others by the clip.

use std::net::SocketAddr;
use std::sync::Arc;

use hyper::body::{Bytes, Incoming};
use hyper::header::{HeaderValue, LOCATION};
use hyper::{Method, Request, StatusCode};
use serde::Serialize;
use tokio::task::spawn_blocking;

use super::answer::{Reply, bytes, failure, json, missing, refusal};
use super::list::ClipList;
use super::page;
use super::route::Desk;

/// Everything that is served.
pub(super) struct PreviewSite {
    pub(super) address: SocketAddr,
    pub(super) token: String,
    pub(super) list: ClipList,
}

impl PreviewSite {
    /// Answers a request for a path behind the token: `/NAME` is about the first clip, `/clips/PLACE/NAME` about another.
    pub(super) async fn answer(self: Arc<Self>, path: &str, request: Request<Incoming>) -> Reply {
        let is_read = request.method() == Method::GET;
        if !is_read && request.method() != Method::POST {
            return refusal(StatusCode::METHOD_NOT_ALLOWED, "only GET and POST are supported");
        }
        let (index, rest) = match path.strip_prefix("/clips/").map(|named| named.find('/').map(|at| named.split_at(at)))
        {
            Some(Some((place, rest))) => match self.list.find(place) {
                Some(index) => (index, rest),
                None => return refusal(StatusCode::NOT_FOUND, "the program that runs now does not list this clip"),
            },
            Some(None) => return refusal(StatusCode::NOT_FOUND, "the address of a clip ends with a slash"),
            None if path == "/" && is_read && self.list.is_long() => return moved(&self.list.first_place()),
            None => (self.list.first(), path),
        };
        let name = rest.trim_start_matches('/');
        if is_read {
            match name {
                "" if rest.is_empty() => return refusal(StatusCode::NOT_FOUND, "the address ends with a slash"),
                "" => return bytes("text/html; charset=utf-8", page::INDEX),
                "clips" => return json(&self.list.answer(index)),
                "filters" => return json(&self.list.shared().catalogue),
                "run" => return json(&self.list.shared().errands.answer()),
                _ => {}
            }
            if let Some(file) = name.strip_prefix("page/") {
                return page::file(file).map_or_else(missing, |(kind, text)| bytes(kind, text));
            }
        }
        if !is_read && name == "result" {
            let site = self.clone();
            let listed = spawn_blocking(move || site.result()).await;
            return listed.unwrap_or_else(|_| refusal(StatusCode::INTERNAL_SERVER_ERROR, "the clip failed to open"));
        }
        match self.desk(index).await {
            Ok(desk) => desk.answer(name, request).await,
            Err(reply) => *reply,
        }
    }

    /// Lists the output of the last job, and says where it is. Blocks while it is opened.
    fn result(&self) -> Reply {
        #[derive(Serialize)]
        struct ResultAnswer {
            place: String,
        }
        match self.list.shared().errands.result() {
            Some(output) => json(&ResultAnswer { place: self.list.add(output) }),
            None => refusal(StatusCode::CONFLICT, "no job has written a clip; run the whole clip first"),
        }
    }

    /// The open clip at a place of the list.
    async fn desk(self: &Arc<Self>, index: usize) -> Result<Arc<Desk>, Box<Reply>> {
        if let Some(desk) = self.list.opened(index) {
            return Ok(desk);
        }
        let site = self.clone();
        match spawn_blocking(move || site.list.desk(index)).await {
            Ok(Ok(desk)) => Ok(desk),
            Ok(Err(error)) => Err(Box::new(failure(StatusCode::UNPROCESSABLE_ENTITY, &error))),
            Err(_) => {
                Err(Box::new(refusal(StatusCode::INTERNAL_SERVER_ERROR, "the clip failed to open without a message")))
            }
        }
    }
}

/// Leads to another address, relative to the one that was requested. Browsers keep the state in its fragment.
fn moved(place: &str) -> Reply {
    let mut reply = bytes("text/html; charset=utf-8", Bytes::new());
    *reply.status_mut() = StatusCode::TEMPORARY_REDIRECT;
    match HeaderValue::from_str(&format!("clips/{place}/")) {
        Ok(address) => drop(reply.headers_mut().insert(LOCATION, address)),
        Err(_) => return missing(),
    }
    reply
}
