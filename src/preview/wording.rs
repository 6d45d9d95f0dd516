//! Messages of jobs with the page's controls in place of command-line options.

/// Phrases of the command line, and their form on the page.
const WORDS: &[(&str, &str)] = &[
    ("add -y to replace it", "tick \"Replace\" to replace it, or change the name"),
    ("add -y to write one there", "tick \"Replace\" to write one there"),
    ("use .mkv, or a pipe with --container nut, which keep times", "use .mkv, which keeps times"),
    (", or add --container raw", ""),
    (", or add --container", ""),
    (", or type --container", ""),
    ("take .mkv or --container nut", "use .mkv"),
    (", or leave out --strict", ""),
    ("; leave out --strict", ""),
    (", or write one with --frames 1", ""),
    ("type --quality 1 to 100, or --crf N", "set Quality from 1 to 100"),
    (" (no GPU; see -v)", ""),
    ("--video all", "the command line's --video all"),
];

/// Options with a control, and its label.
const CONTROLS: &[(&str, &str)] = &[
    ("--codec", "Codec"),
    ("--pix-fmt", "Pixel format"),
    ("--quality", "Quality"),
    ("--lossless", "Lossless"),
    ("--overwrite", "Replace"),
    ("-y", "Replace"),
];

/// Replaces options in a message by the labels of controls.
pub(super) fn with_controls(message: &str) -> String {
    let mut text = message.to_owned();
    for (from, to) in WORDS {
        text = text.replace(from, to);
    }
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let bare = word.trim_matches(|c: char| ",;:()".contains(c));
        let control = CONTROLS.iter().find(|(option, _)| *option == bare);
        words.push(
            control.map_or_else(|| word.to_owned(), |(option, name)| word.replacen(option, &format!("\"{name}\""), 1)),
        );
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::with_controls;

    #[test]
    fn options_become_controls() {
        for (typed, shown) in [
            (
                "create \"a.mkv\": it exists; add -y to replace it",
                "create \"a.mkv\": it exists; tick \"Replace\" to replace it, or change the name",
            ),
            ("take --codec libx264 in .mkv", "take \"Codec\" libx264 in .mkv"),
            (
                "y4m has planes of YUV or grey, not rgb24; type --pix-fmt yuv444p, or add --container raw",
                "y4m has planes of YUV or grey, not rgb24; type \"Pixel format\" yuv444p",
            ),
            (
                "keep full colour resolution with --pix-fmt or --lossless",
                "keep full colour resolution with \"Pixel format\" or \"Lossless\"",
            ),
            ("the file is grey-y here", "the file is grey-y here"),
        ] {
            assert_eq!(with_controls(typed), shown);
        }
    }
}
