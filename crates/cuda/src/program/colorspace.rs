//! Luma and chroma of another colour space: `kernels/colorspace.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::builder::{Builder, Class, SourceFile, Written, source};
use super::named::{Made, Named};
use crate::pass::{Colorspace, ColourPath, Weights3};

impl Written for Colorspace {
    const SOURCES: &'static [SourceFile] = &[source!("colorspace.cu")];

    fn class(&self, builder: &mut Builder, _: Made) -> (Made, Class) {
        let Self { from, to, black, path } = self;
        let (across, down) = from.subsampling(1);
        let made = Named::default().kind("Out", super::pixel(to.sample)).int("ACROSS", across.into());
        let made = made.int("DOWN", down.into()).int("DEPTH", from.depth.into()).int("OUT_DEPTH", to.depth.into());
        let made = made.word("BLACK", black[0] as u32).word("OUT_BLACK", black[1] as u32);
        let made = made.int("PLACES", self.places() as usize);
        let mut weights = |weights: &Weights3| {
            let words: Vec<u32> = weights.iter().flatten().map(|weight| i32::from(*weight) as u32).collect();
            builder.literal(&words)
        };
        let path = match path {
            ColourPath::Direct(direct) => Made::of("Direct", made.int("WEIGHTS", weights(direct))),
            ColourPath::Linear(steps) => {
                let made = made.int("TO_RGB", weights(&steps.to_rgb)).int("TO_YUV", weights(&steps.to_yuv));
                let primaries = steps.primaries.as_ref().map(weights);
                let made = made.flag("MIXES", primaries.is_some()).int("PRIMARIES", primaries.unwrap_or(0));
                let pair = |(linear, coded): (&i16, &i16)| u32::from(*linear as u16) | u32::from(*coded as u16) << 16;
                let words: Vec<u32> = steps.linear.iter().zip(&steps.coded).map(pair).collect();
                Made::of("Linear", made.int("CURVES", builder.looked_up(&words)))
            }
        };
        let class = Class { tile_width: TILE_WIDTH, tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before: None };
        let made = Named::default().kind("Out", super::pixel(to.sample)).flag("SMALLER", across + down > 0);
        (Made::of("Colorspace", made.made("Path", path)), class)
    }
}
