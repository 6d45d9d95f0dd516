//! The choice between the CPU and GPUs.

use anyhow::Result;

/// What to filter with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Choice {
    /// The GPU where it works, else the CPU.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// The GPU, or an error.
    Cuda,
}

impl Choice {
    /// Makes the stage of this choice: with `gpu`, or with `cpu`, which gets the reason where the choice was open. `idle` is the
    /// reason to leave the GPU alone, such as a chain that does nothing.
    ///
    /// # Errors
    /// Those of the last that was tried.
    ///
    /// ```
    /// use warpreel::backend::Choice;
    ///
    /// let missing = || anyhow::bail!("no driver");
    /// let made = Choice::Auto.make(None, missing, |reason| Ok(format!("cpu ({})", reason.unwrap_or("chosen"))))?;
    /// assert_eq!(made, "cpu (no driver)");
    /// assert!(Choice::Cuda.make(None, missing, |_| Ok(String::new())).is_err());
    /// # anyhow::Ok(())
    /// ```
    pub fn make<T>(
        self,
        idle: Option<&str>,
        gpu: impl FnOnce() -> Result<T>,
        cpu: impl FnOnce(Option<&str>) -> Result<T>,
    ) -> Result<T> {
        match (self, idle) {
            (Self::Cpu, _) => cpu(None),
            (Self::Cuda, _) => gpu(),
            (Self::Auto, Some(idle)) => cpu(Some(idle)),
            (Self::Auto, None) => gpu().or_else(|error| cpu(Some(&format!("{error:#}")))),
        }
    }
}
