//! Which set of instructions is used ([`Level`]).

use std::fmt;

use super::portable::Portable;
use super::vector::{Simd, WithSimd};
#[cfg(target_arch = "x86_64")]
use super::x86::{Avx2, Avx512};

/// Which set of instructions the loops run with.
#[derive(Clone, Copy, Debug)]
pub enum Level {
    /// What every machine of the program's architecture has: NEON on AArch64, and SSE2 on x86-64, where it is slow
    /// for want of a fused multiply-add.
    Portable,
    /// AVX2 and FMA: Haswell, Zen and later.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// AVX-512 F, BW, DQ, VL and VNNI: Ice Lake, Zen 4 and later.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Level {
    /// Every level that this machine has, the fastest last.
    pub fn available() -> Vec<Self> {
        let mut levels = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        levels.extend(Avx2::detect().map(Self::Avx2));
        #[cfg(target_arch = "x86_64")]
        levels.extend(Avx512::detect().map(Self::Avx512));
        levels
    }

    /// The fastest that this machine has.
    pub fn best() -> Self {
        Self::available().pop().unwrap_or(Self::Portable)
    }

    /// What it is called: `portable`, `AVX2`, `AVX-512`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "AVX-512",
        }
    }

    /// Runs `work` at this level.
    pub fn run<W: WithSimd>(self, work: W) {
        match self {
            Self::Portable => Portable.run(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(simd) => simd.run(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(simd) => simd.run(work),
        }
    }
    /// Runs `work` at this level, or with vectors of 32 bytes where they are longer: for what comes in rows of that length. Loops
    /// are not compiled for longer ones then.
    pub fn run_narrow<W: WithSimd>(self, work: W) {
        match self {
            Self::Portable => Portable.run(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(simd) => simd.run(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => match Avx2::detect() {
                Some(simd) => simd.run(work),
                None => Portable.run(work),
            },
        }
    }
}
