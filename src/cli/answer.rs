//! Options that are none here, and the answer to each.

/// Names of options without their dashes, and their answer.
const UNKNOWN: &[(&[&str], &str)] = &[
    (&["size", "scale", "resize", "width", "height", "resolution"], SIZE),
    (&["cq", "qp", "q"], "type --quality N from 1 to 100, or --crf N in the encoder's own measure"),
    (&["info", "probe", "inspect"], "type warpreel INPUT, which describes a clip"),
    (&["list", "list-filters"], "type warpreel filters"),
    (&["filters"], "type -f CHAIN, or list the filters with warpreel filters"),
    (&["two-pass", "2-pass", "2pass", "twopass", "multi-pass", "pass"], ONE_PASS),
    (
        &["rotate", "rotation", "turn"],
        "type a filter behind -f: -f transpose=clock, or -f rotate=5*PI/180 for five degrees",
    ),
    (&["flip", "mirror", "hflip", "vflip"], "type a filter behind -f: -f hflip, or -f vflip"),
    (&["crop", "trim-borders"], "type a filter behind -f: -f crop=1280:720"),
    (&["deinterlace"], "type a filter behind -f: -f bwdif"),
    (&["continue"], "type --resume, with which the job has to be started too"),
    (&["from", "since", "begin", "skip", "seek"], "type --start TIME"),
    (&["to", "until", "till", "stop"], "type --end TIME, or --duration TIME"),
    (&["length", "time"], "type --duration TIME"),
    (
        &["profile", "tune", "level", "gop", "keyint", "g", "bf", "maxrate", "bufsize"],
        "type options of encoders as --encoder-option tune=grain",
    ),
    (&["10bit", "10-bit", "hdr", "depth", "bit-depth"], "type --pix-fmt yuv420p10"),
    (&["chain", "vf", "effect", "apply"], "type -f CHAIN"),
    (&["speed", "fast", "slow"], "type --preset NAME for the encoder's"),
    (&["output", "out", "outfile"], "name the output after the input: warpreel INPUT OUTPUT"),
    (&["input", "in", "infile"], "name the input first: warpreel INPUT OUTPUT"),
    (&["gpu", "cuda", "use-gpu"], "type --backend cuda, and --device N for one of several"),
    (&["cpu", "no-gpu"], "type --backend cpu"),
    (&["encoder", "vcodec", "video-codec"], "type --codec NAME"),
    (&["force", "replace", "yes"], "type -y"),
    (&["rate", "framerate", "frame-rate", "r"], "type -f fps=RATE, or --fps RATE for images and raw frames"),
    (&["format", "pixel-format"], "type --pix-fmt FORMAT, or --container NAME"),
    (&["denoise", "sharpen", "blur"], "type a filter behind -f: -f denoise, -f unsharp, -f gaussian=2"),
    (
        &["metadata", "title", "tag", "tags"],
        "the tags of the input are kept; write others with ffmpeg -i OUTPUT -c copy -metadata title=TEXT TAGGED",
    ),
    (&["mute", "no-sound"], "type --no-audio"),
    (&["no-subtitles"], "type --subtitles none"),
    (&["debug", "verbosity", "log-level"], "type -v or -vv"),
    (&["silent"], "type -q"),
    (&["in-place", "inplace"], "outputs are new files: name one, and move it over the input when it is done"),
    (&["recipe", "recipes"], "type -f @vhs, or list the recipes with warpreel filters recipes"),
    (&["dry-run"], "type warpreel explain INPUT OUTPUT"),
];

/// Also the answer to FFmpeg's option.
pub(super) const ONE_PASS: &str = "videos are encoded in one pass; type --quality N, or --bitrate RATE";

const SIZE: &str = "type a filter behind -f: -f scale=1280:-2, or -f scale=fit=1280x720";

/// Answer for the argument `word`, which clap does not know, among the words that were typed.
pub(super) fn unknown(word: &str, words: &[&str]) -> Option<String> {
    let is_negative =
        word.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c == '.'));
    let at = words.iter().position(|typed| *typed == word);
    if let (true, Some(option)) = (is_negative, at.and_then(|at| words.get(at.checked_sub(1)?)))
        && option.starts_with("--")
    {
        return Some(format!("{option} {word} is negative; type {option} with a number from 0"));
    }
    let name = word.strip_prefix("--")?.split('=').next()?;
    let (_, answer) = UNKNOWN.iter().find(|(names, _)| names.contains(&name))?;
    Some(format!("there is no option --{name}; {answer}"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::super::Cli;
    use super::UNKNOWN;

    #[test]
    fn no_option_of_ours_is_unknown() {
        let command = Cli::command();
        let ours: Vec<&str> = command.get_arguments().filter_map(clap::Arg::get_long).collect();
        for (names, _) in UNKNOWN {
            assert!(names.iter().all(|name| !ours.contains(name)), "{names:?}");
        }
    }
}
