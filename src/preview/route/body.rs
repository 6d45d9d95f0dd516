//! Bodies of requests and of answers, as JSON.

use serde::{Deserialize, Serialize};

use super::super::chain::TypedEdit;
use super::super::clip::ShapeAnswer;

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TypedText {
    pub(super) text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TypedChange {
    pub(super) text: String,
    pub(super) edit: TypedEdit,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TypedCall {
    pub(super) call: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TypedOrder {
    pub(super) view: String,
    pub(super) first: u64,
    pub(super) count: u64,
    pub(super) chain: Option<String>,
    /// The chain to whose frames they are scaled.
    pub(super) like: Option<String>,
    /// The planes of each frame, in the order in which they are wanted; all unless given.
    pub(super) planes: Option<Vec<usize>>,
}

/// A picture that is saved.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TypedPicture {
    pub(super) view: String,
    pub(super) number: u64,
    pub(super) chain: String,
    /// Chain of the columns before it; default: the original.
    pub(super) against: Option<String>,
    /// First column that shows the filtered frame.
    pub(super) edge: usize,
}

#[derive(Serialize)]
pub(super) struct Acknowledged {
    pub(super) ok: bool,
}

/// A pass, and what it took for a frame.
#[derive(Serialize)]
pub(super) struct PassCost {
    pub(super) name: String,
    pub(super) ms: f64,
}

/// Times of frames.
#[derive(Serialize)]
pub(super) struct Costs {
    pub(super) passes: Vec<PassCost>,
    /// From the order to the frames.
    pub(super) ms: f64,
    /// When the first frame is shown, in seconds.
    pub(super) time: f64,
    /// Format of the frames.
    pub(super) shape: ShapeAnswer,
    /// Measurement that suggests a filter for the clip.
    pub(super) finding: Option<String>,
    /// Remark on a typed strength that is far from the noise.
    pub(super) remark: Option<String>,
    /// True if a strength is that of an earlier shot, because the clip is not measured up to here.
    pub(super) provisional: bool,
}
