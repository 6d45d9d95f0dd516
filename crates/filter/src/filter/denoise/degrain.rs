//! Means along motion, with the words of MVTools.

use anyhow::Result;

use super::super::parameter::{Kind, Parameter, Preset, Strength};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::strength::{Noise, times};
use super::super::value::{Value, Values};
use super::super::want::Want;
use crate::frame::{Family, Sample};
use crate::pass::{Border, Degrain, Finish, Guide, Op, VectorPart};

/// The largest sum of absolute differences of a block of 8 × 8 bytes.
const MOST: f64 = 64.0 * 255.0;
/// The limit at which there is none.
const NO_LIMIT: f64 = 255.0;

/// MVTools' difference above which a block has changed.
const CHANGED: f64 = 400.0;

/// The unit of what is compared with sums of absolute differences.
const SUM: &str = "sum over 8x8 samples of 8 bits";

pub(in super::super) const SPEC: Spec = Spec {
    name: "degrain",
    elsewhere: &[
        "mdegrain",
        "temporaldegrain",
        "MDegrain",
        "MDegrain1",
        "MDegrain2",
        "MDegrain3",
        "MVDegrain",
        "SMDegrain",
        "TemporalDegrain",
    ],
    group: Group::Denoise,
    summary: "motion-compensated temporal averaging, with MDegrain's weights",
    description: "Searches each block of a frame in the frames before and after, by the sum of absolute differences S \
                  of samples scaled to 8 bits, and averages the matches, each weighted by (T^2 - S^2)/(T^2 + S^2), \
                  where T is thsad, and 0 from T on, like MVTools' MDegrain. Blocks overlap by half. The search runs \
                  over samples of 4x4, then 2x2, then single samples, then between them (pel=2), in integers, so that \
                  all machines find the same motion. Planes after the first use the motion and S of the first, like \
                  MVTools with chroma=false, with vectors halved for subsampled planes; alpha is searched by itself. \
                  MVTools' search differs, and so do its bytes. thsad, thscd1, thscd2 and limit have MVTools' meaning \
                  and scaling; but if thsad is raised for a noisy clip, thscd1 follows it, so that noise is not \
                  mistaken for another scene. At both ends of the clip the frame itself replaces the missing ones; \
                  border_t=reflect101 uses others. thsad=auto is 180 n for the noise n that a job measures, as denoise \
                  does: noise alone makes S 72 n, so that equal blocks weigh 0.72, and blocks that differ more by their \
                  picture than by noise are ignored; 0 for noise below 0.5.",
    own: &[
        Parameter::new(
            "frames",
            Kind::Count(1, Degrain::MAX_FRAMES),
            Preset::Is("3"),
            "frames to search on either side",
        )
        .or(&["tr"])
        .unit("frames"),
        Parameter::new(
            "thsad",
            Kind::Strength(0.0, MOST),
            Preset::Is("400"),
            "strength: the difference from which a block is ignored; 0 does nothing",
        )
        .unit(SUM)
        .by_noise(Strength::new(|_, noise| times(PER_NOISE, noise.luma), 0.4, 6.0)),
        Parameter::new("thsadc", Kind::Strength(0.0, MOST), Preset::Derived("as thsad"), "strength in chroma")
            .unit(SUM)
            .by_noise(Strength::beside(in_chroma)),
        Parameter::new(
            "chroma",
            Kind::Name(&["luma", "own"]),
            Preset::Is("luma"),
            "motion of planes after the first: that of the first plane if it is filtered too, or their own",
        ),
        Parameter::new(
            "block",
            Kind::Name(&["8", "16"]),
            Preset::Is("8"),
            "side of the blocks; 16 for much noise and large frames",
        )
        .or(&["blksize"])
        .unit("samples"),
        Parameter::new(
            "search",
            Kind::Count(0, 4 * Degrain::MAX_SEARCH),
            Preset::Is("32"),
            "search range in both directions, in steps of 4; refined by 6 more",
        )
        .unit("luma pixels"),
        Parameter::new(
            "pel",
            Kind::Name(&["1", "2"]),
            Preset::Is("2"),
            "precision of motion: whole samples (1) or half samples (2)",
        ),
        Parameter::new(
            "pnew",
            Kind::Count(0, 256),
            Preset::Is("50"),
            "improvement that new motion needs over known motion (the same everywhere, or that of larger blocks); \
             keeps noise from being taken for motion",
        )
        .unit("1/256"),
        Parameter::new(
            "thscd1",
            Kind::Number(0.0, MOST),
            Preset::Derived("400, or thsad where that is more"),
            "difference above which a block has changed",
        )
        .unit(SUM),
        Parameter::new(
            "thscd2",
            Kind::Count(0, 255),
            Preset::Is("130"),
            "share of changed blocks above which a frame is another scene and is ignored",
        )
        .unit("1/256"),
        Parameter::new(
            "limit",
            Kind::Number(0.0, NO_LIMIT),
            Preset::Is("255"),
            "largest change of a sample; 255 sets no limit",
        )
        .unit("levels of 8 bits"),
        Parameter::new(
            "show",
            Kind::Name(&["mean", "vectors"]),
            Preset::Is("mean"),
            "output: the mean; or the unfiltered picture with the motion of the first plane's blocks towards the \
             previous frame as colour: 2^(depth-1) for none, and 2^(depth-6) more for each half sample to the right in \
             the second plane, down in the third; of grey 2^(depth-6) for each half sample in either direction",
        ),
        Parameter::new(
            "vectors",
            Kind::Written,
            Preset::Derived("none"),
            "file for the motion of every frame, a line of JSON for each frame and each frame that was searched: \
             frame, reference, plane, block (side), step, columns, rows, and dx, dy (half samples) and sad of all \
             blocks, row by row; the first block begins at (-step, -step)",
        ),
    ],
    example: "degrain=frames=2:thsad=300",
    extent: Extent::Time,
    terms: Terms::Own,
    gain: DcGain::One,
    want,
    change: None,
};

/// Of chroma: that of luma, whose differences weigh it too, unless it is searched by itself.
fn in_chroma(values: &Values, noise: Noise) -> Option<f64> {
    if values.word("chroma") == "own" { times(PER_NOISE, noise.chroma?) } else { None }
}

/// `thsad` for a noise of 1, measured (docs/denoising.md).
const PER_NOISE: f64 = 180.0;

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let block = if values.word("block") == "16" { 16 } else { 8 };
    let scaled = |sum: f64| (sum * (block * block) as f64 / 64.0).round() as u32;
    let chroma = values.typed("thsadc").filter(|_| target.pixel.is_chroma(target.plane));
    let strength = chroma.unwrap_or_else(|| values.number("thsad"));
    let shows = values.word("show") == "vectors";
    let FormatPlane { pixel, plane, first_too, .. } = target;
    let most = if shows { 0 } else { scaled(strength) };
    if most == 0 && !shows || shows && pixel.is_alpha(plane) {
        return Ok(Want::Copy);
    }
    let follows = Guide::first(pixel, plane).filter(|_| {
        let led = scaled(values.number("thsad")) > 0 && !pixel.is_alpha(plane) && values.word("chroma") == "luma";
        first_too && (shows || led)
    });
    let shown = match (shows, plane) {
        (false, _) => None,
        (true, 0) if pixel.family != Family::Gray => None,
        (true, 0) => Some(VectorPart::Length),
        (true, 1) => Some(VectorPart::Right),
        (true, _) => Some(VectorPart::Down),
    };
    let scale = if follows.is_some() { 1.0 } else { target.scale_x().min(target.scale_y()) };
    let search = values.number("search") * scale;
    let changed = if follows.is_some() { values.number("thsad") } else { strength }.max(CHANGED);
    let limit = values.number("limit");
    let limit = match target.pixel.sample {
        Sample::F32 if limit >= NO_LIMIT => f32::INFINITY,
        Sample::F32 => (limit / 255.0) as f32,
        _ if limit >= NO_LIMIT => f32::from(u16::MAX),
        _ => target.level(limit / 255.0).round() as f32,
    };
    Ok(Want::Operation(Op::Degrain(Degrain {
        frames: values.count("frames"),
        block,
        search: (search / 4.0).ceil() as usize,
        halves: values.word("pel") == "2",
        again: values.count("pnew") as u32,
        follows,
        shown,
        told: match values.find("vectors") {
            Some(Value::Written(name)) => Some(name.clone()),
            _ => None,
        },
        scene: [scaled(values.typed("thscd1").unwrap_or(changed)), values.count("thscd2") as u32],
        weights: Degrain::weights(most),
        limit,
        border: Border::default(),
        finish: Finish::PLAIN,
    })))
}
