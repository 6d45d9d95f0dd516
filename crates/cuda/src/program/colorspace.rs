//! Luma and chroma of another colour space: `kernels/colorspace.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::builder::{Builder, Class, SourceFile, Written, source};
use super::named::{Made, Named};
use crate::pass::{Colorspace, ColourPath, ColourSteps, ToneSteps, Weights3};

/// The words of weights.
fn weights(weights: &Weights3) -> Vec<u32> {
    weights.iter().flatten().map(|weight| i32::from(*weight) as u32).collect()
}

/// The bits of numbers.
fn bits<'a>(numbers: impl IntoIterator<Item = &'a f32>) -> Vec<u32> {
    numbers.into_iter().map(|number| number.to_bits()).collect()
}

/// Coded colours by their linear light.
fn converted(builder: &mut Builder, steps: &ColourSteps) -> Made {
    let made = Named::default().flag("MIXES", steps.primaries.is_some());
    let made = made.int("PRIMARIES", steps.primaries.as_ref().map_or(0, |rows| builder.literal(&weights(rows))));
    let pair = |(linear, coded): (&i16, &i16)| u32::from(*linear as u16) | u32::from(*coded as u16) << 16;
    let words: Vec<u32> = steps.linear.iter().zip(&steps.coded).map(pair).collect();
    Made::of("Converted", made.int("CURVES", builder.looked_up(&words)))
}

/// Coded colours of HDR as those of SDR.
fn toned(builder: &mut Builder, steps: &ToneSteps) -> Made {
    let ToneSteps { linear, system, gain, primaries, coded, .. } = steps;
    let codes: Vec<u32> = coded.values.iter().map(|code| i32::from(*code) as u32).collect();
    let made = Named::default().int("LIGHT", builder.looked_up(&bits(linear)));
    let made = made.int("GAIN", builder.looked_up(&bits(&gain.values))).word("GAIN_FIRST", gain.first() as u32);
    let made = made.int("CODED", builder.looked_up(&codes)).word("CODED_FIRST", coded.first() as u32);
    let made = made.int("MATRIX", builder.literal(&bits(primaries.iter().flatten())));
    let system = system.as_ref();
    let made = made.flag("RENDERS", system.is_some());
    let made = made.int("SYSTEM", system.map_or(0, |system| builder.looked_up(&bits(&system.factors.values))));
    let made = made.word("SYSTEM_FIRST", system.map_or(0, |system| system.factors.first() as u32));
    Made::of("Toned", made.int("WEIGHTS", system.map_or(0, |system| builder.literal(&bits(&system.weights)))))
}

/// The way through linear light.
fn linear(builder: &mut Builder, made: Named, [to_rgb, to_yuv]: [&Weights3; 2], light: Made) -> Made {
    let made = made.int("TO_RGB", builder.literal(&weights(to_rgb))).int("TO_YUV", builder.literal(&weights(to_yuv)));
    Made::of("Linear", made.made("Light", light))
}

impl Written for Colorspace {
    const SOURCES: &'static [SourceFile] = &[source!("colorspace.cu")];

    fn class(&self, builder: &mut Builder, _: Made) -> (Made, Class) {
        let Self { from, to, black, path } = self;
        let (across, down) = from.subsampling(1);
        let made = Named::default().kind("Out", super::pixel(to.sample)).int("ACROSS", across.into());
        let made = made.int("DOWN", down.into()).int("DEPTH", from.depth.into()).int("OUT_DEPTH", to.depth.into());
        let made = made.word("BLACK", black[0] as u32).word("OUT_BLACK", black[1] as u32);
        let made = made.int("PLACES", self.places() as usize);
        let path = match path {
            ColourPath::Direct(direct) => Made::of("Direct", made.int("WEIGHTS", builder.literal(&weights(direct)))),
            ColourPath::Linear(steps) => {
                let light = converted(builder, steps);
                linear(builder, made, [&steps.to_rgb, &steps.to_yuv], light)
            }
            ColourPath::Tone(steps) => {
                let light = toned(builder, steps);
                linear(builder, made, [&steps.to_rgb, &steps.to_yuv], light)
            }
        };
        let class = Class { tile_width: TILE_WIDTH, tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before: None };
        let made = Named::default().kind("Out", super::pixel(to.sample)).flag("SMALLER", across + down > 0);
        (Made::of("Colorspace", made.made("Path", path)), class)
    }
}
