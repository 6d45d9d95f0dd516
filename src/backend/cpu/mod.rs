//! The CPU stage.
/// The CPU stage.
pub struct Cpu;
