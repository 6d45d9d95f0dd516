//! What a user may not have meant by the taps of a kernel.

use super::chain::Filter;
use super::matrix::ParsedKernels;
use super::parameter::Kind;
use super::stencil::Matrix;

impl Filter {
    /// One line on taps of the user's own that are allowed but unusual: a row as long as a square. `None` where nothing is.
    pub fn caution(&self) -> Option<String> {
        let words = self.kernels().flat_map(|parsed| &parsed.kernels).find_map(unwrapped)?;
        Some(format!("{}: {words}", self.excerpt()))
    }

    /// The kernels that were typed.
    fn kernels(&self) -> impl Iterator<Item = &ParsedKernels> {
        let parameters = self.spec.parameters().filter(|p| matches!(p.kind, Kind::Kernel | Kind::File));
        parameters.filter_map(|parameter| self.values().kernel(parameter.name))
    }
}

/// Of a kernel in one row of as many taps as a square has, unless they rise and fall as those of a blur do.
fn unwrapped(kernel: &Matrix) -> Option<String> {
    let [1, 1, count] = kernel.size else { return None };
    let side =
        (1..).step_by(2).take_while(|side| side * side <= count).find(|side| side * side == count && *side > 1)?;
    let taps = &kernel.weights;
    let peak = count / 2;
    let is_bell = taps[..=peak].is_sorted() && taps[peak..].is_sorted_by(|a, b| a >= b) && taps[0] < taps[peak];
    if is_bell {
        return None;
    }
    let advice = match count {
        9 => {
            let row = |row: &[f64]| row.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
            format!("kernel='{}'", taps.chunks(side).map(row).collect::<Vec<_>>().join("; "))
        }
        _ => format!("with ; after each of its {side} rows"),
    };
    Some(format!("{count} taps in one row; a square of {side}x{side} is typed {advice}"))
}
