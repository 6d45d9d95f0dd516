//! What a job is told beside its input and its output, by whoever runs, measures or explains one.

use clap::Args;

use super::chain::Chain;
use super::execution::Execution;
use super::reading::Reading;
use super::writing::Writing;

/// How a job reads, filters, writes and runs.
#[derive(Debug, Args)]
pub struct JobOptions {
    /// How the input is read.
    #[command(flatten)]
    pub reading: Reading,
    /// What is done.
    #[command(flatten)]
    pub chain: Chain,
    /// How the output is written.
    #[command(flatten)]
    pub writing: Writing,
    /// What does the work.
    #[command(flatten)]
    pub execution: Execution,
}
