//! Rows of two frames as one: `kernels/fieldmatch.cu`.

use super::builder::{Builder, Class, SourceFile, Written, source};
use super::bwdif::ROWS;
use super::named::{Made, Named};
use crate::pass::Fieldmatch;

impl Written for Fieldmatch {
    const SOURCES: &'static [SourceFile] = &[source!("fieldmatch.cu")];

    fn class(&self, _: &mut Builder, _: Made) -> (Made, Class) {
        (Made::of("Fieldmatch", Named::default()), ROWS)
    }
}
