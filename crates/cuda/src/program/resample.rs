//! Planes of another size: `kernels/resample.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::builder::{Builder, Class, RowsBefore, SourceFile, Written, source};
use super::named::{Made, Named};
use crate::frame::Sample;
use crate::pass::{Arithmetic, Phases, Resample};

impl Written for Resample {
    const SOURCES: &'static [SourceFile] = &[source!("resample.cu")];

    fn class(&self, builder: &mut Builder, _: Made) -> (Made, Class) {
        let (from, to) = (self.from, self.to());
        let most = if builder.pixel.sample == Sample::U16 { (1 << builder.pixel.depth) - 1 } else { 65535 };
        let made = Named::default().int("FROM_W", from.0).int("FROM_H", from.1).int("TO_W", to.0).int("TO_H", to.1);
        let made = made.flag("X", self.x.is_some()).flag("Y", self.y.is_some()).flag("X_FIRST", self.x_first);
        let made = made.int("MOST", most);
        let word = |weight: f32| match self.arithmetic {
            Arithmetic::Integer => weight as i32 as u32,
            Arithmetic::Real => weight.to_bits(),
        };
        // Neighbours along x read neighbouring weights; along y they read the same.
        let by_tap = |phases: &Phases| {
            let taps = 0..phases.taps;
            let column = |tap| phases.weights.iter().skip(tap).step_by(phases.taps).copied().map(word);
            taps.flat_map(column).collect::<Vec<_>>()
        };
        let by_row = |phases: &Phases| phases.weights.iter().copied().map(word).collect::<Vec<_>>();
        let mut table = |phases: &Option<Phases>, weights: &dyn Fn(&Phases) -> Vec<u32>| {
            let Some(phases) = phases else { return [0; 3] };
            [phases.taps, builder.looked_up(&phases.starts), builder.looked_up(&weights(phases))]
        };
        let [taps, starts, weights] = table(&self.x, &by_tap);
        let made = made.int("X_TAPS", taps).int("X_STARTS", starts).int("X_WEIGHTS", weights);
        let [taps, starts, weights] = table(&self.y, &by_row);
        let made = made.int("Y_TAPS", taps).int("Y_STARTS", starts).int("Y_WEIGHTS", weights);
        // A cell takes 4 bytes at the most, and rows are counted in those of the result.
        let between = if self.x_first { to.0 * from.1 } else { from.0 * to.1 };
        let is_long = self.x.is_some() && self.y.is_some();
        let rows_before = is_long.then(|| RowsBefore::each(0, between.div_ceil(to.0)));
        let class = Class { tile_width: TILE_WIDTH, tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before };
        (Made::of("Resample", made), class)
    }

    fn is_long(&self, _: &Builder) -> bool {
        self.x.is_some() && self.y.is_some()
    }
}
