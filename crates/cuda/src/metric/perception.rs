//! Structural errors, ringing and blurring in XYB: `kernels/ssimulacra2.cu`, scale by scale.

use anyhow::Result;
use bytemuck::{Pod, Zeroable};
use cudarc::driver::CudaFunction;

use crate::backend::{PerceptionPlan, PerceptionScale};
use crate::device::Device;
use crate::frame::Format;
use crate::image::Image;
use crate::kernel::Kernels;
use crate::launch::SourcePlane;
use crate::memory::DeviceBuffer;
use crate::stream::Streams;

use super::launch::{SumAddress, THREADS, launch};

/// Figures of a row.
const FIGURES: usize = 18;
/// Columns that are summed in f32.
const TILE: usize = 256;
/// Rows of a block of threads that compares: eight lanes take one.
const TALL: usize = THREADS / 8;
/// Rows of a block of threads that makes light: a warp takes two.
const LIGHT_ROWS: usize = 2 * THREADS / 32;

/// All arguments of a launch; `Light` in `kernels/ssimulacra2.cu`.
#[repr(C)]
#[derive(Clone, Copy, Zeroable, Pod)]
struct LightArguments {
    planes: [[SourcePlane; 3]; 2],
    linear: [u64; 2],
    colours: [u64; 2],
    half: [u64; 2],
    size: [u32; 2],
    chroma_size: [u32; 2],
    yuv: u32,
    steps: [u32; 2],
    left: u32,
    luma: [f32; 2],
    chroma: [f32; 2],
    weights: [f32; 4],
}

/// All arguments of a launch; `Compare` in `kernels/ssimulacra2.cu`.
#[repr(C)]
#[derive(Clone, Copy, Zeroable, Pod)]
struct CompareArguments {
    colours: [u64; 2],
    blurred: u64,
    tiles: u64,
    rows: u64,
    width: u32,
    height: u32,
    wanted: u32,
    count: u32,
}

/// Addresses of pictures on the GPU, used in the compute stream alone.
struct LightMemory {
    memory: DeviceBuffer,
    /// Where in it XYB of both frames is.
    colours: [u64; 2],
    /// Linear light of both frames, of two scales in turns.
    halves: [[u64; 2]; 2],
    blurred: u64,
    tiles: u64,
}

impl LightMemory {
    /// Bytes from one picture to the next are whole steps.
    const GRAIN_BYTES: usize = 256;

    fn new(device: &Device, scales: &[PerceptionScale]) -> Result<Self> {
        let samples = |scale: usize| scales.get(scale).map_or(0, |scale| scale.width * scale.height);
        let three = |scale: usize| 3 * samples(scale) * size_of::<f32>();
        let tiles = scales.first().map_or(0, |scale| scale.height * scale.width.div_ceil(TILE));
        let sizes = [
            three(0),
            three(0),
            three(1),
            three(1),
            three(2),
            three(2),
            4 * three(0),
            tiles * FIGURES * size_of::<f64>(),
        ];
        let mut bytes = 0;
        let places = sizes.map(|size| {
            let place = bytes;
            bytes += size.next_multiple_of(Self::GRAIN_BYTES);
            place
        });
        let memory = DeviceBuffer::new(&device.context, bytes)?;
        let [a, b, one, other, next, second, blurred, tiles] = places.map(|place| memory.address + place as u64);
        Ok(Self { memory, colours: [a, b], halves: [[one, other], [next, second]], blurred, tiles })
    }
}

/// Sums figures of all scales.
pub(super) struct PerceptionSummer {
    of_frame: CudaFunction,
    of_half: CudaFunction,
    across: CudaFunction,
    compare: CudaFunction,
    rows: CudaFunction,
    plan: PerceptionPlan,
    chroma_size: (usize, usize),
    pictures: LightMemory,
}

impl PerceptionSummer {
    pub(super) fn new(device: &Device, kernels: &Kernels, format: &Format, plan: &PerceptionPlan) -> Result<Self> {
        let pictures = LightMemory::new(device, &plan.scales)?;
        log::debug!("ssimulacra2 takes {} MiB on GPU {}", pictures.memory.bytes.div_ceil(1 << 20), device.ordinal);
        Ok(Self {
            of_frame: kernels.function("metric_light_of_frame")?,
            of_half: kernels.function("metric_light_of_half")?,
            across: kernels.function("metric_across")?,
            compare: kernels.function("metric_compare")?,
            rows: kernels.function("metric_rows")?,
            plan: plan.clone(),
            chroma_size: format.plane_size(plan.planes[1]),
            pictures,
        })
    }

    /// Number of sums.
    pub(super) fn words(&self) -> usize {
        self.plan.scales.iter().map(|scale| FIGURES * scale.height).sum()
    }

    /// Queues the kernels of all scales.
    pub(super) fn start(&self, streams: &Streams, images: &[Image; 2], to: SumAddress) -> Result<()> {
        let mut address = to.0;
        for (index, scale) in self.plan.scales.iter().enumerate() {
            self.lighten(streams, images, index)?;
            self.compare(streams, scale, address)?;
            address += (FIGURES * scale.height * size_of::<f64>()) as u64;
        }
        Ok(())
    }

    /// Makes XYB of a scale, and the light of the next.
    fn lighten(&self, streams: &Streams, images: &[Image; 2], index: usize) -> Result<()> {
        let Self { plan, pictures, .. } = self;
        let PerceptionScale { width, height, .. } = plan.scales[index];
        let is_last = index + 1 == plan.scales.len();
        let (chroma_width, chroma_height) = self.chroma_size;
        let mut arguments = LightArguments {
            colours: pictures.colours,
            half: if is_last { [0; 2] } else { pictures.halves[index % 2] },
            size: [width as u32, height as u32],
            chroma_size: [chroma_width as u32, chroma_height as u32],
            yuv: plan.is_yuv.into(),
            steps: plan.steps.map(|step| step as u32),
            left: plan.is_left.into(),
            luma: plan.luma,
            chroma: plan.chroma,
            weights: plan.weights,
            ..LightArguments::zeroed()
        };
        let function = if index == 0 {
            arguments.planes = images.each_ref().map(|image| plan.planes.map(|plane| image.source(plane)));
            &self.of_frame
        } else {
            arguments.linear = pictures.halves[(index - 1) % 2];
            &self.of_half
        };
        // SAFETY: the kernels take these arguments. The images hold planes of the format, which the plan fits, as the meter checks, and the pictures three planes of the size
        // of the first scale, and of the second and third in turns; later ones are smaller.
        unsafe { launch(streams, function, [width.div_ceil(32), height.div_ceil(LIGHT_ROWS), 2], arguments) }
    }

    /// Blurs and compares a scale; the sums of its rows go to an address.
    fn compare(&self, streams: &Streams, scale: &PerceptionScale, address: u64) -> Result<()> {
        let Self { pictures, .. } = self;
        let PerceptionScale { width, height, wanted } = *scale;
        let tiles = width.div_ceil(TILE);
        let bits = wanted.iter().flatten().enumerate().map(|(bit, is_wanted)| u32::from(*is_wanted) << bit).sum();
        let arguments = CompareArguments {
            colours: pictures.colours,
            blurred: pictures.blurred,
            tiles: pictures.tiles,
            rows: address,
            width: width as u32,
            height: height as u32,
            wanted: bits,
            count: tiles as u32,
        };
        let grids = [
            (&self.across, [width.div_ceil(THREADS), height, 3]),
            (&self.compare, [tiles, height.div_ceil(TALL), 3]),
            (&self.rows, [(FIGURES * height).div_ceil(THREADS), 1, 1]),
        ];
        for (function, grid) in grids {
            // SAFETY: the kernels take these arguments. The pictures hold twelve planes of the size of the first scale, and the
            // figures of its tiles; later scales are smaller. The destination holds the figures of each row.
            unsafe { launch(streams, function, grid, arguments) }?;
        }
        Ok(())
    }

    /// The sums of the rows of each scale.
    pub(super) fn read(&self, words: &[u64]) -> Vec<Vec<[[f64; 6]; 3]>> {
        let mut rest = words;
        let next = |scale: &PerceptionScale| {
            let own;
            (own, rest) = rest.split_at(FIGURES * scale.height);
            let row = |row: &[u64; FIGURES]| {
                [0, 1, 2].map(|channel| [0, 1, 2, 3, 4, 5].map(|kind| f64::from_bits(row[6 * channel + kind])))
            };
            own.as_chunks::<FIGURES>().0.iter().map(row).collect()
        };
        self.plan.scales.iter().map(next).collect()
    }
}

// As the kernels lay them out.
const _: () = assert!(size_of::<LightArguments>() == 208 && size_of::<CompareArguments>() == 56);
