//! What is wanted: the [`FILTERS`] table, the [`parse`]r of chains, weights, kernels from files, and pictures of them.
//!
//! A filter knows no GPU and a pass knows no filter's name. A [`Filter`] answers one question: what it wants of one
//! plane ([`Filter::wanted`]), as taps in `f64`. The plan makes passes of that.
//!
//! What holds for every filter:
//! - Lengths (sigma, radius, …) are luma pixels, and shrink with the subsampling of chroma, along each axis.
//! - Kernels whose taps do not sum to 1 treat chroma as centred on mid-grey, so that no colour stays no colour;
//!   offsets and levels, which are brightness, leave chroma alone. `convolution` gives FFmpeg's bytes instead.
//! - Offsets and levels are fractions of full scale, so that all depths agree; parameters that FFmpeg's filter of the
//!   same name has keep FFmpeg's units.
//! - A filter says beside its taps on which frames it acts ([`Filter::enable`]), and how much of its result is wanted
//!   where ([`Filter::roi`], [`Filter::mask`], [`Wanted::mix`]); no taps depend on that.

mod adopted;
mod advice;
mod answered;
mod caution;
mod chain;
mod change;
mod choice;
mod clip;
mod colour;
mod companion;
mod condition;
mod cookbook;
mod cube;
mod curve;
mod drawing;
mod edit;
mod elsewhere;
mod expression;
mod fields;
mod geometry;
mod knots;
mod listing;
mod mask;
mod matrix;
mod misfit;
mod moving;
mod number;
mod parameter;
mod phrase;
mod pick;
mod picture;
mod purpose;
mod rate;
mod recipe;
mod reference;
mod region;
mod reshape;
mod settled;
mod slip;
mod spec;
mod steady;
mod stencil;
mod strength;
mod syntax;
mod table;
mod task;
mod trajectory;
mod value;
mod want;
mod weight;

mod any;
mod deinterlace;
mod denoise;
mod edge;
mod layer;
mod point;
mod rank;
mod shape;
mod sharpen;
mod smooth;
mod time;

pub use adopted::{Adopted, adopt};
pub use answered::find_by_purpose;
pub use chain::{Filter, Wanted, files, parse};
pub use change::Change;
pub use choice::{Defaults, Edge, Planes, letter};
pub use colour::FillColour;
pub use condition::{Condition, Watch, margin as condition_margin};
pub use cookbook::{NamedRecipe, RECIPES};
pub use cube::{CubeFile, ToneFile};
pub use curve::{Curve, Tone};
pub use drawing::{Response, draw};
pub use edit::{ArgumentPlace, CallPlace, Edit, edited, expanded, places, unfolded};
pub use elsewhere::{ffmpeg_first, names_elsewhere, with_mov_text};
pub use expression::Formula;
pub use listing::{describe, list};
pub use mask::Mask;
pub use misfit::Misfit;
pub use parameter::{AcceptedNumbers, Kind, Parameter, Preset, Strength};
pub use pick::Pick;
pub use picture::StillPicture;
pub use purpose::{Purpose, no_purpose, purposes};
pub use rate::{RateBlend, RateChange, Rounding};
pub use reference::markdown;
pub use region::Region;
pub(crate) use shape::scale::rescaled;
pub use spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
pub use steady::{Mean, Steady};
pub use stencil::{Matrix, Row, Shape, Stencil};
pub use syntax::{ChainOrigin, SyntaxError};
pub use table::{FILTERS, find, nearest};
pub use trajectory::{Trajectory, TrajectoryWatch};
pub use value::{Value, Values, time_border};
pub use want::Want;
