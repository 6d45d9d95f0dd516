//! Which GPUs filter, where that is typed.

use std::str::FromStr;

use anyhow::{Error, Result, bail, ensure};

/// Which GPUs filter one clip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GpuChoice {
    /// All that can be used.
    All,
    /// These, by their numbers, each once; at least one.
    These(Vec<usize>),
}

impl FromStr for GpuChoice {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text == "all" {
            return Ok(Self::All);
        }
        let mut numbers: Vec<usize> = Vec::new();
        for word in text.split(',') {
            let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
            let Some(number) = word.parse().ok().filter(|_| is_number) else {
                bail!("--gpus {text:?} names no GPUs; type --gpus all, or numbers that doctor prints, as --gpus 0,1")
            };
            ensure!(!numbers.contains(&number), "--gpus {text:?} names GPU {number} twice; name each once");
            numbers.push(number);
        }
        Ok(Self::These(numbers))
    }
}
