//! Which request is answered by what.

use std::net::SocketAddr;
use std::sync::Arc;

use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::header::{HeaderName, HeaderValue};
use hyper::{Method, StatusCode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;

use super::answer::{Reply, bytes, failure, json, refusal, with_status};
use super::catalogue::Catalogue;
use super::chain::{ChainReader, TypedEdit};
use super::clip::{ClipAnswer, ShapeAnswer};
use super::errand::{Errands, TypedErrand};
use super::page;
use super::studio::{MadeFrames, Order, OrderOutcome, Studio, packed};
use super::survey::SurveyBoard;
use crate::frame::Format;
use crate::job::{Request, Usage};

/// The longest body of a request.
const BODY_BYTES: usize = 256 << 10;
/// The most bytes of frames in an answer, of which there is one frame at least.
const ANSWER_BYTES: usize = 32 << 20;

/// Everything that requests are about.
pub(super) struct Desk {
    pub(super) request: Request,
    pub(super) format: Arc<Format>,
    pub(super) token: String,
    pub(super) address: SocketAddr,
    pub(super) catalogue: Catalogue,
    pub(super) chain: ChainReader,
    pub(super) studio: Studio,
    pub(super) survey: SurveyBoard,
    pub(super) errands: Errands,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TypedText {
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TypedChange {
    text: String,
    edit: TypedEdit,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TypedCall {
    call: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TypedOrder {
    view: String,
    first: u64,
    count: u64,
    chain: Option<String>,
    /// Where there is no chain, the one to whose frames they are scaled.
    like: Option<String>,
    /// The planes of each frame, in the order in which they are wanted; all unless given.
    planes: Option<Vec<usize>>,
}

#[derive(Serialize)]
struct Acknowledged {
    ok: bool,
}

/// A pass, and what it took for a frame.
#[derive(Serialize)]
struct PassCost {
    name: String,
    ms: f64,
}

/// What frames took, each.
#[derive(Serialize)]
struct Costs {
    passes: Vec<PassCost>,
    /// From the order to the frames.
    ms: f64,
    /// What the passes alone would reach, where they ran.
    fps: Option<f64>,
    /// When the first frame is shown, in seconds.
    time: f64,
    /// What the frames are.
    shape: ShapeAnswer,
    /// What was measured for a filter that suits the clip.
    finding: Option<String>,
    /// Remark on a typed strength that is far from the noise.
    remark: Option<String>,
}

impl Desk {
    /// Answers a request for a path behind the token.
    pub(super) async fn answer(self: Arc<Self>, path: &str, request: hyper::Request<Incoming>) -> Reply {
        match (request.method(), path.trim_start_matches('/')) {
            (&Method::GET, "") if path.is_empty() => refusal(StatusCode::NOT_FOUND, "the address ends with a slash"),
            (&Method::GET, "") => bytes("text/html; charset=utf-8", page::INDEX),
            (&Method::GET, "clip") => {
                let (length, backend) = self.studio.standing();
                let backend = backend.unwrap_or_default();
                json(&ClipAnswer::new(&self.request, &self.format, length, self.chain.first(), backend))
            }
            (&Method::GET, "filters") => json(&self.catalogue),
            (&Method::GET, "thumbs") => json(&self.survey.answer()),
            (&Method::GET, "run") => json(&self.errands.answer()),
            (&Method::GET, name) => self.file(name),
            (&Method::POST, name) => self.clone().posted(name, request).await,
            _ => refusal(StatusCode::METHOD_NOT_ALLOWED, "only GET and POST are supported"),
        }
    }

    fn file(&self, name: &str) -> Reply {
        let missing = || refusal(StatusCode::NOT_FOUND, "there is no such page");
        if let Some(number) = name.strip_prefix("thumbs/") {
            let thumbnail = number.parse().ok().and_then(|number| self.survey.thumbnail(number));
            return thumbnail.map_or_else(missing, |rgb| bytes("application/octet-stream", rgb));
        }
        let file = name.strip_prefix("page/").and_then(page::file);
        file.map_or_else(missing, |(kind, text)| bytes(kind, text))
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
            "drawing" => match self.chain.draw(&read::<TypedCall>(body)?.call) {
                Ok(svg) => bytes("image/svg+xml", svg),
                Err(error) => failure(StatusCode::UNPROCESSABLE_ENTITY, &error),
            },
            "run" => {
                let typed: TypedErrand = read(body)?;
                if let Err(answer) = self.chain.check(&typed.chain) {
                    return Ok(with_status(StatusCode::UNPROCESSABLE_ENTITY, &answer));
                }
                match self.errands.start(typed) {
                    Ok(()) => json(&Acknowledged { ok: true }),
                    Err(error) => failure(StatusCode::CONFLICT, &error),
                }
            }
            "stop" => {
                self.errands.stop();
                json(&Acknowledged { ok: true })
            }
            _ => refusal(StatusCode::NOT_FOUND, "there is no such page"),
        })
    }

    async fn frames(self: Arc<Self>, typed: TypedOrder) -> Reply {
        let TypedOrder { view, first, count, chain, like, planes } = typed;
        let all = 0..self.format.pixel.planes();
        let planes = planes.unwrap_or_else(|| all.clone().collect());
        if planes.len() > all.len() || planes.iter().any(|plane| !all.contains(plane)) {
            return refusal(StatusCode::BAD_REQUEST, &format!("planes are numbers from 0 to {}", all.len() - 1));
        }
        if let Some(text) = chain.clone().or_else(|| like.clone()).filter(|text| !self.chain.has_admitted(text)) {
            let desk = self.clone();
            let checked = spawn_blocking(move || desk.chain.check(&text)).await;
            if let Ok(Err(answer)) = checked {
                return with_status(StatusCode::UNPROCESSABLE_ENTITY, &answer);
            }
        }
        let bytes = self.chain.output().packed_bytes().max(self.format.packed_bytes());
        let most = (ANSWER_BYTES / bytes.max(1)).max(1) as u64;
        let order = Order { view, first, count: count.clamp(1, most), chain, like };
        match self.studio.order(order).await {
            Ok(OrderOutcome::Frames(made)) => self.shown(&made, first, &planes),
            Ok(OrderOutcome::Failed(error)) if error.is::<Usage>() => failure(StatusCode::UNPROCESSABLE_ENTITY, &error),
            Ok(OrderOutcome::Failed(error)) => failure(StatusCode::INTERNAL_SERVER_ERROR, &error),
            Ok(OrderOutcome::Overtaken) | Err(_) => refusal(StatusCode::CONFLICT, "replaced by a newer request"),
        }
    }

    fn shown(&self, made: &MadeFrames, first: u64, planes: &[usize]) -> Reply {
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
        let total: f64 = passes.iter().map(|pass| pass.ms).sum();
        let seconds = (shown.timing.pts + shown.timing.offset) as f64 * self.format.time_base.value().unwrap_or(0.0);
        let costs = Costs {
            fps: (total > 0.0).then(|| 1e3 / total),
            passes,
            ms: each(*ms),
            time: seconds,
            shape: ShapeAnswer::of(shown.format()),
            finding: scrubbed.finding.clone(),
            remark: scrubbed.remark.clone(),
        };
        let body = match packed(&scrubbed.frames, planes) {
            Ok(body) => body,
            Err(error) => return failure(StatusCode::INTERNAL_SERVER_ERROR, &error),
        };
        let mut reply = bytes("application/octet-stream", body);
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
