//! `--max-memory`: how much memory a job may take, as it is typed, and what the machine has.

use std::fs;
use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, Error, Result};

use crate::frame::budget;

/// A limit of memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MemoryLimit {
    /// So many bytes.
    Bytes(u64),
    /// A part of what the machine has, or of what its control group allows, where that is less.
    Share(f64),
}

impl Default for MemoryLimit {
    /// Frames beyond it would be swapped, or end the process.
    fn default() -> Self {
        Self::Share(0.8)
    }
}

impl FromStr for MemoryLimit {
    type Err = Error;

    /// `2GiB`, `2G`, `512M`, `50%`: G and GiB are 2³⁰ bytes, GB is 10⁹.
    fn from_str(text: &str) -> Result<Self> {
        let wrong = || format!("{text:?} is not a size; type --max-memory 2GiB, 512M or 50%");
        let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let number: f64 = number.parse().ok().filter(|number| *number > 0.0).with_context(wrong)?;
        if unit == "%" {
            return Some(Self::Share(number / 100.0)).filter(|_| number <= 100.0).with_context(wrong);
        }
        let scale = match unit.to_ascii_lowercase().as_str() {
            "" | "b" => 1.0,
            "k" | "kib" => 1024.0,
            "kb" => 1e3,
            "m" | "mib" => f64::from(1 << 20),
            "mb" => 1e6,
            "g" | "gib" => f64::from(1 << 30),
            "gb" => 1e9,
            "t" | "tib" => (1u64 << 40) as f64,
            "tb" => 1e12,
            _ => return None.with_context(wrong),
        };
        // A limit below a mebibyte is a unit that was forgotten.
        Some(Self::Bytes((number * scale) as u64)).filter(|_| number * scale >= f64::from(1 << 20)).with_context(wrong)
    }
}

impl MemoryLimit {
    /// Sets the limit for all that this process takes from now on. A share of what cannot be found out is no limit.
    pub fn apply(self) {
        let bytes = match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::Share(share) => available_bytes().map(|bytes| (bytes as f64 * share) as u64),
        };
        budget::set_limit(bytes.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(usize::MAX));
    }
}

/// The memory of this machine, or of its control group, where that is less.
fn available_bytes() -> Option<u64> {
    let physical = fs::read_to_string("/proc/meminfo").ok().and_then(|text| physical_bytes(&text));
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let group = group_bytes(&groups, Path::new("/sys/fs/cgroup"));
    physical.into_iter().chain(group).min()
}

/// `MemTotal` of `/proc/meminfo`.
fn physical_bytes(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

/// The least limit of the control groups that `/proc/self/cgroup` names, and of those above them.
fn group_bytes(groups: &str, root: &Path) -> Option<u64> {
    let limits = groups.lines().filter_map(|line| {
        let (_, rest) = line.split_once(':')?;
        let (controllers, path) = rest.split_once(':')?;
        let (root, file) = match controllers {
            "" => (root.to_owned(), "memory.max"),
            "memory" => (root.join("memory"), "memory.limit_in_bytes"),
            _ => return None,
        };
        let folder = root.join(path.trim_start_matches('/'));
        let above = folder.ancestors().take_while(|folder| folder.starts_with(&root));
        above.filter_map(|folder| fs::read_to_string(folder.join(file)).ok()?.trim().parse().ok()).min()
    });
    limits.min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_as_they_are_typed() {
        for (text, limit) in [
            ("2GiB", MemoryLimit::Bytes(2 << 30)),
            ("1.5g", MemoryLimit::Bytes(3 << 29)),
            ("512M", MemoryLimit::Bytes(512 << 20)),
            ("1GB", MemoryLimit::Bytes(1_000_000_000)),
            ("50%", MemoryLimit::Share(0.5)),
        ] {
            assert_eq!(text.parse::<MemoryLimit>().unwrap(), limit, "{text}");
        }
        for text in ["", "0", "2", "1k", "-1G", "1e3G", "101%", "2 GiB", "GiB", "1..2G", "inf", "nan%"] {
            let error = text.parse::<MemoryLimit>().unwrap_err().to_string();
            assert!(error.contains("is not a size; type --max-memory 2GiB"), "{text}: {error}");
        }
    }

    #[test]
    fn the_least_limit_of_the_machine_and_its_groups() {
        assert_eq!(physical_bytes("MemFree: 1 kB\nMemTotal:       16 kB\n"), Some(16 << 10));
        let root = tempfile::tempdir().unwrap();
        let inner = root.path().join("a/b");
        fs::create_dir_all(&inner).unwrap();
        fs::write(root.path().join("a/memory.max"), "4096\n").unwrap();
        fs::write(inner.join("memory.max"), "max\n").unwrap();
        assert_eq!(group_bytes("0::/a/b\n", root.path()), Some(4096));
        assert_eq!(group_bytes("0::/\n1:cpu:/a\n", root.path()), None);
        let old = root.path().join("memory/c");
        fs::create_dir_all(&old).unwrap();
        fs::write(old.join("memory.limit_in_bytes"), "8192").unwrap();
        assert_eq!(group_bytes("5:memory:/c\n0::/a", root.path()), Some(4096));
        assert_eq!(group_bytes("5:memory:/c", root.path()), Some(8192));
        assert!(available_bytes().is_none_or(|bytes| bytes > 1 << 20));
    }
}
