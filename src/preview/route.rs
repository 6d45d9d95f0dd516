//! Which request is answered by what.

mod body;

use std::sync::Arc;

use anyhow::{Context, Result};
use http_body_util::{BodyExt, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{HeaderName, HeaderValue};
use hyper::{Method, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;

use super::answer::{Reply, bytes, failure, json, missing, refusal, with_status};
use super::catalogue::Catalogue;
use super::chain::ChainReader;
use super::clip::{ClipAnswer, ShapeAnswer};
use super::errand::Errands;
use super::output::{OutputFolder, TypedErrand};
use super::speed::Stopwatch;
use super::still;
use super::studio::{MadeFrames, Occupation, Order, OrderOutcome, Studio, packed};
use super::survey::SurveyBoard;
use super::wording::with_controls;
use crate::filter::unfolded;
use crate::frame::{Format, Frame};
use crate::job::{Request, Usage};
use crate::source::CancelToken;
use body::{Acknowledged, Costs, PassCost, TypedCall, TypedChange, TypedOrder, TypedPicture, TypedText};

/// The longest body of a request.
const BODY_BYTES: usize = 256 << 10;
/// The most bytes of frames in an answer, of which there is one frame at least.
const ANSWER_BYTES: usize = 32 << 20;

/// Maximum bytes of frames in all responses that are being written; further requests wait.
const WRITTEN_BYTES: usize = 256 << 20;
const OVERTAKEN: &str = "replaced by a newer request";

/// An open clip, and everything that its requests are about.
pub(super) struct Desk {
    pub(super) request: Request,
    pub(super) format: Arc<Format>,
    pub(super) chain: ChainReader,
    pub(super) studio: Studio,
    pub(super) survey: SurveyBoard,
    pub(super) folder: OutputFolder,
    pub(super) shared: Arc<SharedParts>,
    /// Ends the background work of this clip alone; `None` if no other clip can take its place.
    pub(super) interrupt: Option<CancelToken>,
}

impl Drop for Desk {
    fn drop(&mut self) {
        if let Some(interrupt) = &self.interrupt {
            interrupt.cancel();
        }
    }
}

/// Parts that all clips share.
pub(super) struct SharedParts {
    pub(super) catalogue: Catalogue,
    pub(super) errands: Errands,
    pub(super) stopwatch: Stopwatch,
    pub(super) allowance: Allowance,
    /// Orders of all clips.
    pub(super) occupation: Occupation,
}

/// Memory limit for responses. A share is acquired before frames are requested, and released when the response is written or
/// its connection closed.
pub(super) struct Allowance(Arc<Semaphore>);

impl Allowance {
    /// All of it.
    pub(super) fn new() -> Self {
        Self(Arc::new(Semaphore::new(WRITTEN_BYTES)))
    }

    /// Acquires a share, at most the whole limit; waits until it is free.
    async fn take(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        let share = u32::try_from(bytes.min(WRITTEN_BYTES)).unwrap_or(u32::MAX);
        self.0.clone().acquire_many_owned(share).await.ok()
    }
}

/// Body of a response with its share of the memory limit.
struct Allowed {
    body: Vec<u8>,
    _share: Option<OwnedSemaphorePermit>,
}

impl AsRef<[u8]> for Allowed {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

impl Desk {
    /// Answers a request about the clip.
    pub(super) async fn answer(self: Arc<Self>, name: &str, request: hyper::Request<Incoming>) -> Reply {
        match (request.method(), name) {
            (&Method::GET, "clip") => {
                let (length, backend) = self.studio.standing();
                let backend = backend.unwrap_or_default();
                json(&ClipAnswer::new(
                    &self.request,
                    &self.format,
                    length,
                    self.chain.first(),
                    self.folder.first(),
                    backend,
                ))
            }
            (&Method::GET, "thumbs") => json(&self.survey.answer()),
            (&Method::GET, name) => self.picture_of(name).unwrap_or_else(missing),
            (_, name) => self.clone().posted(name, request).await,
        }
    }

    /// A thumbnail.
    fn picture_of(&self, name: &str) -> Option<Reply> {
        let number = name.strip_prefix("thumbs/")?;
        let rgb = match number.strip_prefix("key/") {
            Some(index) => self.survey.key_thumbnail(index.parse().ok()?)?,
            None => self.survey.thumbnail(number.parse().ok()?)?,
        };
        Some(bytes("application/octet-stream", rgb))
    }

    async fn posted(self: Arc<Self>, name: &str, request: hyper::Request<Incoming>) -> Reply {
        let name = name.to_owned();
        let body = match Limited::new(request.into_body(), BODY_BYTES).collect().await {
            Ok(body) => body.to_bytes(),
            Err(_) => return refusal(StatusCode::PAYLOAD_TOO_LARGE, "the request is too long"),
        };
        if name == "frames" {
            return match read(&body) {
                Ok(typed) => self.frames(typed).await,
                Err(reply) => *reply,
            };
        }
        if name == "picture" {
            return match read(&body) {
                Ok(typed) => self.picture(typed).await,
                Err(reply) => *reply,
            };
        }
        // Chains may name files, and jobs open them.
        let answered = spawn_blocking(move || self.settled(&name, &body)).await;
        answered.unwrap_or_else(|_| refusal(StatusCode::INTERNAL_SERVER_ERROR, "the answer failed without a message"))
    }

    /// What is answered by a thread that may block.
    fn settled(&self, name: &str, body: &[u8]) -> Reply {
        self.tried(name, body).unwrap_or_else(|reply| *reply)
    }

    fn tried(&self, name: &str, body: &[u8]) -> Result<Reply, Box<Reply>> {
        Ok(match name {
            "chain" => json(&self.chain.read(&read::<TypedText>(body)?.text)),
            "edit" => {
                let TypedChange { text, edit } = read(body)?;
                json(&self.chain.edit(&text, edit))
            }
            "recipe" => match unfolded(&read::<TypedText>(body)?.text) {
                Ok(text) => json(&TypedText { text }),
                Err(error) => refusal(StatusCode::UNPROCESSABLE_ENTITY, &error.message),
            },
            "drawing" => match self.chain.draw(&read::<TypedCall>(body)?.call) {
                Ok(svg) => bytes("image/svg+xml", svg),
                Err(error) => failure(StatusCode::UNPROCESSABLE_ENTITY, &error),
            },
            "run" => {
                let typed = self.errand(body)?;
                let started = self.folder.request(typed).and_then(|request| self.shared.errands.start(request));
                match started {
                    Ok(()) => json(&Acknowledged { ok: true }),
                    Err(error) => refusal(StatusCode::CONFLICT, &with_controls(&format!("{error:#}"))),
                }
            }
            "speed" => {
                let typed = self.errand(body)?;
                let timed = self.folder.request(typed).and_then(|request| self.shared.stopwatch.time(&request));
                match timed {
                    Ok(answer) => json(&answer),
                    Err(error) => refusal(StatusCode::CONFLICT, &with_controls(&format!("{error:#}"))),
                }
            }
            "outlook" => json(&self.folder.outlook(self.errand(body)?)),
            "proposal" => {
                let TypedText { text } = read(body)?;
                if let Err(answer) = self.chain.check(&text) {
                    return Ok(with_status(StatusCode::UNPROCESSABLE_ENTITY, &answer));
                }
                json(&self.folder.propose(&text))
            }
            "stop" => {
                self.shared.errands.stop();
                json(&Acknowledged { ok: true })
            }
            _ => missing(),
        })
    }

    /// Reads a job; its chain must be valid and open only permitted files.
    fn errand(&self, body: &[u8]) -> Result<TypedErrand, Box<Reply>> {
        let typed: TypedErrand = read(body)?;
        match self.chain.check(&typed.chain) {
            Ok(()) => Ok(typed),
            Err(answer) => Err(Box::new(with_status(StatusCode::UNPROCESSABLE_ENTITY, &answer))),
        }
    }

    async fn frames(self: Arc<Self>, typed: TypedOrder) -> Reply {
        let TypedOrder { view, first, count, chain, like, planes } = typed;
        let all = 0..self.format.pixel.planes();
        let planes = planes.unwrap_or_else(|| all.clone().collect());
        if planes.len() > all.len() || planes.iter().any(|plane| !all.contains(plane)) {
            return refusal(StatusCode::BAD_REQUEST, &format!("planes are numbers from 0 to {}", all.len() - 1));
        }
        // The last one checked is remembered: it sets the size of the frames.
        if let Err(reply) = self.clone().checked([&chain, &like].into_iter().flatten()).await {
            return *reply;
        }
        let bytes = self.chain.output().packed_bytes().max(self.format.packed_bytes());
        let most = (ANSWER_BYTES / bytes.max(1)).max(1) as u64;
        let count = count.clamp(1, most);
        let share = self.shared.allowance.take(bytes.saturating_mul(count as usize)).await;
        let order = Order { view, first, count, chain, like };
        match self.studio.order(order).await {
            OrderOutcome::Frames(made) => self.shown(&made, first, &planes, share),
            OrderOutcome::Failed(error) if error.is::<Usage>() => failure(StatusCode::UNPROCESSABLE_ENTITY, &error),
            OrderOutcome::Failed(error) => failure(StatusCode::INTERNAL_SERVER_ERROR, &error),
            OrderOutcome::Overtaken => refusal(StatusCode::CONFLICT, OVERTAKEN),
        }
    }

    /// Checks chains that are not known to be valid.
    async fn checked(self: Arc<Self>, texts: impl Iterator<Item = &String>) -> Result<(), Box<Reply>> {
        for text in texts.filter(|text| !self.chain.has_admitted(text)) {
            let (desk, text) = (self.clone(), text.clone());
            if let Ok(Err(answer)) = spawn_blocking(move || desk.chain.check(&text)).await {
                return Err(Box::new(with_status(StatusCode::UNPROCESSABLE_ENTITY, &answer)));
            }
        }
        Ok(())
    }

    /// A frame before and after, as one PNG.
    async fn picture(self: Arc<Self>, typed: TypedPicture) -> Reply {
        let TypedPicture { view, number, chain, against, edge } = typed;
        if let Err(reply) = self.clone().checked(against.iter().chain([&chain])).await {
            return *reply;
        }
        let order = |view: String, chain: Option<String>, like: Option<String>| {
            self.studio.order(Order { view, first: number, count: 1, chain, like })
        };
        // Without columns of the original, only the filtered frame is needed.
        let after = order(format!("{view} after"), Some(chain.clone()), None);
        let before = (edge > 0).then(|| order(format!("{view} before"), against, Some(chain)));
        let mut frames = Vec::new();
        for ordered in [Some(after), before].into_iter().flatten() {
            let made = match ordered.await {
                OrderOutcome::Frames(made) => made,
                OrderOutcome::Failed(error) => return failure(StatusCode::INTERNAL_SERVER_ERROR, &error),
                OrderOutcome::Overtaken => return refusal(StatusCode::CONFLICT, OVERTAKEN),
            };
            frames.extend(made.scrubbed.frames);
        }
        let drawn = spawn_blocking(move || {
            let mut frames = frames.into_iter().map(still::upright);
            let after = frames.next().context("there is no such frame")??;
            still::png(match frames.next() {
                Some(before) => still::split(&before?, &after, edge)?,
                None => after,
            })
        });
        match drawn.await {
            Ok(Ok(png)) => bytes("image/png", png),
            Ok(Err(error)) => failure(StatusCode::INTERNAL_SERVER_ERROR, &error),
            Err(_) => refusal(StatusCode::INTERNAL_SERVER_ERROR, "the picture failed without a message"),
        }
    }

    fn shown(&self, made: &MadeFrames, first: u64, planes: &[usize], share: Option<OwnedSemaphorePermit>) -> Reply {
        let MadeFrames { scrubbed, ms } = made;
        let Some(shown) = scrubbed.frames.first() else {
            #[derive(Serialize)]
            struct Beyond {
                error: String,
                frames: Option<u64>,
            }
            let frames = self.studio.standing().0.frames;
            let error = format!("the clip has no frame {first}");
            return with_status(StatusCode::RANGE_NOT_SATISFIABLE, &Beyond { error, frames });
        };
        let count = scrubbed.frames.len();
        let each = |total: f64| total / count as f64;
        let passes = scrubbed.costs.iter().map(|(name, ms)| PassCost { name: name.clone(), ms: each(*ms) });
        let passes: Vec<PassCost> = passes.collect();
        let seconds = (shown.timing.pts + shown.timing.offset) as f64 * self.format.time_base.value().unwrap_or(0.0);
        let costs = Costs {
            passes,
            ms: each(*ms),
            time: seconds,
            shape: ShapeAnswer::of(&still::shown(shown.format())),
            finding: scrubbed.finding.clone(),
            remark: scrubbed.remark.clone(),
            provisional: scrubbed.is_provisional,
        };
        // The page shows frames after rotation.
        let frames: Result<Vec<Frame>> = scrubbed.frames.iter().cloned().map(still::upright).collect();
        let body = match frames.and_then(|frames| packed(&frames, planes)) {
            Ok(body) => body,
            Err(error) => return failure(StatusCode::INTERNAL_SERVER_ERROR, &error),
        };
        let mut reply = bytes("application/octet-stream", Bytes::from_owner(Allowed { body, _share: share }));
        reply.headers_mut().insert(HeaderName::from_static("x-frames"), HeaderValue::from(count));
        // Names of filters may hold anything; a header holds ASCII.
        let costs = serde_json::to_string(&costs).unwrap_or_default();
        let ascii: String = costs.chars().flat_map(escaped).collect();
        if let Ok(costs) = HeaderValue::from_str(&ascii) {
            reply.headers_mut().insert(HeaderName::from_static("x-costs"), costs);
        }
        reply
    }
}

/// A character of JSON in ASCII.
fn escaped(char: char) -> Vec<char> {
    if char.is_ascii() {
        return vec![char];
    }
    let mut units = [0; 2];
    let units = char.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}"));
    units.collect::<String>().chars().collect()
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Box<Reply>> {
    serde_json::from_slice(body).map_err(|error| Box::new(refusal(StatusCode::BAD_REQUEST, &format!("{error}"))))
}
