//! Expressions of FFmpeg's `av_expr`, with loops that are bounded.

use std::cell::Cell;
use std::ffi::{CString, c_void};
use std::ptr::{self, NonNull};

use anyhow::{Context, Result, bail, ensure};
use ffmpeg_next::ffi;

use super::error;

/// The longest text: FFmpeg's evaluator calls itself for each term of a sum, and must not run out of stack. Some
/// versions refuse sums of more than a hundred terms by themselves.
const MAX_BYTES: usize = 4096;

/// The most that the loops of an expression may cost in one evaluation: rounds times the length of the whole expression,
/// which bounds what a round costs. That is a fraction of a second.
const LOOP_BYTES: u64 = 1 << 24;

/// An expression that is right, over variables of these names, in FFmpeg's form. Functions that keep values (`st`, `ld`)
/// keep them from one evaluation to the next.
pub struct Expression {
    parsed: Parsed,
    variables: usize,
    /// The places of `iw` and `ih` among the variables, where both are there.
    sides: Option<[usize; 2]>,
    /// The most rounds of its loops in one evaluation.
    rounds: u64,
}

impl Expression {
    /// Reads an expression with FFmpeg's own parser. Over `iw` and `ih` it may have the functions `rotw(angle)` and `roth(angle)`
    /// of FFmpeg's `rotate`: the width and height of a picture that is turned by an angle.
    ///
    /// # Errors
    /// What is wrong with it, in FFmpeg's words; also if it is longer than 4096 bytes.
    pub fn parse(text: &str, names: &[&str]) -> Result<Self> {
        ensure!(text.len() <= MAX_BYTES, "it is longer than {MAX_BYTES} bytes");
        // As it was typed first, so that FFmpeg complains of what was typed.
        let place = |name: &str| names.iter().position(|other| *other == name);
        let sides = place("iw").zip(place("ih")).map(|(wide, high)| [wide, high]);
        Parsed::new(text, names, sides.is_some())?;
        let parsed = Parsed::new(&bounded(text), names, sides.is_some())?;
        Ok(Self { parsed, variables: names.len(), sides, rounds: LOOP_BYTES / text.len().max(1) as u64 })
    }

    /// Its value, which may be NaN, for one value of each variable, in the order of the names.
    ///
    /// # Errors
    /// If there are fewer or more values than names, or its loops evaluate more than 16,777,216 bytes of text.
    pub fn value(&mut self, values: &[f64]) -> Result<f64> {
        let (got, variables, rounds) = (values.len(), self.variables, self.rounds);
        ensure!(got == variables, "an expression of {variables} variables was given {got} values");
        let size = self.sides.map_or([f64::NAN; 2], |sides| sides.map(|place| values[place]));
        let Some(value) = self.parsed.value(values, &Own { left: Cell::new(rounds + 1), size }) else {
            bail!("its loops did not end after {rounds} rounds");
        };
        Ok(value)
    }
}

/// The function that counts the rounds of loops, and is 0 once there were too many.
const ROUND: &str = "warpreel_round";

/// The expression with its loops bounded: what FFmpeg evaluates in each round of `while`, `taylor` and `root` is evaluated
/// only `if` there may be another, and is 0 else, which ends a `while` and makes the rounds of the others short.
fn bounded(text: &str) -> String {
    // As FFmpeg does before it parses.
    let text: String = text.chars().filter(|c| !matches!(c, ' ' | '\n' | '\r' | '\t' | '\x0b' | '\x0c')).collect();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut inserted: Vec<(usize, String)> = Vec::new();
    for name in ["while", "taylor", "root"] {
        for (at, _) in text.match_indices(name) {
            let rest = &text[at + name.len()..];
            if rest.starts_with(is_part) {
                continue;
            }
            // FFmpeg looks for the next bracket, wherever it is.
            let Some(start) = rest.find('(').map(|bracket| at + name.len() + bracket + 1) else { continue };
            let mut depth = 0usize;
            let end = text[start..].find(|c| {
                let ends = depth == 0 && (c == ',' || c == ')');
                depth = if c == '(' { depth + 1 } else { depth.saturating_sub(usize::from(c == ')')) };
                ends
            });
            if let Some(end) = end {
                inserted.extend([(start, format!("if({ROUND}(0),")), (start + end, ")".to_owned())]);
            }
        }
    }
    // From the end on, so that places stay what they are. What ends at a place ends before anything begins there.
    inserted.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    let mut text = text;
    for (at, words) in inserted {
        text.insert_str(at, &words);
    }
    text
}

/// The state of our own functions in one evaluation.
struct Own {
    /// Rounds of loops that are left.
    left: Cell<u64>,
    /// Width and height of the picture.
    size: [f64; 2],
}

/// The state that `Parsed::value` gave to FFmpeg; `None` while FFmpeg evaluates constants, where nothing loops for long.
///
/// # Safety
/// Only for functions that FFmpeg calls with the pointer that it was given.
unsafe fn own<'a>(state: *mut c_void) -> Option<&'a Own> {
    // SAFETY: FFmpeg hands on what `Parsed::value` gave it, which lives while the expression is evaluated, in one thread, or null.
    unsafe { state.cast::<Own>().as_ref() }
}

/// Counts a round of a loop; 0 where there may be no more.
unsafe extern "C" fn round(state: *mut c_void, _: f64) -> f64 {
    // SAFETY: FFmpeg calls it.
    let Some(Own { left, .. }) = (unsafe { own(state) }) else { return 0.0 };
    let Some(fewer) = left.get().checked_sub(1) else { return 0.0 };
    left.set(fewer);
    // The last round is the one that is not had.
    f64::from(u8::from(fewer > 0))
}

/// The width of the picture turned by an angle.
unsafe extern "C" fn turned_width(state: *mut c_void, angle: f64) -> f64 {
    // SAFETY: FFmpeg calls it.
    let Some(Own { size: [wide, high], .. }) = (unsafe { own(state) }) else { return f64::NAN };
    (wide * angle.cos()).abs() + (high * angle.sin()).abs()
}

/// The height of the picture turned by an angle.
unsafe extern "C" fn turned_height(state: *mut c_void, angle: f64) -> f64 {
    // SAFETY: FFmpeg calls it.
    let Some(Own { size: [wide, high], .. }) = (unsafe { own(state) }) else { return f64::NAN };
    (wide * angle.sin()).abs() + (high * angle.cos()).abs()
}

/// A function of one number, as FFmpeg calls it.
type Function = unsafe extern "C" fn(*mut c_void, f64) -> f64;

/// An expression in FFmpeg's form.
struct Parsed {
    raw: NonNull<ffi::AVExpr>,
}

// SAFETY: the expression is memory of its own, which nobody else refers to and no thread keeps anything of.
unsafe impl Send for Parsed {}

impl Parsed {
    /// `has_sides` says whether there are the functions that need the size of a picture.
    fn new(text: &str, names: &[&str], has_sides: bool) -> Result<Self> {
        super::log::install();
        let typed = CString::new(text).context("it contains a zero byte")?;
        let names = names.iter().map(|name| CString::new(*name)).collect::<Result<Vec<_>, _>>().context("a name")?;
        let names: Vec<_> = names.iter().map(|name| name.as_ptr()).chain([ptr::null()]).collect();
        let functions: [(&str, Function); 3] = [(ROUND, round), ("rotw", turned_width), ("roth", turned_height)];
        let functions = &functions[..if has_sides { 3 } else { 1 }];
        let own_names = functions.iter().map(|(name, _)| CString::new(*name)).collect::<Result<Vec<_>, _>>();
        let own_names = own_names.context("a name")?;
        let own_names: Vec<_> = own_names.iter().map(|name| name.as_ptr()).chain([ptr::null()]).collect();
        let own: Vec<Option<Function>> = functions.iter().map(|(_, function)| Some(*function)).chain([None]).collect();
        let mut raw = ptr::null_mut();
        super::log::complaint();
        // SAFETY: the text and the names end with a zero, the list of names with a null, and all live through the
        // call, after which nothing refers to them; so do those of our own functions, which take one number. There
        // are none of two, so their lists are null.
        let code = unsafe {
            ffi::av_expr_parse(
                &mut raw,
                typed.as_ptr(),
                names.as_ptr(),
                own_names.as_ptr(),
                own.as_ptr(),
                ptr::null(),
                ptr::null(),
                0,
                ptr::null_mut(),
            )
        };
        let raw = NonNull::new(raw).filter(|_| code >= 0);
        raw.map(|raw| Self { raw }).with_context(|| {
            // FFmpeg's message begins with where it comes from, in brackets.
            let complaint = super::log::complaint();
            let words = complaint.as_deref().map(|line| line.split_once("] ").map_or(line, |(_, words)| words));
            words.map_or_else(|| format!("FFmpeg cannot parse it ({})", error::text(code)), error::sentence)
        })
    }

    /// Its value, unless its loops have more rounds than are left. There is a value for each name.
    fn value(&mut self, values: &[f64], own: &Own) -> Option<f64> {
        let values = [values, &[0.0]].concat();
        let state = ptr::from_ref(own).cast_mut().cast();
        // SAFETY: the expression is alive and nobody else uses it; there is a value for each name in `new`, and a zero
        // behind the last. Our own functions get the state, which lives through the call.
        let value = unsafe { ffi::av_expr_eval(self.raw.as_ptr(), values.as_ptr(), state) };
        (own.left.get() > 0).then_some(value)
    }
}

impl Drop for Parsed {
    fn drop(&mut self) {
        // SAFETY: the expression came from `av_expr_parse` and is freed once.
        unsafe { ffi::av_expr_free(self.raw.as_ptr()) };
    }
}
