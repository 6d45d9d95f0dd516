//! Values with a unit or as two sides, and what is proposed instead.

use warpreel::filter::{Defaults, parse};

fn error(text: &str) -> String {
    parse(text, &Defaults::default()).expect_err(text).to_string()
}

/// Each proposal is a chain itself, for angles and sizes the one that was meant.
#[test]
fn units_and_sizes_are_answered_with_the_value_that_is_taken() {
    for (text, call) in [
        ("scale=1280x720", "scale=w=1280:h=720"),
        ("scale=w=640X360,sobel", "scale=w=640:h=360"),
        ("pad=1920x1080", "pad=w=1920:h=1080"),
        ("crop=200x100", "crop=w=200:h=100"),
        ("gaussian=5px", "gaussian=sigma=5"),
        ("gaussian=2.5 px", "gaussian=sigma=2.5"),
        ("fps=60fps", "fps=fps=60"),
        ("rotate=90deg", "rotate=a=90*PI/180"),
        ("rotate=-5°", "rotate=a=-5*PI/180"),
        ("median=5x5", "median=radius=2"),
        ("gaussian=5x5", "gaussian=sigma=1.1"),
        ("bilateral=sigma_r=8%", "bilateral=sigma_r=0.08"),
    ] {
        assert!(error(text).contains(&format!("type {call}")), "{}", error(text));
        assert!(parse(call, &Defaults::default()).is_ok(), "{call}");
    }
    for text in ["gaussian=px", "gaussian=5000px", "median=4.5px", "median=4x6", "gaussian=5%"] {
        assert!(error(text).contains("type a "), "{}", error(text));
    }
}
