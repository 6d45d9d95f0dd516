//! The plugin's entry, and its functions.

use std::ffi::{c_int, c_void};
use std::sync::LazyLock;

use anyhow::Result;

use super::api::{API_VERSION, Api, PluginApi, VSCore, VSMap, VSPlugin};
use super::map::{Arguments, Results};
use super::node::Core;
use super::{c_text, guarded};
use crate::function;

/// What a function does.
pub type Call = Box<dyn Fn(&Arguments<'_>, &mut Results<'_>, Core<'_>) -> Result<()> + Send + Sync>;

/// A function of the plugin.
pub struct Function {
    /// What is typed.
    pub name: String,
    /// Its arguments, as VapourSynth writes them.
    pub arguments: String,
    /// What it gives.
    pub results: &'static str,
    /// What it does.
    pub call: Call,
}

/// All functions, made once: VapourSynth keeps a pointer to each.
static FUNCTIONS: LazyLock<Vec<Function>> = LazyLock::new(function::all);

/// Where VapourSynth begins.
///
/// # Safety
/// VapourSynth calls it with its own plugin and table.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn VapourSynthPluginInit2(plugin: *mut VSPlugin, api: *const PluginApi) {
    // A plugin that registers nothing is reported as such.
    let _ = guarded(|| {
        let [identifier, namespace, title] =
            ["org.warpreel.vapoursynth", "warpreel", "warpreel: convolution and denoising in x, y and t"].map(c_text);
        // SAFETY: the table lives through the call.
        let api = unsafe { &*api };
        // SAFETY: the plugin and all text live through the calls, and VapourSynth copies the text; the functions are never
        // dropped.
        unsafe {
            let version = c_int::from(version_part(0)) << 16 | c_int::from(version_part(1));
            let [identifier, namespace, title] = [&identifier, &namespace, &title].map(|text| text.as_ptr());
            (api.config_plugin)(identifier, namespace, title, version, API_VERSION, 0, plugin);
            for function in FUNCTIONS.iter() {
                let [name, arguments, results] = [&*function.name, &*function.arguments, function.results].map(c_text);
                let data = std::ptr::from_ref(function).cast_mut().cast();
                let [name, arguments, results] = [&name, &arguments, &results].map(|text| text.as_ptr());
                (api.register_function)(name, arguments, results, call, data, plugin);
            }
        }
        Ok(())
    });
}

/// A part of the version of this package.
fn version_part(index: usize) -> u8 {
    env!("CARGO_PKG_VERSION").split('.').nth(index).and_then(|part| part.parse().ok()).unwrap_or(0)
}

unsafe extern "system" fn call(
    arguments: *const VSMap,
    results: *mut VSMap,
    function: *mut c_void,
    core: *mut VSCore,
    api: *const Api,
) {
    // SAFETY: the function is one of the list, which is never dropped; the maps, the core and the table are those of this call.
    let (function, core, arguments, mut results) = unsafe {
        let core = Core::new(api, core);
        let (arguments, results) = (Arguments::new(core.api, arguments), Results::new(core.api, results));
        (&*function.cast_const().cast::<Function>(), core, arguments, results)
    };
    if let Err(error) = guarded(|| (function.call)(&arguments, &mut results, core)) {
        results.error(&format!("{}: {error:#}", function.name));
    }
}
