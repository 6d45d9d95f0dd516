//! Kinds of errors.

use std::io;

use crate::filter::SyntaxError;

/// Kind of an error of this library: that of its cause, under any context.
///
/// ```
/// use std::sync::Arc;
/// use warpreel::ErrorKind;
/// use warpreel::engine::Engine;
/// use warpreel::filter::SyntaxError;
/// use warpreel::frame::{Format, Pixel, Rational};
///
/// let format = Arc::new(Format::try_new(Pixel::gray(8), 64, 48, Rational::new(25, 1))?);
/// let error = Engine::cpu("gausian=2", &format).err().unwrap();
/// assert_eq!(ErrorKind::of(&error), ErrorKind::Request);
/// // With a caret below what is wrong.
/// println!("{}", error.downcast_ref::<SyntaxError>().unwrap().caret());
/// # anyhow::Ok(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Wrong request: a chain, an option, or options that exclude each other.
    Request,
    /// Cancelled by the user.
    Interrupted,
    /// Error of the system, such as a missing file or a full disk.
    System(io::ErrorKind),
    /// Anything else: damaged input, a device that does not work, memory that ran out, a frame of another format.
    Other,
}

impl ErrorKind {
    /// The kind of an error.
    pub fn of(error: &anyhow::Error) -> Self {
        #[cfg(feature = "libav")]
        {
            if error.is::<crate::job::Interrupted>() {
                return Self::Interrupted;
            }
            if error.is::<crate::job::Usage>() {
                return Self::Request;
            }
        }
        if error.is::<SyntaxError>() {
            return Self::Request;
        }
        system(error).map_or(Self::Other, |system| Self::System(system.kind()))
    }
}

/// Error of the system behind an error.
fn system(error: &anyhow::Error) -> Option<&io::Error> {
    error.chain().find_map(|cause| cause.downcast_ref::<io::Error>())
}
