//! Options of a job, common to running, measuring and explaining one.

use clap::Args;

use super::chain::Chain;
use super::execution::Execution;
use super::reading::Reading;
use super::writing::Writing;

/// How a job reads, filters, writes and runs.
#[derive(Debug, Args)]
pub struct JobOptions {
    /// The filters.
    #[command(flatten)]
    pub chain: Chain,
    /// How the input is read.
    #[command(flatten)]
    pub reading: Reading,
    /// How the output is written.
    #[command(flatten)]
    pub writing: Writing,
    /// What does the work.
    #[command(flatten)]
    pub execution: Execution,
}
