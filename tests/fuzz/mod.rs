//! Targets of fuzzing: each takes any bytes, and fails by a panic. Here they run over their corpora and over mutations from a
//! fixed seed; `scripts/fuzz` runs them with AddressSanitizer and the guidance of libFuzzer.

mod cache;
mod chain;
mod chunk;
mod container;
mod folder;
mod kernel;
mod mask;
#[cfg(test)]
mod mutation;
mod page;
mod raw;
mod sequence;
mod structure;
mod timeline;
mod y4m;

#[cfg(test)]
mod replay;

/// A target by its name, and how many mutations the tests run.
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]),
    #[cfg_attr(not(test), allow(dead_code))]
    pub mutations: usize,
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "chain", run: chain::run, mutations: 2_000 },
    Target { name: "kernel", run: kernel::run, mutations: 1_000 },
    Target { name: "mask", run: mask::run, mutations: 300 },
    Target { name: "timeline", run: timeline::run, mutations: 2_000 },
    Target { name: "y4m", run: y4m::run, mutations: 300 },
    Target { name: "raw", run: raw::run, mutations: 1_000 },
    Target { name: "sequence", run: sequence::run, mutations: 5_000 },
    Target { name: "cache", run: cache::run, mutations: 500 },
    Target { name: "chunk", run: chunk::run, mutations: 60 },
    Target { name: "page", run: page::run, mutations: 300 },
    Target { name: "container", run: container::run, mutations: 300 },
    Target { name: "structure", run: structure::run, mutations: 60 },
];
