//! Which set of instructions is used ([`Level`]).

use std::fmt;

#[cfg(portable_loops)]
use super::portable::Portable;
use super::vector::{Simd, WithSimd};
#[cfg(avx2_loops)]
use super::x86::Avx2;
#[cfg(avx512_loops)]
use super::x86::Avx512;

/// Which set of instructions the loops run with, of those that they are compiled for: all, unless the program is compiled for
/// machines that never choose some (`build.rs`).
#[derive(Clone, Copy, Debug)]
pub enum Level {
    /// What every machine of the program's architecture has: NEON on AArch64, and SSE2 on x86-64, where it is slow
    /// for want of a fused multiply-add.
    #[cfg(portable_loops)]
    Portable,
    /// AVX2 and FMA: Haswell, Zen and later.
    #[cfg(avx2_loops)]
    Avx2(Avx2),
    /// AVX-512 F, BW, DQ, VL and VNNI: Ice Lake, Zen 4 and later.
    #[cfg(avx512_loops)]
    Avx512(Avx512),
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Level {
    /// What every machine has that the program is compiled for.
    #[cfg(portable_loops)]
    const LEAST: Self = Self::Portable;
    #[cfg(all(avx2_loops, not(portable_loops)))]
    const LEAST: Self = Self::Avx2(Avx2::known());
    #[cfg(not(any(avx2_loops, portable_loops)))]
    const LEAST: Self = Self::Avx512(Avx512::known());

    /// Every level that this machine has, the fastest last.
    pub fn available() -> Vec<Self> {
        let levels = [
            Some(Self::LEAST),
            #[cfg(all(avx2_loops, portable_loops))]
            Avx2::detect().map(Self::Avx2),
            #[cfg(all(avx512_loops, avx2_loops))]
            Avx512::detect().map(Self::Avx512),
        ];
        levels.into_iter().flatten().collect()
    }

    /// The fastest that this machine has.
    pub fn best() -> Self {
        Self::available().pop().unwrap_or(Self::LEAST)
    }

    /// What it is called: `portable`, `AVX2`, `AVX-512`.
    pub fn name(self) -> &'static str {
        match self {
            #[cfg(portable_loops)]
            Self::Portable => "portable",
            #[cfg(avx2_loops)]
            Self::Avx2(_) => "AVX2",
            #[cfg(avx512_loops)]
            Self::Avx512(_) => "AVX-512",
        }
    }

    /// Runs `work` at this level.
    pub fn run<W: WithSimd>(self, work: W) {
        match self {
            #[cfg(portable_loops)]
            Self::Portable => Portable.run(work),
            #[cfg(avx2_loops)]
            Self::Avx2(simd) => simd.run(work),
            #[cfg(avx512_loops)]
            Self::Avx512(simd) => simd.run(work),
        }
    }

    /// Runs `work` at this level, or with vectors of 32 bytes where they are longer: for what comes in rows of that length. Loops
    /// are not compiled for longer ones then.
    pub fn run_narrow<W: WithSimd>(self, work: W) {
        match self {
            #[cfg(portable_loops)]
            Self::Portable => Portable.run(work),
            #[cfg(avx2_loops)]
            Self::Avx2(simd) => simd.run(work),
            #[cfg(avx512_loops)]
            Self::Avx512(simd) => simd.narrow().run(work),
        }
    }
}
