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

    /// Whether stored rows are rows of the plane, wherever it lies.
    fn is_row(&self) -> bool {
        Self { stored_plane: self.plane, ..*self }.is_native()
    }

    /// Fills a row of a plane from a stored row of at least [`Component::row_bytes`].
    pub fn unpack(&self, stored: &[u8], plane: &mut [u8]) {
        if self.is_row() {
            return plane.copy_from_slice(&stored[..plane.len()]);
        }
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
        if self.is_row() {
            return stored[..plane.len()].copy_from_slice(plane);
        }
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
        let samples = plane.as_chunks_mut::<N>().0;
        match self.step {
            1 => gather::<N, 1>(stored, samples, take),
            2 => gather::<N, 2>(stored, samples, take),
            3 => gather::<N, 3>(stored, samples, take),
            4 => gather::<N, 4>(stored, samples, take),
            6 => gather::<N, 6>(stored, samples, take),
            8 => gather::<N, 8>(stored, samples, take),
            step => {
                for (sample, words) in samples.iter_mut().zip(stored.chunks(step)) {
                    words.first_chunk().into_iter().for_each(|word| *sample = take(*word));
                }
            }
        }
    }

    fn place<const N: usize>(&self, plane: &[u8], stored: &mut [u8], make: impl Fn([u8; N], [u8; N]) -> [u8; N]) {
        let samples = plane.as_chunks::<N>().0;
        match self.step {
            1 => scatter::<N, 1>(samples, stored, make),
            2 => scatter::<N, 2>(samples, stored, make),
            3 => scatter::<N, 3>(samples, stored, make),
            4 => scatter::<N, 4>(samples, stored, make),
            6 => scatter::<N, 6>(samples, stored, make),
            8 => scatter::<N, 8>(samples, stored, make),
            step => {
                for (sample, words) in samples.iter().zip(stored.chunks_mut(step)) {
                    words.first_chunk_mut().into_iter().for_each(|word| *word = make(*sample, *word));
                }
            }
        }
    }
}

/// The first `N` bytes of every `STEP`. The constant lets the compiler make shuffles of it; the last word may stand
/// without the rest of its step.
fn gather<const N: usize, const STEP: usize>(
    stored: &[u8],
    samples: &mut [[u8; N]],
    take: impl Fn([u8; N]) -> [u8; N],
) {
    let (steps, rest) = stored.as_chunks::<STEP>();
    let whole = samples.len().min(steps.len());
    let (head, tail) = samples.split_at_mut(whole);
    for (sample, words) in head.iter_mut().zip(&steps[..whole]) {
        words.first_chunk().into_iter().for_each(|word| *sample = take(*word));
    }
    if let (Some(sample), Some(word)) = (tail.first_mut(), rest.first_chunk()) {
        *sample = take(*word);
    }
}

/// The reverse of [`gather`]; `make` also gets what lay in the word before.
fn scatter<const N: usize, const STEP: usize>(
    samples: &[[u8; N]],
    stored: &mut [u8],
    make: impl Fn([u8; N], [u8; N]) -> [u8; N],
) {
    let (steps, rest) = stored.as_chunks_mut::<STEP>();
    let whole = samples.len().min(steps.len());
    let (head, tail) = samples.split_at(whole);
    for (sample, words) in head.iter().zip(&mut steps[..whole]) {
        words.first_chunk_mut().into_iter().for_each(|word| *word = make(*sample, *word));
    }
    if let (Some(sample), Some(word)) = (tail.first(), rest.first_chunk_mut()) {
        *word = make(*sample, *word);
    }
}
