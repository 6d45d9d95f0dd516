//! What can be done: a [`Pass`] turns a window of frames into one frame, each plane by an [`Op`] of its own.
//!
//! This is plain data. The plan makes it, every backend executes it, and the arithmetic that all of them keep, so that
//! the bytes are the same, is written here:
//!
//! - Taps are applied as correlation: the tap at index `i` meets the sample at `x + i − anchor`.
//! - [`Arithmetic::Integer`]: the sum is exact in `i32`, in any order, then converted to `f32` (to nearest, ties to even).
//! - [`Arithmetic::Real`]: the sum is `f32`, one fused multiply-add a tap, starting at +0, ascending in t, then y, then x.
//! - [`Separable`] runs t, then x, then y; what stands between is unrounded (`i32` or `f32`).
//! - The last step is [`Finish`], each operation rounded to `f32`.
//! - What [`PlaneOp::after`] says becomes of the finished sample, which is rounded as one of the format.
//! - A frame beyond the clip's ends that [`TimeBorder`] makes neutral is neutral inside the plane. Outside the plane
//!   [`Border::Constant`] holds in every frame, also in that one.
//! - An op sees its own plane, a second one where it names a [`Guide`], and all planes of colour where it couples them
//!   ([`Operation::couples`]).

mod affine;
mod arithmetic;
mod border;
pub mod check;
mod companion;
mod correction;
mod cost;
mod decimate;
mod finish;
mod guide;
mod operation;
mod place;
mod power;
mod reach;
mod scan;
mod survey;
mod tap;
mod tone;

use std::sync::Arc;

use crate::frame::{BlockField, Format, Pixel, Sample};

pub use affine::Affine;
pub use arithmetic::{Arithmetic, Sums};
pub use bm3d::Shrink;
pub use border::{Border, TimeBorder};
pub use boxes::{BoxStep, BoxSteps};
pub use colorspace::{ColourPath, ColourSteps};
pub use companion::{ClipFit, ClipOpener, ClipShape, Clips, CompanionClip, PastEnd, PlacedClip};
pub use compose::{ComposeMode, ComposePartner};
pub use correction::{Correction, Stabilized, WarpEdge};
pub use cost::Operations;
pub use decimate::{Decimation, FrameChange};
pub use degrain::{BlockGrid, VectorPart};
pub use dense::Combine;
pub use fieldmatch::{CombSearch, FieldPair, MatchChoice, MatchMode};
pub use finish::Finish;
pub use grade::{ColourMap, ColourMatrix, Lattice, LatticeMode, ToneCurves, Vibrance};
pub use guide::Guide;
pub use mix::MixSums;
pub use nlmeans::{GuideSteps, Shown};
pub use operation::Operation;
pub use overlay::{ClipOpacity, OverlayBase, OverlayClip, OverlaySamples};
pub use place::{OverlayMotion, OverlayPart, OverlayPlace};
pub use pointwise::{PointStep, power};
pub use reach::Reach;
pub use remap::Course;
pub use requantize::{BayerMatrix, Dither};
pub use resample::Phases;
pub use scan::{Deinterlacing, FieldTask, ONE_FOR_ONE, Parity, Scan, Weave, beside};
pub use survey::{Answers, Questions};
pub use tap::{Kernel, Taps};
pub use tone::{LogTable, SystemGamma, ToneSteps, Weights3};
pub use warp::{Interpolation, Placement, Projective};

/// The list of all operations, and the only one: for each the stem of its files, its type, and what it does. Adding one
/// to it declares its modules here, in the CPU stage and among the programs for GPUs, and asks them where it is met:
/// `operations!(each)` calls the macro `each`, a name or a path, with the whole list.
#[doc(hidden)]
#[macro_export]
macro_rules! operations {
    ($($each:tt)+) => {
        $($each)+! {
            separable Separable "Along one axis after another."
            dense Dense "All taps at once."
            pointwise Pointwise "Each sample by itself."
            rank Rank "One sample of the neighbourhood, by its rank."
            cas Cas "Sharpening that is the weaker the more contrast there is."
            blend Blend "Two frames blended; shares its pass with copies only."
            overlay Overlay "A still picture, or another clip, over a part of the plane."
            gain Gain "Each sample times a number, set for each frame when the pass runs."
            crossfade Crossfade "A frame on its way to the next, with a weight that is set for each frame when the pass runs."
            compose Compose "Each frame composed with the one before, or with that of another clip, sample by sample."
            boxes Boxes "Sums over boxes, one after another."
            nlmeans Nlmeans "Non-local means: an average of samples with similar neighbourhoods."
            atadenoise Atadenoise "A mean over time, over the samples that stay similar."
            bilateral Bilateral "A mean over the neighbourhood, weighted by distance and difference."
            degrain Degrain "A mean along motion, over similar blocks of other frames."
            bm3d Bm3d "Block matching: similar blocks filtered together."
            deband Deband "Steps of smooth areas made smooth by means of samples around, at random."
            deblock Deblock "Steps at the edges of blocks made smaller."
            grain Grain "Noise added to each sample, another one in each frame."
            remap Remap "Samples at other places: cropped, padded, mirrored, transposed."
            resample Resample "Another size: sums by weights that follow the place of each sample."
            requantize Requantize "Samples of another depth, sample type or range."
            warp Warp "Samples between samples: pictures turned by any angle, or seen in perspective."
            grade Grade "Colours mapped to colours, all planes of colour together."
            mix Mix "Sums over the planes of a pixel: each colour made of all colours at its place."
            colorspace Colorspace "Luma and chroma of another matrix, range, depth, other primaries or another transfer."
            bwdif Bwdif "Deinterlacing: weights of three fields, within the change over time."
            yadif Yadif "Deinterlacing: along edges, within the change over time."
            w3fdif W3fdif "Deinterlacing: weights of three fields."
            fieldmatch Fieldmatch "Fields of the same picture put together again, as whoever runs the pass chooses."
        }
    };
}
pub use crate::operations;

/// For [`operations`]: a module of each operation's stem.
#[doc(hidden)]
#[macro_export]
macro_rules! modules {
    ($($stem:ident $Op:ident $about:literal)*) => { $(mod $stem;)* };
}
pub use crate::modules;

/// For [`operations`]: what is done to one plane, and whom to ask about it.
macro_rules! declare {
    ($($stem:ident $Op:ident $about:literal)*) => {
        $(pub use $stem::$Op;)*

        /// What is done to one plane.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Op {
            /// The samples of the centre frame, untouched.
            Copy,
            $(#[doc = $about] $Op($Op),)*
        }

        impl Op {
            /// What is known of it.
            pub fn facts(&self) -> &dyn Operation {
                match self {
                    Self::Copy => &operation::Untouched,
                    $(Self::$Op(op) => op,)*
                }
            }

            /// The same, to be changed; `None` for a copy, of which there is nothing to change.
            pub fn facts_mut(&mut self) -> Option<&mut dyn Operation> {
                match self {
                    Self::Copy => None,
                    $(Self::$Op(op) => Some(op),)*
                }
            }
        }
    };
}

operations!(modules);
operations!(declare);

impl Op {
    /// The last step, of ops that have one.
    pub fn finish_mut(&mut self) -> Option<&mut Finish> {
        self.facts_mut()?.finish_mut()
    }

    /// What is done in a pass of its own right before, of an op that makes one frame of what that gives and of what went
    /// into it.
    pub fn before(&self) -> Option<Op> {
        match self {
            Self::Bm3d(op) => op.first().map(Op::Bm3d),
            _ => None,
        }
    }

    /// Under which name the motion that it looks for goes along with the frame.
    pub fn told(&self) -> Option<Arc<str>> {
        match self {
            Self::Degrain(op) => op.told.clone().filter(|_| op.follows.is_none()),
            _ => None,
        }
    }

    /// How many frames it needs before and after the centre.
    pub fn reach_t(&self) -> usize {
        self.facts().reach().frames()
    }
}

/// What is done to one plane, and then to each sample of the result.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaneOp {
    /// What is done to the plane.
    pub op: Op,
    /// What becomes of each finished sample, as if in a pass of its own. `None` beside ops that have no last step: of
    /// [`Op::Copy`] and [`Op::Pointwise`] it would make another [`Op::Pointwise`].
    pub after: Option<Pointwise>,
}

impl PlaneOp {
    /// What no implementation can leave out for a plane of so many samples.
    pub fn least(&self, sample: Sample, samples: u64) -> Operations {
        let after = self.after.as_ref().map(|points| points.least(sample, samples));
        after.into_iter().chain([self.op.facts().least(sample, samples)]).sum()
    }
}

impl From<Op> for PlaneOp {
    fn from(op: Op) -> Self {
        Self { op, after: None }
    }
}

/// One or more filters, or a step of one, as machines execute them: a window of frames in, one frame out, of the same
/// format unless the pass has a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Pass {
    /// What the user called it, for messages and statistics: `gaussian=sigma=2`, `gaussian=sigma=2 + invert`.
    pub name: String,
    /// What is done to each plane.
    pub planes: Vec<PlaneOp>,
    /// Before the first frame and after the last.
    pub border_t: TimeBorder,
    /// The format of the frames that it makes; `None` for that of the frames that go in.
    pub target: Option<Arc<Format>>,
    /// How it drops frames, if it does: then it gives the others as they are, and changes no plane.
    pub decimation: Option<Decimation>,
    /// The clip that its second images are of, if it reads another one; `None` where they are of its own clip.
    pub companion: Option<CompanionClip>,
}

impl Pass {
    /// Ops with nothing after them, on frames that stay of their format.
    pub fn new(name: impl Into<String>, ops: Vec<Op>, border_t: TimeBorder) -> Self {
        let planes = ops.into_iter().map(PlaneOp::from).collect();
        Self { name: name.into(), planes, border_t, target: None, decimation: None, companion: None }
    }

    /// The same, giving frames of another format.
    #[must_use]
    pub fn into_format(self, target: Arc<Format>) -> Self {
        Self { target: Some(target), ..self }
    }

    /// The same of one of the two fields of frames, which are half as high. Its ops do not change the size of frames.
    #[must_use]
    pub fn of_field(&self) -> Self {
        let field = |target: &Arc<Format>| Arc::new(Format { height: target.height / 2, ..Format::clone(target) });
        Self { target: self.target.as_ref().map(field), ..self.clone() }
    }

    /// The same, dropping frames.
    #[must_use]
    pub fn decimating(self, decimation: Decimation) -> Self {
        Self { decimation: Some(decimation), ..self }
    }

    /// The same, reading its second images from another clip.
    #[must_use]
    pub fn beside(self, companion: CompanionClip) -> Self {
        Self { companion: Some(companion), ..self }
    }

    /// The format of the frames that it makes of those of another.
    pub fn output(&self, input: &Arc<Format>) -> Arc<Format> {
        self.target.as_ref().unwrap_or(input).clone()
    }

    /// The op of each plane.
    pub fn ops(&self) -> impl Iterator<Item = &Op> {
        self.planes.iter().map(|plane| &plane.op)
    }

    /// Whether it would give the frame in the middle as it is, of which these facts are known: frames that need no
    /// deinterlacing.
    pub fn keeps(&self, scan: &Scan) -> bool {
        let keeps =
            |op: &Op| *op == Op::Copy || op.facts().deinterlacing().is_some_and(|fields| fields.task(scan).is_none());
        self.planes.iter().all(|plane| keeps(&plane.op) && plane.after.is_none())
    }

    /// Whether it makes a frame of each field: two of one frame, unless it keeps that ([`Pass::keeps`]).
    pub fn splits_fields(&self) -> bool {
        self.ops().any(|op| op.facts().deinterlacing().is_some_and(|fields| fields.both))
    }

    /// What says which fields its frames are made of, if it matches fields; all planes that it changes have the same.
    pub fn matching(&self) -> Option<&Fieldmatch> {
        self.ops().find_map(|op| match op {
            Op::Fieldmatch(op) => Some(op),
            _ => None,
        })
    }

    /// How many frames the window holds on either side of the centre.
    pub fn reach(&self) -> usize {
        let reach = self.ops().map(Op::reach_t).max().unwrap_or(0);
        // Frames are compared with the one before.
        reach.max(usize::from(self.decimation.is_some()))
    }

    /// Whether it makes one frame of two, or of two windows.
    pub fn is_blend(&self) -> bool {
        self.ops().any(|op| op.facts().second_input())
    }

    /// The format of the second images of a pass on frames of `input`.
    pub fn second_format(&self, input: &Arc<Format>) -> Arc<Format> {
        let own = self.ops().find_map(|op| op.facts().second_format());
        own.unwrap_or(input).clone()
    }

    /// How many frames its window has; the centre is in the middle.
    pub fn window(&self) -> usize {
        self.reach().saturating_mul(2).saturating_add(1)
    }

    /// How many images it looks at: those of the window, and before each of them the second one of a blend. The centre is at
    /// place `images / 2`.
    pub fn images(&self) -> usize {
        self.window().saturating_mul(if self.is_blend() { 2 } else { 1 })
    }

    /// Of a plane whose op couples planes, the first of those with the same op, of its size or of any where the op joins sizes:
    /// they can be made together.
    pub fn lead(&self, pixel: Pixel, plane: usize) -> usize {
        let is_same = |other: &usize| {
            let op = &self.planes[plane].op;
            let fits = op.facts().joins_sizes() || pixel.subsampling(*other) == pixel.subsampling(plane);
            fits && self.planes[*other].op == *op
        };
        (0..plane).find(is_same).unwrap_or(plane)
    }

    /// The motion that it tells of: its name, the blocks of each plane of which it does, and the places of the frames in the
    /// window in which they are looked for.
    pub fn told(&self, format: &Format) -> Option<(Arc<str>, Vec<BlockField>, Vec<usize>)> {
        let name = self.ops().find_map(Op::told)?;
        let (mut planes, mut frames) = (Vec::new(), 0);
        for (plane, op) in self.ops().enumerate() {
            if let (Op::Degrain(op), Some(_)) = (op, op.told()) {
                planes.push(op.blocks(format, plane));
                frames = op.frames;
            }
        }
        let middle = self.window() / 2;
        let places = (middle - frames..=middle + frames).filter(|place| *place != middle);
        Some((name, planes, places.collect()))
    }

    /// Whether the pass says how each plane of what it makes of the format comes about.
    pub fn fits(&self, format: &Format) -> bool {
        self.planes.len() == self.target.as_deref().unwrap_or(format).pixel.planes()
    }
}

/// The formats of the frames that go into each of some passes, of which the first takes those of `format`, and behind them
/// that of the frames that come out of the last.
pub fn formats<'a>(passes: impl IntoIterator<Item = &'a Pass>, format: &Arc<Format>) -> Vec<Arc<Format>> {
    let mut formats = vec![format.clone()];
    for (index, pass) in passes.into_iter().enumerate() {
        formats.push(pass.output(&formats[index]));
    }
    formats
}
