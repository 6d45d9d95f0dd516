//! The vector instructions that the CPU stage is written in: one trait, and for each set of instructions a column of
//! a table (x86-64) or the vectors of a crate that has those of every machine (`portable`).
//!
//! A [`Simd`] value is a proof that the machine has the instructions: it can only be had where they were looked for, as
//! [`Level::best`] and [`Level::available`] do. Loops are written once, as what runs [`WithSimd`], and compiled once for
//! each set. Every set gives the same bits: there is no approximate instruction here, and a fused multiply-add is always
//! fused.
//!
//! The sets of x86-64 are chosen when the program runs, so they cannot come from `wide`, whose vectors are those that a
//! whole program is compiled for. Crates that choose when the program runs have no dot products of bytes (`pulp`), or
//! ask AVX-512 for what machines lack that have all that is used here (`fearless_simd`, which would run AVX2 on a
//! Cascade Lake).

mod dot;
mod level;
mod number;
mod portable;
mod shuffle;
#[cfg(test)]
mod tests;
mod transpose;
mod vector;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use dot::Dot;
pub use level::Level;
pub use number::{Number, Sample};
pub use portable::Portable;
pub use transpose::SquareTile;
pub use vector::{NAN, Simd, WithSimd, quiet};
#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512};
