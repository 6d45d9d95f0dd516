//! Film that was spread over fields, put together again.

use anyhow::{Result, ensure};

use super::super::parameter::{AcceptedNumbers, Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::value::Values;
use super::super::want::Want;
use crate::pass::{CombSearch, Fieldmatch, MatchMode, Op, Parity};

const MODES: [(&str, MatchMode); 6] = [
    ("pc", MatchMode::Pc),
    ("pc_n", MatchMode::PcN),
    ("pc_u", MatchMode::PcU),
    ("pc_n_ub", MatchMode::PcNUb),
    ("pcn", MatchMode::Pcn),
    ("pcn_ub", MatchMode::PcnUb),
];
const MOST: usize = i32::MAX as usize;

pub(in super::super) const SPEC: Spec = Spec {
    name: "fieldmatch",
    elsewhere: &["vfm", "tfm", "telecide"],
    group: Group::Deinterlace,
    summary: "puts fields of the same film picture together again",
    description: "Gives each frame, beside the field that stays, the one of the other that fits it best: its own (c), or that of the \
                  frame before (p) or after (n); u and b keep the other field. Rows are copied, never changed. One frame comes \
                  out for each; of film one of five repeats another, which decimate behind it drops. A frame that is still combed is marked as \
                  interlaced, so that bwdif=deint=interlaced or yadif=deint=interlaced behind it deinterlaces that one alone; \
                  combed frames are only looked for where combmatch says. FFmpeg's filter of this name gives the same choices and \
                  bytes at 8 bits. Differences: above 8 bits the highest 8 bits are compared, of floats those of 0 to 1; RGB is \
                  compared as green, blue and red, scene changes and combs are those of green; with chroma, combed chroma marks the luma at its place in any subsampling. In planes of an odd \
                  height FFmpeg compares the last rows with what another plane left in memory, or reads behind the plane; here a \
                  difference that is not there is 0, and the last row of a field is repeated. In 4:4:4 its buffer is too narrow; \
                  here it is not. ppsrc and combdbg are not here. The output is tagged as progressive unless only a part of it is \
                  matched (planes, roi, mask, mix, enable).",
    own: &[
        Parameter::new(
            "order",
            Kind::Numbered(-1, &["auto", "bff", "tff"]),
            Preset::Is("auto"),
            "field that was taken first: the bottom one (bff), the top one (tff), or the one that each frame's flags name; auto \
             takes the top one in frames that are not marked as interlaced",
        ),
        Parameter::new(
            "mode",
            Kind::Word(&["pc", "pc_n", "pc_u", "pc_n_ub", "pcn", "pcn_ub"]),
            Preset::Is("pc_n"),
            "fields to choose from; those behind _ are tried where the choice is combed",
        ),
        Parameter::new(
            "field",
            Kind::Numbered(-1, &["auto", "bottom", "top"]),
            Preset::Is("auto"),
            "field that stays and another is looked for; auto is the one that order says",
        ),
        Parameter::new("mchroma", Kind::Switch, Preset::Is("1"), "compare chroma too"),
        Parameter::new(
            "y0",
            Kind::Count(0, MOST),
            Preset::Is("0"),
            "first row that is not compared, as of a logo; see y1",
        )
        .unit("luma rows"),
        Parameter::new(
            "y1",
            Kind::Count(0, MOST),
            Preset::Is("0"),
            "last row that is not compared; where y0 and y1 are equal, all rows are compared",
        )
        .unit("luma rows"),
        Parameter::new(
            "scthresh",
            Kind::Number(0.0, 100.0),
            Preset::Is("12"),
            "mean difference of luma between two frames above which the scene changes",
        )
        .unit("percent of white"),
        Parameter::new(
            "combmatch",
            Kind::Word(&["none", "sc", "full"]),
            Preset::Is("sc"),
            "frames in which combs are looked for: none, those beside a scene change (sc), or all (full)",
        ),
        Parameter::new(
            "cthresh",
            Kind::Number(-1.0, 255.0),
            Preset::Is("9"),
            "difference from the rows above and below that makes a sample combed, in steps of 8 bits; rounded to a whole number; -1 \
             makes all samples combed",
        ),
        Parameter::new("chroma", Kind::Switch, Preset::Is("0"), "look for combs in chroma too"),
        Parameter::new(
            "blockx",
            Kind::Count(4, 512),
            Preset::Is("16"),
            "width of the boxes in which combed samples are counted",
        )
        .unit("luma pixels")
        .only(AcceptedNumbers::PowersOfTwo),
        Parameter::new("blocky", Kind::Count(4, 512), Preset::Is("16"), "height of these boxes")
            .unit("luma pixels")
            .only(AcceptedNumbers::PowersOfTwo),
        Parameter::new(
            "combpel",
            Kind::Count(0, MOST),
            Preset::Is("80"),
            "combed samples in a box from which on a frame is combed",
        ),
    ],
    example: "fieldmatch=order=tff:combmatch=full",
    extent: Extent::Fields,
    terms: Terms::Ffmpeg,
    gain: DcGain::One,
    change: None,
    want: |values, _| Ok(Want::Operation(Op::Fieldmatch(matched(values)?))),
};

/// A number that has to be a power of two.
pub(in super::super) fn block(values: &Values, name: &str) -> Result<u32> {
    let size = values.count(name);
    let next = size.next_power_of_two();
    ensure!(size.is_power_of_two(), "{name} is {size}; type a power of two from 4 to 512, as {name}={next}");
    Ok(size as u32)
}

fn matched(values: &Values) -> Result<Fieldmatch> {
    let word = |name| values.word(name);
    let parity = |word: &str| match word {
        "tff" | "top" => Parity::Top,
        "bff" | "bottom" => Parity::Bottom,
        _ => Parity::Auto,
    };
    let mode = MODES.iter().find(|(name, _)| *name == word("mode")).map_or(MatchMode::PcN, |(_, mode)| *mode);
    let combs = match word("combmatch") {
        "none" => CombSearch::Never,
        "full" => CombSearch::Always,
        _ => CombSearch::Scenes,
    };
    let count = |name| values.count(name) as u32;
    Ok(Fieldmatch {
        order: parity(word("order")),
        field: parity(word("field")),
        mode,
        combs,
        mchroma: values.is_on("mchroma"),
        band: [count("y0"), count("y1")],
        scene: values.number("scthresh"),
        cthresh: values.number("cthresh").round_ties_even() as i32,
        chroma: values.is_on("chroma"),
        block: [block(values, "blockx")?, block(values, "blocky")?],
        combpel: count("combpel"),
    })
}
