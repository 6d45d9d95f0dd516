//! Completions, the manual, and what `make install` puts where.

use std::path::Path;
use std::process::Command;

use crate::program::binary;

use super::bench;

#[test]
fn completions_come_from_the_table_of_options() {
    let bench = bench();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = String::from_utf8(bench.pass(&["completions", shell])).unwrap();
        for word in ["start", "encoder-option", "explain", "completions", "repetitions"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let script = bench.pass(&["completions", "bash"]);
    let checked = bench.run("bash", &["-n"], &script);
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    let asked =
        "COMP_WORDS=(warpreel --enc); COMP_CWORD=1; _warpreel warpreel --enc warpreel; echo \"${COMPREPLY[*]}\"";
    let completed = bench.run("bash", &[], &[&script[..], asked.as_bytes()].concat());
    assert_eq!(String::from_utf8(completed.stdout).unwrap().trim(), "--encoder-option");
    assert_eq!(bench.warpreel(&["completions", "korn"]).status.code(), Some(2));
}

#[test]
fn the_manual_has_a_page_for_each_subcommand() {
    let bench = bench();
    let page = String::from_utf8(bench.pass(&["man"])).unwrap();
    for words in [".TH warpreel 1", "\\-\\-filter", "warpreel\\-bench(1)", ".SH EXTRA"] {
        assert!(page.contains(words), "{words}");
    }
    let page = String::from_utf8(bench.pass(&["man", "bench"])).unwrap();
    assert!(page.contains(".TH warpreel-bench 1") && page.contains("\\-\\-repetitions"), "{page}");
    let line = bench.refuse(&["man", "bnech"]);
    assert!(line.contains("\"bnech\" has no page; type one of filters, explain, preview, doctor, bench"), "{line}");
}

#[test]
fn make_install_puts_everything_under_its_prefix() {
    let bench = bench();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let assets = bench.path("assets");
    let run = |script: &str, arguments: &[&Path]| {
        let output = Command::new(root.join("scripts").join(script)).args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let binary = binary();
    run("assets", &[&binary, &assets]);
    let prefix = bench.path("root/usr");
    run("place", &[&binary, &assets, &prefix]);
    for file in [
        "bin/warpreel",
        "share/man/man1/warpreel.1",
        "share/man/man1/warpreel-bench.1",
        "share/bash-completion/completions/warpreel",
        "share/zsh/site-functions/_warpreel",
        "share/fish/vendor_completions.d/warpreel.fish",
    ] {
        assert!(std::fs::metadata(prefix.join(file)).is_ok_and(|found| found.len() > 0), "{file}");
    }
    bench.run(prefix.join("bin/warpreel"), &["in.y4m", "null:", "-f", "box"], b"");
    // What the Makefile runs, and what a package holds, is what was written here.
    let makefile = std::fs::read_to_string(root.join("Makefile")).unwrap();
    assert!(makefile.contains("scripts/place $(PROGRAM) target/assets \"$(DESTDIR)$(PREFIX)\""));
    let package = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    for file in std::fs::read_dir(&assets).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let is_held =
            package.contains(&format!("target/assets/{name}")) || name.ends_with(".1") || name.ends_with(".ps1");
        assert!(is_held, "{name}");
    }
}
