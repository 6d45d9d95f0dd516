//! Programs into machine code: the sources in `kernels/`, put together, compiled for one GPU, and kept on disk.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use anyhow::{Context, Result, anyhow};
use sha2::{Digest, Sha256};

use super::library::Nvrtc;
use super::program::{Program, SOURCES, SourceFile, pixel};
use crate::frame::{Pixel, Sample};

/// What the device code of all passes begins with, and what it ends with.
const BEGIN: [SourceFile; 2] =
    [("common.cuh", include_str!("../kernels/common.cuh")), ("tile.cuh", include_str!("../kernels/tile.cuh"))];
const END: [SourceFile; 1] = [("pass.cu", include_str!("../kernels/pass.cu"))];

/// The device code of passes. One text, because NVRTC has no folder to include from; `#line` keeps its messages right.
static SOURCE: LazyLock<String> =
    LazyLock::new(|| joined(BEGIN.iter().chain(SOURCES.iter().copied().flatten()).chain(&END)));

/// The device code that adds up brightness.
const MEASURE: &str = include_str!("../kernels/measure.cu");

/// The device code that counts what is asked about windows.
const SURVEY: &str = include_str!("../kernels/survey.cu");

/// The device code that counts how much frames differ.
const DECIMATE: &str = include_str!("../kernels/decimate.cu");

/// The device code that sets planes apart.
const SPLIT: &str = include_str!("../kernels/split.cu");

/// The device code that joins them.
const JOIN: &str = include_str!("../kernels/join.cu");

/// The device code that measures pairs of frames.
static METRIC: LazyLock<String> = LazyLock::new(|| {
    joined(&[
        ("metric.cuh", include_str!("../kernels/metric.cuh")),
        ("psnr.cu", include_str!("../kernels/psnr.cu")),
        ("ssim.cu", include_str!("../kernels/ssim.cu")),
        ("xpsnr.cu", include_str!("../kernels/xpsnr.cu")),
        ("ssimulacra2.cu", include_str!("../kernels/ssimulacra2.cu")),
    ])
});

/// Sources in one text.
fn joined<'a>(sources: impl IntoIterator<Item = &'a SourceFile>) -> String {
    sources.into_iter().map(|(name, text)| format!("#line 1 \"{name}\"\n{text}")).collect()
}

/// Compiles programs for one kind of GPU.
pub struct Compiler<'a> {
    nvrtc: &'a Nvrtc,
    target: i32,
    cache: Option<Cache>,
}

impl<'a> Compiler<'a> {
    /// A version that can compile kernels of one source side by side.
    const SPLITS: (i32, i32) = (12, 9);

    /// A compiler for GPUs of `target`, as `90`, that keeps what it makes in `cache`.
    pub fn new(nvrtc: &'a Nvrtc, target: i32, cache: Option<Cache>) -> Self {
        Self { nvrtc, target, cache }
    }

    /// Machine code for `program`: from the cache, or compiled, which takes 0.1 to 0.4 s.
    ///
    /// # Errors
    /// If the compiler fails. A cache that cannot be read or written is passed over.
    pub fn cubin(&self, program: &Program) -> Result<Vec<u8>> {
        let mut options = program.defines.clone();
        if program.takes_two_launches() && self.nvrtc.version >= Self::SPLITS {
            // Each kernel on a processor of its own.
            options.push("--split-compile=0".to_owned());
        }
        self.compiled("pass.cu", &SOURCE, &options).context("compile the kernel of a pass")
    }

    /// The same for several programs, side by side: one outcome each.
    pub fn cubins(&self, programs: &[Program]) -> Vec<Result<Vec<u8>>> {
        std::thread::scope(|scope| {
            let threads: Vec<_> = programs.iter().map(|program| scope.spawn(|| self.cubin(program))).collect();
            let outcome = |thread: std::thread::ScopedJoinHandle<'_, Result<Vec<u8>>>| {
                thread.join().unwrap_or_else(|_| Err(anyhow!("the kernel compiler's thread panicked")))
            };
            threads.into_iter().map(outcome).collect()
        })
    }

    /// Machine code that adds up samples of this type; otherwise as [`Compiler::cubin`].
    ///
    /// # Errors
    /// If the compiler fails.
    pub fn measure(&self, sample: Sample) -> Result<Vec<u8>> {
        let pixel = format!("-DPIXEL={}", pixel(sample));
        self.compiled("measure.cu", MEASURE, &[pixel]).context("compile the kernel that measures brightness")
    }

    /// Machine code that counts what is asked about windows of such pixels; otherwise as [`Compiler::cubin`].
    ///
    /// # Errors
    /// If the compiler fails.
    pub fn survey(&self, pixel: Pixel) -> Result<Vec<u8>> {
        // Bits of an integer sample beyond 8.
        let shift = pixel.depth.min(16).saturating_sub(8);
        let options = [format!("-DPIXEL={}", self::pixel(pixel.sample)), format!("-DSHIFT={shift}")];
        self.compiled("survey.cu", SURVEY, &options).context("compile the kernel that compares fields")
    }

    /// Machine code that counts how much frames differ whose samples are of this type; otherwise as [`Compiler::cubin`].
    ///
    /// # Errors
    /// If the compiler fails.
    pub fn decimate(&self, sample: Sample) -> Result<Vec<u8>> {
        let pixel = format!("-DPIXEL={}", pixel(sample));
        self.compiled("decimate.cu", DECIMATE, &[pixel]).context("compile the kernel that compares frames")
    }

    /// Machine code that measures pairs of frames whose samples are of this type; otherwise as [`Compiler::cubin`].
    ///
    /// # Errors
    /// If the compiler fails.
    pub fn metric(&self, sample: Sample) -> Result<Vec<u8>> {
        let pixel = format!("-DPIXEL={}", pixel(sample));
        self.compiled("metric.cu", &METRIC, &[pixel]).context("compile the kernels of metrics")
    }

    /// Machine code that sets planes apart whose samples are of this type; otherwise as [`Compiler::cubin`].
    ///
    /// # Errors
    /// If the compiler fails.
    pub fn split(&self, sample: Sample) -> Result<Vec<u8>> {
        let pixel = format!("-DPIXEL={}", pixel(sample));
        self.compiled("split.cu", SPLIT, &[pixel]).context("compile the kernel that deinterleaves planes")
    }

    /// Machine code that joins planes whose samples are of this type; otherwise as [`Compiler::cubin`].
    ///
    /// # Errors
    /// If the compiler fails.
    pub fn join(&self, sample: Sample) -> Result<Vec<u8>> {
        let pixel = format!("-DPIXEL={}", pixel(sample));
        self.compiled("join.cu", JOIN, &[pixel]).context("compile the kernel that interleaves planes")
    }

    fn compiled(&self, name: &str, source: &str, more: &[String]) -> Result<Vec<u8>> {
        let mut options =
            vec![format!("--gpu-architecture=sm_{}", self.target), "--fmad=false".into(), "--std=c++17".into()];
        options.push("--device-as-default-execution-space".into());
        options.extend_from_slice(more);
        let key = self.key(source, &options);
        if let Some(cubin) = self.cache.as_ref().and_then(|cache| cache.read(&key)) {
            return Ok(cubin);
        }
        let started = std::time::Instant::now();
        let cubin = self.nvrtc.compile(name, source, &options)?;
        log::debug!("compiled a kernel of {} bytes in {:.2} s", cubin.len(), started.elapsed().as_secs_f64());
        if let Some(cache) = &self.cache
            && let Err(error) = cache.write(&key, &cubin)
        {
            log::debug!("could not cache a compiled kernel: {error:#}");
        }
        Ok(cubin)
    }

    fn key(&self, source: &str, options: &[String]) -> String {
        let mut hash = Sha256::new();
        hash.update(source);
        hash.update(format!("NVRTC {}.{}", self.nvrtc.version.0, self.nvrtc.version.1));
        for option in options {
            hash.update([0]);
            hash.update(option);
        }
        hex(&hash.finalize())
    }
}

/// Compiled kernels on disk. Several programs may use one at once: an entry appears whole or not at all.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// A cache in a folder, which is made when something is written.
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// The cache in the user's cache folder, or `None` if there is no such folder.
    pub fn of_user() -> Option<Self> {
        let folders = directories::ProjectDirs::from("", "", "warpreel")?;
        Some(Self::at(&folders.cache_dir().join("kernels")))
    }

    /// An entry: `None` if there is none, or if it is damaged.
    pub fn read(&self, key: &str) -> Option<Vec<u8>> {
        let entry = fs::read(self.path(key)).ok()?;
        let (hash, cubin) = entry.split_at_checked(Self::HASH_BYTES)?;
        (Sha256::digest(cubin).as_slice() == hash).then(|| cubin.to_vec())
    }

    /// Adds or replaces an entry.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn write(&self, key: &str, cubin: &[u8]) -> Result<()> {
        fs::create_dir_all(&self.folder).with_context(|| format!("make {}", self.folder.display()))?;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(&Sha256::digest(cubin))?;
        file.write_all(cubin)?;
        file.persist(self.path(key))?;
        Ok(())
    }

    /// Where an entry lies.
    pub fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.cubin"))
    }

    /// An entry starts with the SHA-256 of the rest.
    const HASH_BYTES: usize = 32;
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
