//! The device code of each filter, put together without a GPU and without NVRTC. `scripts/test-release` runs this as what people use is
//! built, which found a compiler that freed a list twice.

use std::sync::Arc;

use warpreel_cuda::program::{BlockLimits, Program};
use warpreel_filter::filter::{Defaults, FILTERS, parse};
use warpreel_filter::plan::plan;
use warpreel_frame::{Format, Pixel, Rational};

const LIMITS: BlockLimits = BlockLimits { shared_bytes: 227 << 10 };

/// The texts are whole, and the same each time.
#[test]
fn each_filter_has_a_program() {
    let pixels = [Pixel::yuv420p(8), Pixel::yuv444p(10), Pixel::rgb(8), Pixel::gray(16), Pixel::rgb(8).float()];
    // Examples name samples of the project.
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).expect("the project's folder");
    let (mut found, mut refused) = (0, 0);
    for spec in FILTERS {
        // Expressions want FFmpeg, which this crate does without.
        let Ok(chain) = parse(spec.example, &Defaults::default()) else {
            refused += 1;
            continue;
        };
        for pixel in pixels {
            let format = Arc::new(Format::new(pixel, 640, 360, Rational::new(25, 1)));
            let Ok(planned) = plan(&chain, &format) else {
                refused += 1;
                continue;
            };
            for (pass, format) in
                planned.passes().iter().zip(warpreel_filter::pass::formats(planned.passes().iter(), &format))
            {
                let [program, again] = [0, 1].map(|_| Program::new(pass, format.pixel, LIMITS));
                assert_eq!(program.defines, again.defines, "{}", spec.example);
                for define in &program.defines {
                    assert!(define.starts_with('-') && define.is_ascii(), "{}: {define:?}", spec.example);
                    let [open, shut] = ['{', '}'].map(|brace| define.matches(brace).count());
                    assert_eq!(open, shut, "{}: {define}", spec.example);
                }
                found += 1;
            }
        }
    }
    assert!(found > 300 && refused < found / 4, "{found} programs, {refused} refused");
}
