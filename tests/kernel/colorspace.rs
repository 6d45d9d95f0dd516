//! Both ways between colour spaces, of every depth and subsampling, compiled without a GPU.

use warpreel::backend::cuda::program::Program;
use warpreel::pass::Op;

use crate::agreement::{Random, colorspace};

use super::compile::{compile, nvrtc};
use super::op::{LIMITS, pass};

#[test]
fn colours_of_every_space_compile() {
    let Some(nvrtc) = nvrtc() else { return };
    let mut random = Random::new(5);
    let mut work = Vec::new();
    for number in 0..16 {
        let op = colorspace::op(&mut random);
        let program = Program::new(&pass(vec![Op::Colorspace(op.clone()); 3]), op.from, LIMITS);
        let arch = if number % 4 == 0 { 70 } else { 90 };
        work.extend((nvrtc.target(arch) == Some(arch)).then_some((arch, program)));
    }
    assert!(!work.is_empty(), "NVRTC compiles for neither generation");
    compile(&nvrtc, &work);
}
