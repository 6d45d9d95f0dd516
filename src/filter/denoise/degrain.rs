//! Means along motion, with the words of MVTools.

use anyhow::Result;

use super::super::parameter::{Kind, Parameter, Preset, Value, Values};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
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
    summary: "means over time along motion (block search and MDegrain's weights)",
    description: "Each block of a frame is looked for in the frames before and after, by the sum of absolute differences \
                  S of samples brought to 8 bits, and becomes a mean of what was found, each weighed by \
                  (T^2 - S^2)/(T^2 + S^2), T being thsad, and 0 from T on, as MVTools' MDegrain does. Blocks overlap by \
                  half. Motion is looked for in samples of 4x4, then of 2x2, then in all, then between them (pel=2), in \
                  whole numbers, so that all machines find the same. Planes after the first take the first one's motion \
                  and S, as MVTools' do with chroma=false, vectors halved where planes are; alpha looks for its own. MVTools' \
                  search goes another way, and its bytes are others. thsad, thscd1, \
                  thscd2 and limit are MVTools' and are brought to the block and the depth as there; but where thsad is \
                  raised for a noisy clip, thscd1 follows it, so that noise is not taken for other scenes. At both ends of the \
                  clip the frame itself stands for those that are not there; border_t=reflect101 takes others.",
    own: &[
        Parameter::new(
            "frames",
            Kind::Count(1, Degrain::MAX_FRAMES),
            Preset::Is("3"),
            "how many frames before and as many after are looked at",
        )
        .or(&["tr"])
        .unit("frames"),
        Parameter::new(
            "thsad",
            Kind::Number(0.0, MOST),
            Preset::Is("400"),
            "from which difference on a block counts nothing: the strength; 0 does nothing",
        )
        .unit(SUM),
        Parameter::new("thsadc", Kind::Number(0.0, MOST), Preset::Derived("as thsad"), "the same in chroma").unit(SUM),
        Parameter::new(
            "chroma",
            Kind::Name(&["luma", "own"]),
            Preset::Is("luma"),
            "whose motion planes after the first take: the first one's where that is filtered too, or each its own",
        ),
        Parameter::new(
            "block",
            Kind::Name(&["8", "16"]),
            Preset::Is("8"),
            "how wide and high blocks are; 16 for much noise and large frames",
        )
        .or(&["blksize"])
        .unit("samples"),
        Parameter::new(
            "search",
            Kind::Count(0, 4 * Degrain::MAX_SEARCH),
            Preset::Is("32"),
            "how far motion is looked for in both directions, in fours; 6 more are found around it",
        )
        .unit("luma pixels"),
        Parameter::new(
            "pel",
            Kind::Name(&["1", "2"]),
            Preset::Is("2"),
            "whether motion ends at samples (1), or between them too (2)",
        ),
        Parameter::new(
            "pnew",
            Kind::Count(0, 256),
            Preset::Is("50"),
            "how much better motion has to be to be taken over motion that is known: the same everywhere, or that of \
             larger blocks; keeps noise from being taken for motion",
        )
        .unit("1/256"),
        Parameter::new(
            "thscd1",
            Kind::Number(0.0, MOST),
            Preset::Derived("400, or thsad where that is more"),
            "above which difference a block has changed",
        )
        .unit(SUM),
        Parameter::new(
            "thscd2",
            Kind::Count(0, 255),
            Preset::Is("130"),
            "of how many of 256 blocks more have to have changed for a frame to count nothing: another scene",
        )
        .unit("1/256"),
        Parameter::new(
            "limit",
            Kind::Number(0.0, NO_LIMIT),
            Preset::Is("255"),
            "how far a sample may be changed; 255 sets no limit",
        )
        .unit("levels of 8 bits"),
        Parameter::new(
            "show",
            Kind::Name(&["mean", "vectors"]),
            Preset::Is("mean"),
            "what is put out: the mean; or the picture as it was, and for colour the motion of the first plane's blocks \
             towards the frame before: 2^(depth-1) for none, and 2^(depth-6) more for each half sample to the right in the \
             second plane, down in the third; of grey 2^(depth-6) for each half sample in either direction",
        ),
        Parameter::new(
            "vectors",
            Kind::Written,
            Preset::Derived("none"),
            "a file in which the motion of every frame is written beside the output, a line of JSON for each frame and each \
             frame in which its blocks were looked for: frame, reference, plane, block (side), step, columns, rows, and dx, \
             dy (half samples) and sad of all blocks, row by row; the first block begins at (-step, -step)",
        ),
    ],
    example: "degrain=frames=2:thsad=300",
    extent: Extent::Time,
    terms: Terms::Own,
    gain: DcGain::One,
    want,
};

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let block = if values.word("block") == "16" { 16 } else { 8 };
    let scaled = |sum: f64| (sum * (block * block) as f64 / 64.0).round() as u32;
    let chroma = values.typed("thsadc").filter(|_| target.pixel.is_chroma(target.plane));
    let strength = chroma.unwrap_or_else(|| values.number("thsad"));
    let shows = values.word("show") == "vectors";
    let FormatPlane { pixel, plane, first_too } = target;
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
