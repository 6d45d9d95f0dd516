//! A name of a type means one thing.

use std::collections::BTreeMap;

use super::{code, sources};

/// Names that stand at several types, which are forms of one thing.
const SHARED: [&str; 16] = [
    // An operation, and how the CPU stage holds it.
    "Blend",
    "Dense",
    "Finish",
    "Gain",
    "Pointwise",
    "Separable",
    // The types of samples, as a list and as a trait of the CPU stage.
    "Sample",
    // What a filter wants or a plan says, and how it is done.
    "Bypass",
    "Guard",
    "Steady",
    // Reading a format, and writing it.
    "Container",
    "Raw",
    "Y4m",
    // All arguments of a launch, of one kernel each.
    "Arguments",
    // What a build without FFmpeg has in their place.
    "Condition",
    "Watch",
];

/// The type that a line of code defines, with whatever visibility.
fn defined(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(')')?.1,
        Some(rest) if rest.starts_with(' ') => rest,
        _ => line,
    };
    let line = line.trim_start();
    let line = line.strip_prefix("unsafe ").unwrap_or(line);
    let (kind, rest) = line.split_once(' ')?;
    let name = rest.split(|sign: char| !sign.is_alphanumeric() && sign != '_').next()?;
    (["struct", "enum", "trait", "union"].contains(&kind) && name.starts_with(char::is_uppercase)).then_some(name)
}

#[test]
fn a_type_is_called_like_no_other() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in sources() {
        for name in code(&text).filter_map(defined) {
            places.entry(name.to_owned()).or_default().push(path.clone());
        }
    }
    assert!(places.len() > 300, "there is something to look at");
    places.retain(|_, files| files.len() > 1);
    let unexpected: Vec<_> = places.iter().filter(|(name, _)| !SHARED.contains(&name.as_str())).collect();
    assert!(unexpected.is_empty(), "these names mean several things: {unexpected:?}");
    let alone: Vec<_> = SHARED.iter().filter(|name| !places.contains_key(**name)).collect();
    assert!(alone.is_empty(), "these names are shared no more: {alone:?}");
}
