//! Filters by purpose, as `warpreel filters WORDS` prints them.

use super::listing::summaries;
use super::purpose::{self, Served};
use super::spec::Spec;

/// The filters for a purpose, as `warpreel filters WORDS` prints them; `None` if `words` is the name of a filter, looks like
/// a chain, or serves no purpose that is known.
pub fn find_by_purpose(words: &str) -> Option<String> {
    let words = words.trim().to_lowercase();
    match purpose::find(&words)? {
        Served::Answer(answer) => Some(format!("No filter for {words:?}; {answer}\n")),
        Served::Filters(specs, chain, unknown) => Some(told(&words, specs, &chain, &unknown)),
    }
}

/// The filters for a task, and a chain as an example.
fn told(words: &str, specs: Vec<&'static Spec>, example: &str, unknown: &[&str]) -> String {
    let unknown = unknown.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ");
    let but = if unknown.is_empty() { unknown } else { format!(", where nothing is known for {unknown}") };
    let mut text = format!("Filters for {words:?}{but}\n");
    summaries(&mut text, specs.into_iter());
    text + &format!("\nExample: warpreel in.mp4 out.mp4 -f \"{example}\"\nDescribe one: warpreel filters NAME\n")
}

#[cfg(test)]
mod tests {
    use super::find_by_purpose;

    #[test]
    fn tasks_lead_to_filters() {
        for (task, first) in [
            ("remove noise", "denoise"),
            ("black and white", "saturation"),
            ("old tape", "denoise"),
            ("blur", "gaussian"),
            ("Sharpen my video", "unsharp"),
            ("edges", "sobel"),
            ("long exposure", "tmix"),
            ("time-lapse flicker", "deflicker"),
            ("shaky footage", "stabilize"),
            ("remove gate weave", "stabilize"),
            ("vhs", "denoise"),
            ("deinterlace", "bwdif"),
            ("remove combing", "bwdif"),
            ("inverse telecine", "fieldmatch"),
            ("make it brighter", "levels"),
            ("film scratches", "denoise"),
            ("duplicate frames", "decimate"),
            ("two clips side by side", "overlay"),
            ("increase contrast", "levels"),
            ("scan lines", "bwdif"),
        ] {
            let text = find_by_purpose(task).unwrap_or_else(|| panic!("{task} leads to nothing"));
            assert!(!text.contains("nothing is known"), "{task}: {text}");
            assert!(text.lines().nth(1).is_some_and(|line| line.starts_with(&format!("  {first} "))), "{task}: {text}");
        }
        for (task, answer) in [
            ("remove the logo", "delogo"),
            ("green screen", "chromakey"),
            ("fade in", "fade=d=1"),
            ("slow motion", "setpts"),
            ("lens distortion", "lenscorrection"),
        ] {
            let text = find_by_purpose(task).unwrap_or_else(|| panic!("{task} leads to nothing"));
            assert!(text.starts_with("No filter for ") && text.contains(answer), "{task}: {text}");
        }
        for call in ["gaussian", "gausian", "gaussian=2", "box,box", "hqdn3d", "", "zzz", "common"] {
            assert!(find_by_purpose(call).is_none(), "{call}");
        }
    }
}
