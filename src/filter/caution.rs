//! What a user may not have meant by the taps of a kernel.

use super::chain::Filter;
use super::matrix::ParsedKernels;
use super::parameter::Kind;
use super::stencil::Matrix;

impl Filter {
    /// One line on taps of the user's own that are allowed but unusual: a sum that makes the picture white or black, a
    /// row as long as a square. `None` where nothing is.
    pub fn caution(&self) -> Option<String> {
        let kernels: Vec<&ParsedKernels> = self.kernels().collect();
        let square = kernels.iter().flat_map(|parsed| &parsed.kernels).find_map(unwrapped);
        let sum = if self.is_levelled() { None } else { kernels.iter().copied().find_map(unbalanced) };
        let words: Vec<String> = square.into_iter().chain(sum).collect();
        (!words.is_empty()).then(|| format!("{}: {}", self.excerpt(), words.join("; ")))
    }

    /// The kernels that were typed.
    fn kernels(&self) -> impl Iterator<Item = &ParsedKernels> {
        let parameters = self.spec.parameters().filter(|p| matches!(p.kind, Kind::Kernel | Kind::File));
        parameters.filter_map(|parameter| self.values().kernel(parameter.name))
    }

    /// Whether the user has said what becomes of the brightness, or combines kernels, whose sums say nothing.
    fn is_levelled(&self) -> bool {
        ["normalize", "scale", "bias", "combine", "abs"].iter().any(|name| self.is_given(name))
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

/// Of kernels whose taps sum to neither 0 nor 1, so that the picture becomes much brighter or darker.
fn unbalanced(parsed: &ParsedKernels) -> Option<String> {
    // Taps such as 0.111 were rounded by hand.
    const NEAR: f64 = 0.02;
    let taps = || parsed.kernels.iter().flat_map(|kernel| &kernel.weights);
    let (sum, size) = (taps().sum::<f64>(), taps().map(|tap| tap.abs()).sum::<f64>());
    // A single tap is a factor that was meant.
    if parsed.scale.is_some() || taps().count() < 2 || (sum - 1.0).abs() <= NEAR || sum.abs() <= 1e-6 * size {
        return None;
    }
    let shown = (sum * 1e4).round() / 1e4;
    let advice = if sum > 0.0 { "add normalize=1" } else { "make them sum to 0 or 1, or add bias=1 for a negative" };
    Some(format!("taps sum to {shown}; {advice}"))
}
