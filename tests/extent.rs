//! How much of the tests that are sampled runs: a sample, or everything with `WARPREEL_TESTS=all`, as `scripts/test-whole` runs it.

#[cfg(feature = "cli")]
use proptest::test_runner::{Config, TestRunner};

/// Whether everything is asked for.
pub fn is_whole() -> bool {
    std::env::var_os("WARPREEL_TESTS").is_some_and(|value| value == "all")
}

/// Every third of `cases`, and all of them where everything is asked for.
pub fn sample<I: Iterator>(cases: I) -> std::iter::StepBy<I> {
    cases.step_by(if is_whole() { 1 } else { 3 })
}

/// A runner of random cases, other ones in each run: a third of `cases`, and all of them where everything is asked for.
#[cfg(feature = "cli")]
pub fn runner(cases: u32) -> TestRunner {
    let cases = if is_whole() { cases } else { cases.div_ceil(3) };
    TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() })
}
