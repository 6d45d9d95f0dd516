//! Planes joined by `kernels/join.cu` into what hardware encoders take: the reverse of `split`.

use anyhow::{Context, Result, ensure};
use bytemuck::{Pod, Zeroable};
use cudarc::driver::{CudaFunction, sys};

use super::device::Device;
use super::kernel::{Kernels, queue};
use crate::frame::{Layout, PlaneLayout, Sample};

/// Threads of a block, in x and y; each makes [`SAMPLES`] samples or pairs of a row.
const THREADS: [usize; 2] = [32, 8];
const SAMPLES: usize = 4;

/// One plane that is made; `Plane` in `kernels/join.cu`.
#[repr(C)]
#[derive(Clone, Copy, Zeroable, Pod)]
struct JoinedPlane {
    first: u64,
    second: u64,
    to: u64,
    first_stride: u32,
    second_stride: u32,
    to_stride: u32,
    width: u32,
    height: u32,
    unused: u32,
}

/// All arguments of a launch; `Launch` in `kernels/join.cu`.
#[repr(C)]
#[derive(Clone, Copy, Zeroable, Pod)]
struct Arguments {
    planes: [JoinedPlane; 3],
    shift: u32,
    unused: u32,
}

const _: () = assert!(size_of::<JoinedPlane>() == 48 && size_of::<Arguments>() == 152, "as in kernels/join.cu");

/// The kernel.
pub(super) struct Joiner {
    function: CudaFunction,
    sample: Sample,
}

impl Joiner {
    /// Compiles the kernel, or finds it in the user's cache.
    pub(super) fn new(device: &Device, sample: Sample) -> Result<Self> {
        let kernels = Kernels::new(device, |compiler| compiler.join(sample))?;
        let function = kernels.function("join")?;
        Ok(Self { function, sample })
    }

    /// Starts to copy planes in a stream, from a layout in memory that starts somewhere to another. The first has each
    /// plane by itself; in the other two may take turns.
    ///
    /// # Errors
    /// If planes are joined in another way, or the driver refuses.
    ///
    /// # Safety
    /// The stream is live. Both layouts are of one format of the kernel's samples and lie within their memory, which is
    /// live until an event is done that is recorded after this; what is read is there when the stream comes to it, and
    /// nothing else uses what is written.
    pub(super) unsafe fn start(
        &self,
        stream: sys::CUstream,
        (from, source): (&Layout, u64),
        (to, target): (&Layout, u64),
    ) -> Result<()> {
        let (arguments, count) = arguments(self.sample.bytes(), (from, source), (to, target))?;
        let (width, height) = to.planes.first().map_or((1, 1), |plane| (plane.width, plane.height));
        let blocks = [width.div_ceil(THREADS[0] * SAMPLES), height.div_ceil(THREADS[1]), count];
        // SAFETY: the kernel takes one argument by value, of the layout of `Arguments`, which the driver copies before
        // it returns. It reads the planes of the one layout and writes those of the other; the caller vouches for both
        // and for the stream. The first plane is the largest, so that the blocks cover each.
        unsafe { queue(stream, &self.function, blocks, THREADS, arguments) }
    }
}

/// What the kernel is told of samples of `sample` bytes, and how many planes it makes.
fn arguments(
    sample: usize,
    (from, source): (&Layout, u64),
    (to, target): (&Layout, u64),
) -> Result<(Arguments, usize)> {
    ensure!(from.is_planar(), "planes with shared rows are interleaved already");
    let mut arguments = Arguments { shift: to.shift.into(), ..Arguments::zeroed() };
    let mut places = arguments.planes.iter_mut();
    let (mut planes, mut count) = (from.planes.iter().zip(&to.planes), 0);
    while let Some((first, made)) = planes.next() {
        let place = places.next().context("the picture has more than three planes")?;
        *place = JoinedPlane {
            first: source + first.offset_bytes as u64,
            second: 0,
            to: target + made.offset_bytes as u64,
            first_stride: far(first.stride)?,
            second_stride: 0,
            to_stride: far(made.stride)?,
            width: made.width as u32,
            height: made.height as u32,
            unused: 0,
        };
        count += 1;
        if made.step == 1 {
            continue;
        }
        let (second, partner) = planes.next().context("an interleaved plane has no partner")?;
        let pair = PlaneLayout { offset_bytes: made.offset_bytes + sample, ..made.clone() };
        ensure!(made.step == 2 && *partner == pair, "the planes have another interleaved layout");
        let is_even = place.to.is_multiple_of(2 * sample as u64) && made.stride.is_multiple_of(2);
        ensure!(is_even, "a row begins in the middle of a sample pair");
        place.second = source + second.offset_bytes as u64;
        place.second_stride = far(second.stride)?;
    }
    Ok((arguments, count))
}

/// A distance as the kernel takes it.
fn far(stride: usize) -> Result<u32> {
    u32::try_from(stride).context("the row pitch is too large")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{Family, Format, Pixel, Rational};

    fn format(pixel: Pixel, width: usize, height: usize) -> Format {
        Format::new(pixel, width, height, Rational::new(25, 1))
    }

    #[test]
    fn chroma_takes_turns() -> Result<()> {
        let format = format(Pixel::yuv420p(10), 33, 17);
        let (from, to) = (Layout::aligned(&format), Layout::semi_planar(&format, 512, 17 * 512)?);
        let (arguments, count) = arguments(2, (&from, 1 << 20), (&to, 1 << 30))?;
        let [luma, chroma, none] = arguments.planes;
        assert_eq!((count, arguments.shift), (2, 6));
        assert_eq!((luma.first, luma.second, luma.to), (1 << 20, 0, 1 << 30));
        assert_eq!((luma.first_stride, luma.to_stride, luma.width, luma.height), (64, 256, 33, 17));
        let start = |plane: usize| (1 << 20) + from.planes[plane].offset_bytes as u64;
        assert_eq!((chroma.first, chroma.second, chroma.to), (start(1), start(2), (1 << 30) + 17 * 512));
        assert_eq!((chroma.first_stride, chroma.second_stride, chroma.to_stride), (32, 32, 256));
        assert_eq!((chroma.width, chroma.height), (17, 9));
        assert_eq!((none.to, none.width), (0, 0));
        Ok(())
    }

    #[test]
    fn planes_by_themselves_stay_so() -> Result<()> {
        let format = format(Pixel::integer(Family::Yuv, 0, 0, 8), 30, 20);
        let (from, to) = (Layout::packed(&format), Layout::aligned(&format));
        let (arguments, count) = arguments(1, (&from, 4096), (&to, 8192))?;
        assert_eq!((count, arguments.shift), (3, 0));
        for (index, plane) in arguments.planes.into_iter().enumerate() {
            assert_eq!((plane.first, plane.to), (4096 + 600 * index as u64, 8192 + 1280 * index as u64));
            assert_eq!((plane.second, plane.first_stride, plane.to_stride), (0, 30, 64));
        }
        Ok(())
    }

    #[test]
    fn what_is_joined_in_another_way_is_refused() -> Result<()> {
        let format = format(Pixel::yuv420p(8), 32, 16);
        let (planar, semi) = (Layout::aligned(&format), Layout::semi_planar(&format, 64, 64 * 16)?);
        let refused = |from: &Layout, to: &Layout, at: u64| {
            assert!(arguments(1, (from, 0), (to, at)).is_err(), "{from:?} to {to:?} at {at}");
        };
        refused(&semi, &planar, 0);
        refused(&planar, &semi, 1);
        let with = |change: fn(&mut Layout)| {
            let mut layout = semi.clone();
            change(&mut layout);
            layout
        };
        refused(&planar, &with(|layout| layout.planes[1].stride += 1), 0);
        refused(&planar, &with(|layout| layout.planes[1].step = 3), 0);
        refused(&planar, &with(|layout| layout.planes[2].offset_bytes += 2), 0);
        // The alpha of four planes has no place.
        let [three, four] = [3, 4].map(|count| Layout::new(vec![planar.planes[0].clone(); count]));
        assert!(arguments(1, (&three, 0), (&three, 0)).is_ok());
        refused(&four, &four, 0);
        Ok(())
    }
}
