//! Chains taken apart and changed: what is not touched stays, and what comes out reads back.

use warpreel::filter::{Defaults, Edit, FILTERS, edited, expanded, parse, places};

fn set(text: &str, call: usize, parameter: &str, value: Option<&str>) -> String {
    edited(text, &Edit::Set(call, parameter.to_owned(), value.map(str::to_owned))).unwrap()
}

#[test]
fn values_are_set_where_they_stand() {
    for (text, parameter, value, wanted) in [
        ("gaussian=2", "sigma", Some("3"), "gaussian=3"),
        ("gaussian=sigma=2:planes=y", "sigma", Some("3"), "gaussian=sigma=3:planes=y"),
        ("gaussian", "sigma", Some("3"), "gaussian=sigma=3"),
        ("gaussian=2:3", "sigma", None, "gaussian=sigma_y=3"),
        ("gaussian=2", "sigma", None, "gaussian"),
        ("gaussian = 2", "mix", Some("0.5"), "gaussian=2:mix=0.5"),
        ("kernel='1, 2, 1'", "mix", Some("0.5"), "kernel='1, 2, 1':mix=0.5"),
        ("gaussian=2", "enable", Some("between(t,1,3)"), "gaussian=2:enable='between(t,1,3)'"),
        ("gaussian=2", "enable", Some("gt(n,3):x"), r"gaussian=2:enable=gt(n\,3)\\:x"),
    ] {
        assert_eq!(set(text, 0, parameter, value), wanted, "{text}");
    }
    assert_eq!(set("unsharp , gaussian=2,median", 1, "sigma", Some("3")), "unsharp,gaussian=3,median");
}

#[test]
fn filters_come_and_go() {
    let chain = "gaussian=2, unsharp ,median=1";
    let changed = |change: Edit| edited(chain, &change).unwrap();
    assert_eq!(changed(Edit::Remove(1)), "gaussian=2,median=1");
    assert_eq!(changed(Edit::Move(0, 2)), "unsharp,median=1,gaussian=2");
    assert_eq!(changed(Edit::Move(2, 0)), "median=1,gaussian=2,unsharp");
    assert_eq!(changed(Edit::Insert(3, "invert".to_owned())), "gaussian=2,unsharp,median=1,invert");
    assert_eq!(changed(Edit::Insert(0, "invert".to_owned())), "invert,gaussian=2,unsharp,median=1");
    assert_eq!(edited("", &Edit::Insert(9, "invert".to_owned())).unwrap(), "invert");
    for change in [Edit::Remove(3), Edit::Move(3, 0), Edit::Switch(3, true), Edit::Set(3, "mix".to_owned(), None)] {
        let fault = edited(chain, &change).unwrap_err().to_string();
        assert!(fault.contains("has 3 filters, and no number 3"), "{fault}");
    }
}

#[cfg(feature = "libav")]
#[test]
fn filters_are_switched_off_and_on_again() {
    for chain in ["gaussian=2", "gaussian=2:enable='between(t,1,3)'", r"gaussian=2:enable=gt(n\,3)", "gaussian"] {
        let off = edited(chain, &Edit::Switch(0, false)).unwrap();
        let is_on = |text: &str| places(text, &Defaults::default()).unwrap()[0].is_on();
        assert!(is_on(chain) && !is_on(&off), "{off}");
        let on = edited(&off, &Edit::Switch(0, true)).unwrap();
        let read = |text: &str| parse(text, &Defaults::default()).unwrap();
        assert_eq!(read(&on), read(chain), "{on}");
        assert_eq!(edited(&off, &Edit::Switch(0, false)).unwrap(), off, "it is off already");
    }
}

#[test]
fn places_are_those_of_the_text() {
    let text = "gaussian=2,unsharp=3:ly=5, kernel='1, 2'";
    let found = places(text, &Defaults::default()).unwrap();
    let shown: Vec<_> = found.iter().map(|call| (call.name, &text[call.span.clone()])).collect();
    assert_eq!(shown, [("gaussian", "gaussian=2"), ("unsharp", "unsharp=3:ly=5"), ("kernel", "kernel='1, 2'")]);
    let values: Vec<_> =
        found.iter().flat_map(|call| &call.arguments).map(|a| (a.parameter, a.value.as_str())).collect();
    assert_eq!(values[0], ("sigma", "2"));
    assert_eq!(values[3], ("kernel", "1, 2"));
    for argument in found[0].arguments.iter().chain(&found[1].arguments) {
        assert_eq!(text[argument.span.clone()], argument.value);
    }
    assert!(places("gaussian=2,gausian", &Defaults::default()).is_err());
}

#[test]
fn recipes_become_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("soft.txt");
    std::fs::write(&path, "# soft\ngaussian=2 # wide\nkernel='1 2 1;\n 2 4 2; 1 2 1'\n").unwrap();
    let text = format!("@{}", path.display());
    let line = expanded(&text).unwrap();
    assert!(!line.contains(['\n', '#']), "{line}");
    let read = |text: &str| parse(text, &Defaults::default()).unwrap();
    assert_eq!(read(&line).len(), 2);
    assert_eq!(read(&line)[0], read(&text)[0]);
    assert_eq!(expanded("gaussian=2").unwrap(), "gaussian=2");
    assert!(expanded("@/nothing/here").is_err());
}

/// Setting any parameter of any filter to what it is changes nothing that is meant.
#[test]
fn what_is_set_reads_back() {
    for spec in FILTERS.iter().filter(|spec| cfg!(feature = "libav") || !spec.example.contains("enable")) {
        let read = |text: &str| parse(text, &Defaults::default()).unwrap();
        for (call, place) in places(spec.example, &Defaults::default()).unwrap().iter().enumerate() {
            for argument in &place.arguments {
                let same = set(spec.example, call, argument.parameter, Some(&argument.value));
                assert_eq!(read(&same), read(spec.example), "{same}");
            }
        }
    }
}
