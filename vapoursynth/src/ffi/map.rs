//! Maps: the arguments of a call, its results, and the properties of frames.

use std::ffi::{c_char, c_int};
use std::marker::PhantomData;

use anyhow::{Context, Result, ensure};

use super::api::{Api, VSMap};
use super::c_text;
use super::node::Node;

/// What is read.
#[derive(Clone, Copy)]
pub struct Arguments<'a> {
    api: &'static Api,
    raw: *const VSMap,
    call: PhantomData<&'a ()>,
}

impl Arguments<'_> {
    /// # Safety
    /// The map lives at least as long as the lifetime that is given.
    pub(super) unsafe fn new(api: &'static Api, raw: *const VSMap) -> Self {
        Self { api, raw, call: PhantomData }
    }

    /// How many values a key has; 0 where there is no such key.
    pub fn count(&self, key: &str) -> usize {
        let key = c_text(key);
        // SAFETY: the map and the key live through the call.
        let count = unsafe { (self.api.map_num_elements)(self.raw, key.as_ptr()) };
        usize::try_from(count).unwrap_or(0)
    }

    /// A whole number; `None` where there is none.
    pub fn integer(&self, key: &str) -> Option<i64> {
        self.integers(key).first().copied()
    }

    /// All of them.
    pub fn integers(&self, key: &str) -> Vec<i64> {
        // SAFETY: the map and the key live through the call, and the place for the error too.
        self.each(key, |api, key, at, error| unsafe { (api.map_get_int)(self.raw, key, at, error) })
    }

    /// All numbers.
    pub fn numbers(&self, key: &str) -> Vec<f64> {
        // SAFETY: as above.
        self.each(key, |api, key, at, error| unsafe { (api.map_get_float)(self.raw, key, at, error) })
    }

    fn each<T>(&self, key: &str, get: impl Fn(&Api, *const c_char, c_int, *mut c_int) -> T) -> Vec<T> {
        let name = c_text(key);
        let value = |at: usize| {
            let mut error = 0;
            let value = get(self.api, name.as_ptr(), c_int::try_from(at).ok()?, &mut error);
            (error == 0).then_some(value)
        };
        (0..self.count(key)).map_while(value).collect()
    }

    /// Text; `None` where there is none.
    ///
    /// # Errors
    /// If it is not text.
    pub fn text(&self, key: &str) -> Result<Option<String>> {
        let name = c_text(key);
        let (mut error, mut size_error) = (0, 0);
        // SAFETY: the map, the key and the places for errors live through the calls.
        let (data, size) = unsafe {
            let data = (self.api.map_get_data)(self.raw, name.as_ptr(), 0, &mut error);
            (data, (self.api.map_get_data_size)(self.raw, name.as_ptr(), 0, &mut size_error))
        };
        if error != 0 || size_error != 0 || data.is_null() {
            return Ok(None);
        }
        // SAFETY: the data has so many bytes, and lives as long as the map; it is copied here.
        let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), usize::try_from(size).unwrap_or(0)) };
        Ok(Some(String::from_utf8(bytes.to_vec()).ok().with_context(|| format!("{key} is not text in UTF-8"))?))
    }

    /// A node; `None` where there is none.
    pub fn node(&self, key: &str) -> Option<Node> {
        let (name, mut error) = (c_text(key), 0);
        // SAFETY: the map, the key and the place for the error live through the call; the reference is the caller's.
        unsafe { Node::owning(self.api, (self.api.map_get_node)(self.raw, name.as_ptr(), 0, &mut error)) }
    }
}

/// What is answered.
pub struct Results<'a> {
    api: &'static Api,
    raw: *mut VSMap,
    call: PhantomData<&'a mut ()>,
}

impl Results<'_> {
    /// # Safety
    /// The map lives at least as long as the lifetime that is given, and nobody else uses it meanwhile.
    pub(super) unsafe fn new(api: &'static Api, raw: *mut VSMap) -> Self {
        Self { api, raw, call: PhantomData }
    }

    /// Gives a node.
    ///
    /// # Errors
    /// If VapourSynth refuses.
    pub fn node(&mut self, key: &str, node: Node) -> Result<()> {
        let key = c_text(key);
        // SAFETY: the map and the key live through the call, and the reference is given away.
        let refused = unsafe { (self.api.map_consume_node)(self.raw, key.as_ptr(), node.into_raw(), 0) };
        ensure!(refused == 0, "VapourSynth refused the new clip");
        Ok(())
    }

    /// Adds text to those of a key.
    pub fn text(&mut self, key: &str, text: &str) {
        /// `dtUtf8` and `maAppend`.
        const UTF8_APPENDED: (c_int, c_int) = (1, 1);
        let (key, size) = (c_text(key), c_int::try_from(text.len()).unwrap_or(c_int::MAX));
        let (kind, append) = UTF8_APPENDED;
        // SAFETY: the map, the key and the text live through the call, and the text has at least so many bytes.
        unsafe { (self.api.map_set_data)(self.raw, key.as_ptr(), text.as_ptr().cast(), size, kind, append) };
    }

    /// Says that the call failed.
    pub fn error(&mut self, text: &str) {
        let text = c_text(text);
        // SAFETY: the map and the text live through the call.
        unsafe { (self.api.map_set_error)(self.raw, text.as_ptr()) };
    }
}
