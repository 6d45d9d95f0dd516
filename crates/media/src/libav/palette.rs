//! Pictures of at most 256 colours, which are chosen to suit them.

use std::collections::{BTreeSet, HashMap};

use color_quant::NeuQuant;

type Colour = [u8; 3];

/// Chooses the colours of pictures one after the other, and keeps them while they suit.
#[derive(Default)]
pub(super) struct Painter {
    palette: Option<Palette>,
    /// How many palettes there were.
    count: u32,
}

/// Some colours, and how to find one.
struct Palette {
    colours: Vec<Colour>,
    search: Search,
}

enum Search {
    /// Each colour of the picture is one of them: its number.
    Exact(HashMap<Colour, u8>),
    /// The number of the nearest, by the upper bits of a colour, where it was looked for; and how far colours of the picture
    /// that they were made for are from them.
    Nearest { known: Vec<Option<u8>>, distance: f64 },
}

impl Painter {
    /// Bytes of a palette as FFmpeg stores it.
    pub const BYTES: usize = 1024;

    /// What is less opaque than this is transparent.
    const OPAQUE: u8 = 128;

    /// The number that stands for transparency.
    const CLEAR: u8 = 255;

    /// How many pixels of a picture are looked at to choose colours.
    const LOOKED_AT: usize = 1 << 15;

    /// Chooses colours for a picture of red, green, blue and opacity, unless those of the one before still suit.
    pub fn look(&mut self, rows: &[&[u8]]) {
        let pixels = || rows.iter().flat_map(|row| row.as_chunks::<4>().0).filter(|pixel| pixel[3] >= Self::OPAQUE);
        let colour = |pixel: &[u8; 4]| [pixel[0], pixel[1], pixel[2]];
        let mut few = BTreeSet::new();
        let is_few = pixels().all(|pixel| {
            few.insert(colour(pixel));
            few.len() <= usize::from(Self::CLEAR)
        });
        if is_few {
            let suits = |palette: &Palette| few.iter().all(|colour| palette.colours.contains(colour));
            if !self.palette.as_ref().is_some_and(suits) {
                self.palette = Some(Palette::exact(few));
                self.count += 1;
            }
            return;
        }
        let total: usize = rows.iter().map(|row| row.len() / 4).sum();
        let sample: Vec<Colour> = pixels().step_by(total.div_ceil(Self::LOOKED_AT)).map(colour).collect();
        let suits = |palette: &mut Palette| match palette.search {
            Search::Exact(_) => false,
            Search::Nearest { distance, .. } => palette.distance(&sample) <= 1.5 * distance + 4.0,
        };
        if !self.palette.as_mut().is_some_and(suits) {
            self.palette = Some(Palette::nearest(&sample));
            self.count += 1;
        }
    }

    /// The numbers of the colours of row `y`.
    pub fn paint(&mut self, y: usize, row: &[u8], into: &mut [u8]) {
        let Some(palette) = &mut self.palette else { return };
        for (x, (pixel, number)) in row.as_chunks::<4>().0.iter().zip(into).enumerate() {
            *number = match pixel {
                [_, _, _, opacity] if *opacity < Self::OPAQUE => Self::CLEAR,
                [red, green, blue, _] => palette.number([*red, *green, *blue], (x, y)),
            };
        }
    }

    /// Writes the colours as FFmpeg stores them.
    pub fn write(&self, into: &mut [u8]) {
        let colours = self.palette.iter().flat_map(|palette| &palette.colours);
        let words = into.as_chunks_mut::<4>().0;
        words.fill(u32::from_be_bytes([255, 0, 0, 0]).to_ne_bytes());
        for (word, [red, green, blue]) in words.iter_mut().zip(colours) {
            *word = u32::from_be_bytes([255, *red, *green, *blue]).to_ne_bytes();
        }
        // The colour that is never seen tells palettes apart: FFmpeg's encoder of GIF takes one that comes again for that
        // of the frame before.
        if let Some(clear) = words.get_mut(usize::from(Self::CLEAR)) {
            *clear = (self.count & 0x00ff_ffff).to_ne_bytes();
        }
    }
}

impl Palette {
    /// By how much a pixel's colour is moved before the nearest is looked for, at most: so far apart are colours of a
    /// palette that a smooth slope would else have steps.
    const DITHER: i32 = 8;

    fn exact(colours: BTreeSet<Colour>) -> Self {
        let colours: Vec<_> = colours.into_iter().collect();
        let numbers = colours.iter().enumerate().map(|(number, colour)| (*colour, number as u8)).collect();
        Self { colours, search: Search::Exact(numbers) }
    }

    fn nearest(sample: &[Colour]) -> Self {
        let pixels: Vec<u8> = sample.iter().flat_map(|[red, green, blue]| [*red, *green, *blue, 255]).collect();
        let colours = NeuQuant::new(1, 255, &pixels).color_map_rgb().as_chunks::<3>().0.to_vec();
        let search = Search::Nearest { known: vec![None; 1 << 18], distance: 0.0 };
        let mut palette = Self { colours, search };
        let found = palette.distance(sample);
        if let Search::Nearest { distance, .. } = &mut palette.search {
            *distance = found;
        }
        palette
    }

    /// The mean squared distance of colours from the nearest of these.
    fn distance(&mut self, sample: &[Colour]) -> f64 {
        let mut total = 0;
        for colour in sample {
            let found = usize::from(self.find(*colour));
            total += self.colours.get(found).map_or(0, |found| u64::from(apart(*colour, *found)));
        }
        total as f64 / sample.len().max(1) as f64
    }

    /// The number for a pixel of this colour, at this place.
    fn number(&mut self, colour: Colour, (x, y): (usize, usize)) -> u8 {
        if let Search::Exact(numbers) = &self.search {
            return numbers.get(&colour).copied().unwrap_or(0);
        }
        let shift = (i32::from(THRESHOLD[y % 8][x % 8]) - 32) * Self::DITHER / 32;
        self.find(colour.map(|value| (i32::from(value) + shift).clamp(0, 255) as u8))
    }

    /// The number of the nearest colour, but for the lowest bits.
    fn find(&mut self, colour: Colour) -> u8 {
        let nearest = |colours: &[Colour], colour: Colour| {
            let found = colours.iter().enumerate().min_by_key(|(_, known)| apart(**known, colour));
            found.map_or(0, |(number, _)| number as u8)
        };
        match &mut self.search {
            Search::Exact(numbers) => numbers.get(&colour).copied().unwrap_or_else(|| nearest(&self.colours, colour)),
            Search::Nearest { known, .. } => {
                let place = colour.iter().fold(0, |place, value| place << 6 | usize::from(value >> 2));
                *known[place].get_or_insert_with(|| nearest(&self.colours, colour.map(|value| value & !3 | value >> 6)))
            }
        }
    }
}

/// The squared distance of two colours.
fn apart(one: Colour, other: Colour) -> u32 {
    one.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

/// Bayer's matrix: each number from 0 to 63 once, neighbours far apart.
const THRESHOLD: [[u8; 8]; 8] = [
    [0, 32, 8, 40, 2, 34, 10, 42],
    [48, 16, 56, 24, 50, 18, 58, 26],
    [12, 44, 4, 36, 14, 46, 6, 38],
    [60, 28, 52, 20, 62, 30, 54, 22],
    [3, 35, 11, 43, 1, 33, 9, 41],
    [51, 19, 59, 27, 49, 17, 57, 25],
    [15, 47, 7, 39, 13, 45, 5, 37],
    [63, 31, 55, 23, 61, 29, 53, 21],
];
