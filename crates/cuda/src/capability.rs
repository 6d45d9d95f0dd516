//! What a GPU decodes, asked of the driver's decoding library.

use std::mem::ManuallyDrop;
use std::sync::OnceLock;

use anyhow::{Context, Result, ensure};
use libloading::Library;

use super::device::Device;
use crate::backend::{Decodable, DecodingCapability};
use crate::frame::{Family, Pixel};

/// `CUVIDDECODECAPS` of `cuviddec.h`.
#[repr(C)]
#[derive(Default)]
struct Capabilities {
    codec: u32,
    chroma: u32,
    depth_minus_8: u32,
    reserved_in: [u32; 3],
    is_supported: u8,
    engines: u8,
    output_formats: u16,
    most_width: u32,
    most_height: u32,
    most_blocks: u32,
    least_width: u16,
    least_height: u16,
    histogram: [u8; 2],
    histogram_bins: u16,
    reserved_out: [u32; 10],
}

const _: () = assert!(size_of::<Capabilities>() == 88, "as in cuviddec.h");

type Ask = unsafe extern "C" fn(*mut Capabilities) -> i32;

/// What every decoder of which makes the same samples, by FFmpeg's name and the library's number. How the older ones round is
/// not laid down to the last bit.
const CODECS: [(&str, u32); 5] = [("h264", 4), ("hevc", 8), ("vp8", 9), ("vp9", 10), ("av1", 11)];
/// The library's numbers of how colours are sampled, with what people call them; those that FFmpeg passes on as they are.
const CHROMAS: [(&str, u32); 2] = [("4:2:0", 1), ("4:4:4", 3)];
const DEPTHS: [u8; 3] = [8, 10, 12];

/// The function that tells, out of a library that stays loaded.
fn function() -> Option<Ask> {
    static FUNCTION: OnceLock<Option<Ask>> = OnceLock::new();
    *FUNCTION.get_or_init(|| {
        // SAFETY: loading runs the initialisers of the driver's own library, as every program that decodes does.
        let library =
            ["libnvcuvid.so.1", "libnvcuvid.so"].into_iter().find_map(|name| unsafe { Library::new(name) }.ok())?;
        let library = ManuallyDrop::new(library);
        // SAFETY: the type is that of the function in `cuviddec.h`, and the library is never unloaded.
        unsafe { library.get::<Ask>(b"cuvidGetDecoderCaps\0") }.ok().map(|ask| *ask)
    })
}

impl Device {
    /// How the GPU decodes a codec by FFmpeg's name, of frames of a pixel and size; `None` where it does not, or not to the
    /// same samples as every other decoder.
    ///
    /// # Errors
    /// If the driver has no decoding library, or refuses to tell.
    pub fn decodable(&self, codec: &str, pixel: Pixel, (width, height): (usize, usize)) -> Result<Option<Decodable>> {
        let Some((_, codec)) = CODECS.iter().find(|(name, _)| *name == codec) else { return Ok(None) };
        let chroma = match (pixel.family, pixel.log2_chroma_w, pixel.log2_chroma_h, pixel.alpha) {
            (Family::Yuv, 1, 1, false) => 1,
            (Family::Yuv, 0, 0, false) => 3,
            _ => return Ok(None),
        };
        let told = self.capabilities(*codec, chroma, pixel.depth)?;
        let blocks = width.div_ceil(16) * height.div_ceil(16);
        let fits = (usize::from(told.least_width)..=told.most_width as usize).contains(&width)
            && (usize::from(told.least_height)..=told.most_height as usize).contains(&height)
            && blocks <= told.most_blocks as usize;
        Ok((told.is_supported != 0 && fits).then_some(Decodable { engines: usize::from(told.engines).max(1) }))
    }

    /// All that the GPU decodes to the same samples as every other decoder; empty where the driver does not tell.
    pub fn decoding_capabilities(&self) -> Vec<DecodingCapability> {
        let mut all = Vec::new();
        for (codec, number) in CODECS {
            for (chroma, kind) in CHROMAS {
                for depth in DEPTHS {
                    let Ok(told) = self.capabilities(number, kind, depth) else { continue };
                    let (width, height) = (told.most_width as usize, told.most_height as usize);
                    if told.is_supported != 0 {
                        let engines = usize::from(told.engines).max(1);
                        all.push(DecodingCapability { codec, chroma, depth, engines, width, height });
                    }
                }
            }
        }
        all
    }

    fn capabilities(&self, codec: u32, chroma: u32, depth: u8) -> Result<Capabilities> {
        let ask = function().context("the NVIDIA driver has no decoding library (libnvcuvid.so.1)")?;
        self.bind()?;
        let depth_minus_8 = u32::from(depth.saturating_sub(8));
        let mut told = Capabilities { codec, chroma, depth_minus_8, ..Capabilities::default() };
        // SAFETY: a context is current, and the structure is the one that the function fills, alive through the call.
        let code = unsafe { ask(&mut told) };
        ensure!(code == 0, "the driver does not report what GPU {} decodes (error {code})", self.ordinal);
        Ok(told)
    }
}
