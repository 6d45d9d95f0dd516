//! Tells errors apart: a wrong chain with the place, and a file that is not there.
//!
//!     cargo run --example error_kinds

use std::sync::Arc;

use anyhow::Result;
use warpreel::filter::SyntaxError;
use warpreel::prelude::*;

fn main() -> Result<()> {
    let format = Arc::new(Format::try_new(Pixel::gray(8), 64, 48, Rational::new(25, 1))?);
    if let Err(error) = Engine::builder("gaussian=2,sharpn", &format).build() {
        println!("{:?}", ErrorKind::of(&error));
        if let Some(syntax) = error.downcast_ref::<SyntaxError>() {
            println!("{syntax}\n{}", syntax.caret());
        }
    }
    let request = Request { input: "absent.mp4".to_owned(), output: "null:".to_owned(), ..Request::default() };
    if let Err(error) = Job::open(request, Default::default()) {
        println!("{:?}: {error:#}", ErrorKind::of(&error));
    }
    Ok(())
}
