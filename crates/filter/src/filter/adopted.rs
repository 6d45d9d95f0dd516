//! Chains of FFmpeg's filters in filters that are here, for command lines of FFmpeg's that are answered whole.

use super::chain::read_all;
use super::choice::Defaults;
use super::elsewhere;
use super::spec::Group;
use super::syntax;
use super::table;

/// A chain of FFmpeg's, taken apart by who does the work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Adopted {
    /// Filters for FFmpeg to run first.
    pub before: Vec<String>,
    /// Filters of the table.
    pub chain: Vec<String>,
}

/// The chain `text` with the nearest filters of ours; `None` if a filter has no counterpart, or FFmpeg would have to run one
/// behind ours.
pub fn adopt(text: &str) -> Option<Adopted> {
    let mut adopted = Adopted::default();
    for call in syntax::read(text).ok()? {
        let (name, typed) = (call.name.text.as_str(), &text[call.span.clone()]);
        if let Some(spec) = table::find(name) {
            // FFmpeg's has the picture as a second input, of which the chain says nothing.
            if spec.group == Group::Layer {
                return None;
            }
            adopted.chain.push(typed.to_owned());
        } else if let Some(ours) = table::known_elsewhere(name) {
            let renamed = typed.replacen(name, ours, 1);
            let is_understood = read_all(&renamed, &Defaults::default()).is_ok();
            let example = || table::find(ours).map_or(ours, |spec| spec.example).to_owned();
            adopted.chain.push(if is_understood { renamed } else { example() });
        } else if let Some(near) = elsewhere::near(name) {
            adopted.chain.push(near.to_owned());
        } else {
            let first = elsewhere::before(name, typed).filter(|_| adopted.chain.is_empty())?;
            adopted.before.push(first);
        }
    }
    Some(adopted)
}

#[cfg(test)]
mod tests {
    use super::adopt;

    #[test]
    fn filters_of_ffmpeg_become_ours() {
        for (typed, before, chain) in [
            ("hqdn3d", "", "denoise"),
            ("hqdn3d=4:3:6:4.5,unsharp", "", "denoise|unsharp"),
            ("gblur=2,unsharp=5:5:0.8", "", "gaussian=2|unsharp=5:5:0.8"),
            ("scale=1280:-2", "", "scale=1280:-2"),
            ("fps=24,hqdn3d", "", "fps=24|denoise"),
            ("eq=contrast=2,hqdn3d", "", "eq=contrast=2|denoise"),
            ("vignette=0.5,hqdn3d", "vignette=0.5", "denoise"),
            ("drawtext=text=hello", "drawtext=text=hello", ""),
        ] {
            let found = adopt(typed).unwrap_or_else(|| panic!("{typed}"));
            assert_eq!((found.before.join("|"), found.chain.join("|")), (before.to_owned(), chain.to_owned()));
        }
        for typed in ["unsharp,vignette", "nosuch", "overlay=1:1", "gaussian='"] {
            assert_eq!(adopt(typed), None, "{typed}");
        }
    }
}
