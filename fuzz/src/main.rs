//! One target of fuzzing, by its name in `WARPREEL_FUZZ`. The targets themselves are in `tests/fuzz`, where `cargo test` runs
//! them too.

#![no_main]
#![allow(dead_code, unused_imports)]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/agreement/mod.rs"]
mod agreement;
#[path = "../../tests/extent.rs"]
mod extent;
#[path = "../../tests/fuzz/mod.rs"]
mod fuzz;
#[path = "../../tests/oracle/mod.rs"]
mod oracle;
#[path = "../../tests/stage.rs"]
mod stage;

/// What the tests of the filters lend to the targets.
mod filter {
    use warpreel::filter::{Defaults, Filter, parse};

    /// A chain that is known to be right.
    pub fn chain(text: &str) -> Vec<Filter> {
        parse(text, &Defaults::default()).expect("a chain")
    }
}

fuzz_target!(|bytes: &[u8]| {
    static RUN: OnceLock<fn(&[u8])> = OnceLock::new();
    let run = RUN.get_or_init(|| {
        let name = std::env::var("WARPREEL_FUZZ").expect("a target's name in WARPREEL_FUZZ");
        let target = fuzz::TARGETS.iter().find(|target| target.name == name);
        target.unwrap_or_else(|| panic!("there is no target {name:?}")).run
    });
    run(bytes);
});
