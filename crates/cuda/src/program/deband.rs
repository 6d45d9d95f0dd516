//! Steps of smooth areas made smooth: `kernels/deband.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::builder::{Builder, Class, SourceFile, Written, border, source};
use super::named::{Made, Named};
use crate::pass::Deband;

impl Written for Deband {
    const SOURCES: &'static [SourceFile] = &[source!("deband.cu")];

    fn class(&self, builder: &mut Builder, _: Made) -> (Made, Class) {
        let word = |[across, down]: &[i16; 2]| u32::from(*across as u16) | u32::from(*down as u16) << 16;
        let words: Vec<u32> = self.places.iter().map(word).collect();
        let made = Named::default().kind("Border", border(self.border));
        let made = made.int("AT", builder.looked_up(&words)).int("PLACES", words.len());
        let made = made.flag("BLURS", self.blurs).int("PLANES", self.thresholds.len());
        let threshold = |plane: usize| self.thresholds.get(plane).map_or(0, |threshold| threshold.to_bits());
        let made = (0..4).fold(made, |made, plane| made.word(&format!("THRESHOLD_{plane}"), threshold(plane)));
        let class = Class { tile_width: TILE_WIDTH, tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before: None };
        (Made::of("Deband", made.flag("COUPLED", self.coupled)), class)
    }
}
