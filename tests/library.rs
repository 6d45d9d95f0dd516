//! The manifest at the head of docs/library.md, in a project of its own.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The fenced block of a language in docs/library.md, the first one.
fn block(language: &str) -> String {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/library.md")).expect("the page");
    let (_, from) = page.split_once(&format!("```{language}\n")).expect("a block");
    from.split_once("```").expect("its end").0.to_owned()
}

/// Filters of a program's debug build are compiled as for a release, and the program itself is not.
#[test]
fn the_manifest_optimises_filters_in_debug_builds() {
    let root = env!("CARGO_MANIFEST_DIR");
    let folder = tempfile::tempdir().expect("a folder");
    let manifest = block("toml").replace(r#""../warpreel""#, &format!("{root:?}"));
    assert!(manifest.contains(root), "{manifest}");
    let package = "[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n";
    fs::write(folder.path().join("Cargo.toml"), package.to_owned() + &manifest).expect("a manifest");
    fs::copy(Path::new(root).join("Cargo.lock"), folder.path().join("Cargo.lock")).expect("a lock file");
    fs::create_dir(folder.path().join("src")).expect("a folder");
    fs::write(folder.path().join("src/main.rs"), block("rust")).expect("a program");
    // The plan of a build, which stable toolchains give where they are asked to bootstrap.
    let planned = Command::new(env!("CARGO"))
        .args(["build", "--offline", "--unit-graph", "-Z", "unstable-options"])
        .env("RUSTC_BOOTSTRAP", "1")
        .env_remove("CARGO_TARGET_DIR")
        .current_dir(folder.path())
        .output()
        .expect("cargo");
    assert!(planned.status.success(), "{}", String::from_utf8_lossy(&planned.stderr));
    let graph: Value = serde_json::from_slice(&planned.stdout).expect("a graph");
    let units = graph["units"].as_array().expect("units");
    let level = |name: &str| {
        let named = |unit: &&Value| {
            let kinds = unit["target"]["kind"].as_array().expect("kinds");
            unit["target"]["name"] == name && kinds.iter().any(|kind| kind == "lib" || kind == "bin")
        };
        units.iter().find(named).unwrap_or_else(|| panic!("no {name}"))["profile"]["opt_level"].clone()
    };
    for name in ["", "_cpu", "_cuda", "_engine", "_filter", "_frame"] {
        assert_eq!(level(&format!("warpreel{name}")), "3", "warpreel{name}");
    }
    for name in ["wide", "rayon", "bytemuck"] {
        assert_eq!(level(name), "3", "{name}");
    }
    assert_eq!(level("user"), "0");
}
