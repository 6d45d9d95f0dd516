//! Errors for programs that want one type with a kind, and the kinds themselves.

use std::error;
use std::fmt::{self, Debug, Display, Formatter};
use std::io;

use crate::filter::SyntaxError;

/// One type for every error of this library, for programs that return it.
///
/// Functions return [`anyhow::Error`], which a program passes on with its own context; `?` turns that into this type where a
/// function returns [`Result`]. [`Display`] prints the whole cause in one line, and [`error::Error::source`] is `None`, so that no
/// report prints a part of it twice; [`Error::downcast_ref`] finds every cause. Send and Sync.
///
/// ```
/// use std::sync::Arc;
/// use warpreel::engine::Engine;
/// use warpreel::frame::{Format, Pixel, Rational};
/// use warpreel::{Error, ErrorKind};
///
/// fn engine(chain: &str) -> warpreel::Result<Engine<warpreel::backend::Cpu>> {
///     let format = Arc::new(Format::try_new(Pixel::gray(8), 64, 48, Rational::new(25, 1))?);
///     Ok(Engine::builder(chain, &format).build()?)
/// }
/// let error: Error = engine("gausian=2").err().unwrap();
/// assert_eq!(error.kind(), ErrorKind::Request);
/// assert!(error.to_string().contains("did you mean \"gaussian\"?"));
/// assert!(error.syntax().unwrap().caret().contains('^'));
/// ```
pub struct Error {
    cause: anyhow::Error,
}

/// Result of a program that returns this library's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Kind of the cause, under any context.
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::of(&self.cause)
    }

    /// What is wrong in the text of a chain, with the place, if that is the cause.
    pub fn syntax(&self) -> Option<&SyntaxError> {
        self.downcast_ref()
    }

    /// The cause of a type, such as [`io::Error`], under any context.
    pub fn downcast_ref<E: error::Error + Send + Sync + 'static>(&self) -> Option<&E> {
        self.cause.downcast_ref().or_else(|| self.cause.chain().find_map(|cause| cause.downcast_ref()))
    }

    /// The error as the functions of this library return it.
    pub fn into_anyhow(self) -> anyhow::Error {
        self.cause
    }
}

impl From<anyhow::Error> for Error {
    fn from(cause: anyhow::Error) -> Self {
        Self { cause }
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.cause)
    }
}

/// As [`Display`], so that `main` may return it.
impl Debug for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl error::Error for Error {}

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
