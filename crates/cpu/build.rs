//! For which sets of instructions the loops are compiled: `portable_loops`, `avx2_loops`, `avx512_loops`.
//!
//! A program for any x86-64 has all three and chooses when it runs. One that is compiled for machines with more leaves out what they
//! never choose: the portable loops if all have AVX2, and all others if all have the AVX-512 that is used here. One for the
//! machine that compiles it (`-C target-cpu=native`) has one set only, in less than half the time.

use std::env;

/// What the loops of AVX2 and AVX-512 need.
const AVX2: [&str; 2] = ["avx2", "fma"];
const AVX512: [&str; 5] = ["avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512vnni"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let value = |name: &str| env::var(name).unwrap_or_default();
    let features = value("CARGO_CFG_TARGET_FEATURE");
    let every = |names: &[&str]| names.iter().all(|name| features.split(',').any(|feature| feature == *name));
    let flags = value("CARGO_ENCODED_RUSTFLAGS");
    let native = flags.split('\x1f').any(|flag| flag.trim_start_matches("-C").trim_start() == "target-cpu=native");
    let x86 = value("CARGO_CFG_TARGET_ARCH") == "x86_64";
    let (avx2, avx512) = (x86 && every(&AVX2), x86 && every(&AVX2) && every(&AVX512));
    for (loops, compiled) in [
        ("portable_loops", !avx2),
        ("avx2_loops", x86 && !avx512),
        ("avx512_loops", x86 && (avx512 || !(native && avx2))),
    ] {
        println!("cargo::rustc-check-cfg=cfg({loops})");
        if compiled {
            println!("cargo::rustc-cfg={loops}");
        }
    }
}
