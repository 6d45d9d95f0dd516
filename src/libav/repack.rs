//! Samples moved between packed or semi-planar pixels and planes, bit for bit. libswscale is not asked: version 6
//! loses bits between `gbrap` and `bgra` and in `x2rgb10`, cannot write `nv16` or `y210`, and has no planar `ya8`.

use ffmpeg_next::ffi;

use crate::frame::{Family, Pixel, Sample};

/// Where the samples of one component lie in stored pixels, and to which plane of a frame they belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Component {
    /// The plane of the stored picture.
    pub stored_plane: usize,
    /// The plane of a [`crate::frame::Frame`].
    pub plane: usize,
    /// From one sample to the next, in bytes of the stored picture.
    step: usize,
    /// Of the first sample in a row, in bytes.
    offset: usize,
    /// Low bits of the stored word that do not belong to the sample.
    shift: u32,
    /// Bits of the sample.
    depth: u32,
    /// Whether the word's bytes are in the other order than this machine's.
    swapped: bool,
    /// The type in the frame's plane; stored words have the same size.
    sample: Sample,
}

impl Component {
    /// The place of component `index` of a format that keeps bytes; `None` where its words have another size than
    /// the frame's samples.
    pub fn new(pixel: Pixel, index: usize, descriptor: &ffi::AVComponentDescriptor, foreign: bool) -> Option<Self> {
        let plane = match (pixel.family, index) {
            _ if pixel.alpha && index + 1 == pixel.planes() => index,
            (Family::Rgb, 0) => 2,
            (Family::Rgb, index) => index - 1,
            (_, index) => index,
        };
        let bits = usize::try_from(descriptor.shift + descriptor.depth).ok()?;
        if bits > 8 * pixel.sample.bytes() {
            return None;
        }
        Some(Self {
            stored_plane: usize::try_from(descriptor.plane).ok()?,
            plane,
            step: usize::try_from(descriptor.step).ok().filter(|step| *step > 0)?,
            offset: usize::try_from(descriptor.offset).ok()?,
            shift: u32::try_from(descriptor.shift).ok()?,
            depth: u32::try_from(descriptor.depth).ok()?,
            swapped: foreign && pixel.sample != Sample::U8,
            sample: pixel.sample,
        })
    }

    /// Whether components that share a stored plane advance at the same pace, which alone makes a fixed step true
    /// (`uyyvyy411` puts four samples of luma at uneven distances).
    pub fn are_regular(components: &[Self], pixel: Pixel) -> bool {
        let pace = |c: &Self| (c.stored_plane, c.step, pixel.subsampling(c.plane).0);
        components.iter().map(pace).all(|(plane, step, narrower)| {
            let mut others = components.iter().map(pace).filter(|other| other.0 == plane);
            others.all(|other| step << other.2 == other.1 << narrower)
        })
    }

    /// Whether the samples already lie as a frame's plane holds them.
    pub fn is_native(&self) -> bool {
        self.stored_plane == self.plane
            && self.offset == 0
            && self.shift == 0
            && !self.swapped
            && self.step == self.sample.bytes()
    }

    /// Bytes of a stored row that `width` samples reach into.
    pub fn row_bytes(&self, width: usize) -> usize {
        self.offset + (width - 1) * self.step + self.sample.bytes()
    }

    /// Fills a row of a plane from a stored row of at least [`Component::row_bytes`].
    pub fn unpack(&self, stored: &[u8], plane: &mut [u8]) {
        let (shift, swapped) = (self.shift, self.swapped);
        let mask = ((1u64 << self.depth) - 1) as u32;
        let stored = &stored[self.offset..];
        match self.sample {
            Sample::U8 => self.each(stored, plane, |[word]: [u8; 1]| [(word >> shift) & mask as u8]),
            Sample::U16 => self.each(stored, plane, |word: [u8; 2]| {
                let word = u16::from_ne_bytes(word);
                let word = if swapped { word.swap_bytes() } else { word };
                ((word >> shift) & mask as u16).to_ne_bytes()
            }),
            Sample::F32 => self.each(stored, plane, |word: [u8; 4]| {
                let word = u32::from_ne_bytes(word);
                if swapped { word.swap_bytes() } else { word }.to_ne_bytes()
            }),
        }
    }

    /// Adds a row of a plane to a stored row of at least [`Component::row_bytes`], which held zeros before its first
    /// component: words of several components may overlap.
    pub fn pack(&self, plane: &[u8], stored: &mut [u8]) {
        let (shift, swapped) = (self.shift, self.swapped);
        let stored = &mut stored[self.offset..];
        match self.sample {
            Sample::U8 => self.place(plane, stored, |[sample]: [u8; 1], [old]: [u8; 1]| [(sample << shift) | old]),
            Sample::U16 => self.place(plane, stored, |sample: [u8; 2], old: [u8; 2]| {
                let word = u16::from_ne_bytes(sample) << shift;
                let word = if swapped { word.swap_bytes() } else { word };
                (word | u16::from_ne_bytes(old)).to_ne_bytes()
            }),
            Sample::F32 => self.place(plane, stored, |sample: [u8; 4], _: [u8; 4]| {
                let word = u32::from_ne_bytes(sample);
                if swapped { word.swap_bytes() } else { word }.to_ne_bytes()
            }),
        }
    }

    fn each<const N: usize>(&self, stored: &[u8], plane: &mut [u8], take: impl Fn([u8; N]) -> [u8; N]) {
        by_step(self.step, |step| {
            for (sample, words) in plane.as_chunks_mut::<N>().0.iter_mut().zip(stored.chunks(step)) {
                if let Some(word) = words.first_chunk() {
                    *sample = take(*word);
                }
            }
        });
    }

    fn place<const N: usize>(&self, plane: &[u8], stored: &mut [u8], make: impl Fn([u8; N], [u8; N]) -> [u8; N]) {
        by_step(self.step, |step| {
            for (sample, words) in plane.as_chunks::<N>().0.iter().zip(stored.chunks_mut(step)) {
                if let Some(word) = words.first_chunk_mut() {
                    *word = make(*sample, *word);
                }
            }
        });
    }
}

/// Runs a loop with its step as a constant where it is a common one, so that the compiler can turn it into shuffles.
#[inline(always)]
fn by_step(step: usize, mut run: impl FnMut(usize)) {
    match step {
        1 => run(1),
        2 => run(2),
        3 => run(3),
        4 => run(4),
        6 => run(6),
        8 => run(8),
        step => run(step),
    }
}
