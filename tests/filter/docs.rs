//! Help and documentation, which are made from the table.

use warpreel::filter::{Extent, FILTERS, describe, list, markdown};

#[test]
fn the_page_of_filters_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/filters.md");
    let page = markdown();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &page).expect("write docs/filters.md");
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert!(found == page, "docs/filters.md is out of date; type: UPDATE_DOCS=1 cargo test the_page_of_filters");
}

#[test]
fn the_page_states_shared_parameters_once() {
    let page = markdown();
    let rows = |name: &str| page.lines().filter(|line| line.starts_with(&format!("| {name} |"))).count();
    for name in ["planes", "mix", "enable", "roi", "mask", "border", "border_t", "scene"] {
        // Some filters have one of their own, with another preset.
        let own = FILTERS.iter().filter(|spec| spec.own.iter().any(|own| own.name == name)).count();
        assert_eq!(rows(name), 1 + own, "{name}");
    }
    let sections: Vec<&str> = page.split("\n### ").collect();
    for spec in FILTERS {
        let section = sections.iter().find(|section| section.starts_with(&format!("{}\n", spec.name)));
        let section = section.unwrap_or_else(|| panic!("{} has no section", spec.name));
        let shared = section.lines().find(|line| line.starts_with("Shared parameters: ")).expect("a line");
        for parameter in spec.parameters() {
            let is_own = spec.own.iter().any(|own| own.name == parameter.name);
            let is_of_all = ["planes", "mix", "enable", "roi", "mask"].contains(&parameter.name);
            let is_told = if is_own {
                section.contains(parameter.help.split('|').next().expect("help"))
            } else {
                shared.contains(parameter.name)
            };
            assert!(is_told || is_of_all, "{} of {}", parameter.name, spec.name);
        }
        // One of a filter's own is in its table.
        let is_own = spec.own.iter().any(|own| own.name == "border_t");
        let is_shared = spec.parameters().any(|p| p.name == "border_t") && !is_own;
        assert_eq!(shared.contains("`border_t`"), is_shared, "{}", spec.name);
    }
    assert!(page.contains("Here the default of `planes` is (--planes, or all)."), "convolution's is another");
}

#[test]
fn every_filter_is_listed_and_has_a_page() {
    let list = list();
    let common = describe("common").expect("a page").split_whitespace().collect::<Vec<_>>().join(" ");
    for spec in FILTERS {
        assert!(list.contains(&format!("  {} ", spec.name)), "{} is not in the list", spec.name);
        let page = describe(spec.name).unwrap_or_else(|err| panic!("{}: {err}", spec.name));
        // A screen, or more where a filter has many parameters of its own.
        assert!(
            page.lines().count() <= if spec.own.len() > 8 { 75 } else { 50 },
            "{} takes more than a screen:\n{page}",
            spec.name
        );
        assert!(page.contains(&format!("\"{}\"", spec.example)), "{} has no example", spec.name);
        let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
        for parameter in spec.parameters() {
            assert!(words.contains(parameter.name), "{} of {}", parameter.name, spec.name);
            let is_own = spec.own.iter().any(|own| own.name == parameter.name);
            let help = if is_own { &words } else { &common };
            assert!(help.contains(parameter.help), "help of {} of {}", parameter.name, spec.name);
        }
        // One that changes whole frames has none.
        let is_whole = matches!(spec.extent, Extent::Picture | Extent::Rate);
        assert_ne!(page.contains("plane y: "), is_whole, "taps of {}:\n{page}", spec.name);
    }
}

#[test]
fn values_change_the_taps_that_are_shown() {
    let page = describe("kernel='1 2 | 3 4':flip=1").expect("describe");
    assert!(page.contains("frame +0\n         4         3\n  frame +1\n         2         1\n"), "{page}");
    let page = describe("box=1").expect("describe");
    assert!(page.contains("plane y: along x: 1 1 1; along y: 1 1 1\n"), "{page}");
    assert!(page.contains("plane u: along x: 1 4 1; along y: 1 4 1\n"), "{page}");
    assert_eq!(
        describe("boxblur").expect_err("unknown").hint,
        "did you mean \"box\"? as in box=radius=3:passes=2; list them with: warpreel filters"
    );
}
