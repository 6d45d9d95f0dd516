//! Rows of fields along edges, within bounds: `kernels/yadif.cu`.

use super::builder::{Builder, Class, SourceFile, Written, source};
use super::bwdif::ROWS;
use super::named::{Made, Named};
use crate::pass::Yadif;

impl Written for Yadif {
    const SOURCES: &'static [SourceFile] = &[source!("yadif.cu")];

    fn class(&self, _: &mut Builder, _: Made) -> (Made, Class) {
        (Made::of("Yadif", Named::default().flag("SPATIAL", self.spatial)), ROWS)
    }
}
