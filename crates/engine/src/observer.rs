//! Who is told what an engine does.

/// Is told of every piece of work when it is done; `()` does not listen.
pub trait Observer {
    /// The work since the last piece, or since [`Observer`]'s owner last looked at the clock, was `what`, on frame `number`
    /// of the input; `result` is handed through.
    fn done<T>(&self, what: &str, number: u64, result: T) -> T;
}

impl Observer for () {
    fn done<T>(&self, _: &str, _: u64, result: T) -> T {
        result
    }
}

impl<O: Observer> Observer for &O {
    fn done<T>(&self, what: &str, number: u64, result: T) -> T {
        (**self).done(what, number, result)
    }
}
