//! Rows of fields from weights of three fields: `kernels/w3fdif.cu`.

use super::builder::{Builder, Class, SourceFile, Written, source};
use super::bwdif::ROWS;
use super::named::{Made, Named};
use crate::pass::W3fdif;

impl Written for W3fdif {
    const SOURCES: &'static [SourceFile] = &[source!("w3fdif.cu")];

    fn class(&self, _: &mut Builder, _: Made) -> (Made, Class) {
        let names = ["W0", "W1", "W2", "W3", "W4"];
        let made = Named::default().flag("COMPLEX", self.complex);
        let weights = names.iter().zip(self.weights());
        let made = weights.fold(made, |made, (name, weight)| made.constant(name, &weight.to_string()));
        (Made::of("W3fdif", made), ROWS)
    }
}
