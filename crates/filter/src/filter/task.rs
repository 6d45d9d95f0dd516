//! Tasks in words that no filter here serves, and what does them.

use super::elsewhere::{self, Answer};
use super::phrase::stand_in;

use Answer::{Before, Near, Needless, Option as Typed, Second, Sound};

/// Words that all stand in the task, in this order, and its answer.
type Task = (&'static [&'static str], Answer);

const NO_SOUND: Answer = Typed("--no-audio");
const OWN_SOUND: Answer =
    Needless("add the sound to the output: ffmpeg -i OUT -i SOUND -map 0:v -map 1:a -c copy -shortest WITH_SOUND");
const SHIFT: Answer =
    Needless("shift the sound of the output: ffmpeg -i OUT -itsoffset 0.2 -i OUT -map 0:v -map 1:a -c copy SHIFTED");
const HISS: Answer = Sound("afftdn");
const SUBTITLED: Answer =
    Needless("add them to the output without encoding: ffmpeg -i OUT -i FILE.srt -map 0 -map 1 -c copy SUBTITLED.mkv");
const BURNT: Answer = Before("subtitles=FILE.srt");
const TEXT: Answer = Before("drawtext=text=hello:fontsize=48:fontcolor=white:x=40:y=h-90");
const SECONDS: Answer = Before("drawtext=text=%{pts}:fontsize=48:fontcolor=white");
const NUMBERS: Answer = Before("drawtext=text=%{n}:fontsize=48:fontcolor=white");
const SLOWER: Answer = Before("setpts=2*PTS");
const FASTER: Answer = Before("setpts=0.5*PTS");
const RAMP: Answer = Before("setpts=if(lt(T\\,2)\\,PTS\\,2*PTS-2/TB)");
const REVERSED: Answer = Before("reverse");
const BOOMERANG: Answer = Needless(
    "use FFmpeg first: ffmpeg -i IN -filter_complex '[0:v]split[a][b];[b]reverse[c];[a][c]concat' -an -c:v ffv1 -f matroska - | warpreel - OUT -f …",
);
const FROM_IMAGES: Answer = Needless("numbered images are an input: type warpreel 'photo%04d.jpg' OUT.mp4 --fps 25");
const TO_IMAGES: Answer = Needless(
    "images are an output: type warpreel IN 'frame%04d.png', or for one: warpreel IN frame.png --start 10 --frames 1",
);
const SMALLER: Answer = Typed("--quality 60, or --bitrate 2M: the file gets smaller, at full size");
const ENDING: Answer =
    Needless("the output's ending says the container: type warpreel IN OUT.mp4, and --codec NAME for an encoder");
const PART: Answer = Typed("--start TIME and --duration TIME");
const KEYED: Answer = Second("[0:v]chromakey=green[k];[1:v][k]overlay=shortest=1");
const OBJECTS: Answer =
    Needless("nothing here finds or follows objects; find them with OpenCV, and filter a rectangle with roi=WxH+X+Y");
const CUTS: Answer = Typed("warpreel INPUT, which counts cuts; for their times: ffmpeg -i IN -vf scdet -f null -");
const MEASURE: Answer = Typed("warpreel metrics A B, or --metrics psnr,ssim behind a command");
const SHARPER: Answer =
    Needless("a blur is not undone here, and sharpening makes it less visible: type -f unsharp=lx=7:ly=7:la=1.2");
const CAMERA: Answer =
    Needless("pipe the camera: ffmpeg -f v4l2 -i /dev/video0 -c copy -f nut - | warpreel - OUT.mkv -f …");
const SCREEN: Answer =
    Needless("pipe the screen: ffmpeg -f x11grab -i :0.0 -c:v ffv1 -f nut - | warpreel - OUT.mkv -f …");
const SEND: Answer = Needless("an address is an output: type warpreel IN rtmp://SERVER/live/KEY -f …");
const COLOURED: Answer =
    Needless("colours are not guessed here; for a tint of one colour type -f saturation=0,colortemperature=4000");
const ZOOMED: Answer = Before("zoompan=z=min(1+0.002*on\\,2):d=1:x=iw/2-iw/zoom/2:y=ih/2-ih/zoom/2:s=1280x720:fps=25");
const HDR: Answer = Before(
    "setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709,zscale=p=bt2020:t=smpte2084:m=bt2020nc:npl=203,format=yuv420p10le",
);
const STITCHED: Answer =
    Needless("pictures are not stitched here: save frames with warpreel IN 'frame%04d.png', and use Hugin");
const SHIFTED_CHROMA: Answer = Before("chromashift=cbh=2");
const DELOGO: Answer = Before("delogo=10:10:100:50");

const fn named(name: &'static str) -> Answer {
    Answer::Of(name)
}

/// The first whose words all stand in the task is taken.
const TASKS: &[Task] = &[
    (&["remove", "audio"], NO_SOUND),
    (&["remove", "sound"], NO_SOUND),
    (&["without", "audio"], NO_SOUND),
    (&["without", "sound"], NO_SOUND),
    (&["no", "audio"], NO_SOUND),
    (&["no", "sound"], NO_SOUND),
    (&["mute"], NO_SOUND),
    (&["extract", "audio"], Needless("take the sound alone: ffmpeg -i IN -vn -c:a copy SOUND.mka")),
    (&["extract", "sound"], Needless("take the sound alone: ffmpeg -i IN -vn -c:a copy SOUND.mka")),
    (&["normalize", "audio"], Sound("loudnorm")),
    (&["normalize", "volume"], Sound("loudnorm")),
    (&["loudness"], Sound("loudnorm")),
    (&["quieter"], Sound("volume=0.5")),
    (&["louder"], Sound("volume=2")),
    (&["volume"], Sound("volume=2")),
    (&["audio", "noise"], HISS),
    (&["background", "noise"], HISS),
    (&["wind", "noise"], HISS),
    (&["noise", "audio"], HISS),
    (&["noise", "sound"], HISS),
    (&["denoise", "audio"], HISS),
    (&["hiss"], HISS),
    (&["hum"], Sound("highpass=f=100")),
    (&["sync", "audio"], SHIFT),
    (&["sync", "sound"], SHIFT),
    (&["audio", "sync"], SHIFT),
    (&["sound", "sync"], SHIFT),
    (&["audio", "delay"], SHIFT),
    (&["lip", "sync"], SHIFT),
    (&["fade", "audio"], Sound("afade=d=1")),
    (&["music"], OWN_SOUND),
    (&["soundtrack"], OWN_SOUND),
    (&["voice"], OWN_SOUND),
    (&["dub"], OWN_SOUND),
    (&["add", "audio"], OWN_SOUND),
    (&["add", "sound"], OWN_SOUND),
    (&["replace", "audio"], OWN_SOUND),
    (&["replace", "sound"], OWN_SOUND),
    (&["merge", "audio"], OWN_SOUND),
    (
        &["audio"],
        Needless(
            "sound is kept as it is; choose with --audio or --no-audio, or change it: ffmpeg -i OUT -c copy -c:a aac -af FILTER CHANGED",
        ),
    ),
    (&["remove", "subtitle"], Typed("--subtitles none")),
    (&["without", "subtitle"], Typed("--subtitles none")),
    (&["add", "subtitle"], SUBTITLED),
    (&["soft", "subtitle"], SUBTITLED),
    (&["subtitle"], BURNT),
    (&["caption"], BURNT),
    (&["frame", "number"], NUMBERS),
    (&["remove", "timecode"], DELOGO),
    (&["remove", "timestamp"], DELOGO),
    (&["remove", "date"], DELOGO),
    (&["timecode"], SECONDS),
    (&["timestamp"], SECONDS),
    (&["countdown"], SECONDS),
    (&["timer"], SECONDS),
    (&["clock"], SECONDS),
    (&["remove", "text"], DELOGO),
    (&["remove", "logo"], DELOGO),
    (&["logo", "removal"], DELOGO),
    (&["remove", "watermark"], DELOGO),
    (&["watermark", "removal"], DELOGO),
    (&["object", "removal"], DELOGO),
    (&["inpaint"], DELOGO),
    (&["title"], TEXT),
    (&["text", "overlay"], TEXT),
    (&["add", "text"], TEXT),
    (&["write", "text"], TEXT),
    (&["watermark", "text"], TEXT),
    (&["text", "watermark"], TEXT),
    (&["lower", "third"], TEXT),
    (&["green", "screen"], KEYED),
    (&["blue", "screen"], KEYED),
    (&["chroma", "key"], KEYED),
    (&["keying"], KEYED),
    (&["replace", "background"], KEYED),
    (&["remove", "background"], KEYED),
    (&["transparent", "background"], KEYED),
    (&["fade"], named("fade")),
    (&["speed", "ramp"], RAMP),
    (&["slow", "motion"], SLOWER),
    (&["slow", "down"], SLOWER),
    (&["speed", "up"], FASTER),
    (&["faster"], FASTER),
    (&["fast", "motion"], FASTER),
    (&["boomerang"], BOOMERANG),
    (&["ping", "pong"], BOOMERANG),
    (&["reverse"], REVERSED),
    (&["backwards"], REVERSED),
    (&["freeze", "frame"], Before("tpad=stop_mode=clone:stop_duration=5")),
    (&["every", "frame"], Before("framestep=10")),
    (&["skip", "frame"], Before("framestep=10")),
    (&["before", "after"], Typed("--compare side, or --compare split")),
    (&["compare", "video"], MEASURE),
    (&["compare", "clip"], MEASURE),
    (&["compare", "file"], MEASURE),
    (&["measure", "quality"], MEASURE),
    (&["picture", "quality"], MEASURE),
    (&["lens", "distortion"], named("lenscorrection")),
    (&["lens", "correction"], named("lenscorrection")),
    (&["barrel"], named("lenscorrection")),
    (&["fisheye"], named("lenscorrection")),
    (&["360", "video"], named("v360")),
    (&["vr"], named("v360")),
    (&["anaglyph"], Before("stereo3d=sbsl:arcd")),
    (&["3d", "video"], Before("stereo3d=sbsl:arcd")),
    (&["ken", "burns"], ZOOMED),
    (&["slow", "zoom"], ZOOMED),
    (&["zoom", "slow"], ZOOMED),
    (&["slowly", "zoom"], ZOOMED),
    (&["zoom", "slowly"], ZOOMED),
    (&["rotate", "slowly"], Before("rotate=0.2*t")),
    (&["spin"], Before("rotate=0.2*t")),
    (&["camera", "shake", "effect"], Before("crop=iw-32:ih-32:16+12*sin(n*1.3):16+12*cos(n*1.7)")),
    (&["shake", "effect"], Before("crop=iw-32:ih-32:16+12*sin(n*1.3):16+12*cos(n*1.7)")),
    (&["earthquake"], Before("crop=iw-32:ih-32:16+12*sin(n*1.3):16+12*cos(n*1.7)")),
    (&["loop"], named("loop")),
    (&["repeat"], named("loop")),
    (&["slideshow"], FROM_IMAGES),
    (&["photo", "video"], FROM_IMAGES),
    (&["image", "video"], FROM_IMAGES),
    (&["picture", "to", "video"], FROM_IMAGES),
    (&["from", "photo"], FROM_IMAGES),
    (&["from", "image"], FROM_IMAGES),
    (&["video", "image"], TO_IMAGES),
    (&["video", "photo"], TO_IMAGES),
    (&["extract", "frame"], TO_IMAGES),
    (&["save", "frame"], TO_IMAGES),
    (&["export", "frame"], TO_IMAGES),
    (&["screenshot"], TO_IMAGES),
    (&["snapshot"], TO_IMAGES),
    (&["contact", "sheet"], named("contactsheet")),
    (&["gif"], Needless("name an output that ends in .gif: type warpreel IN OUT.gif -f fps=12,scale=480:-2")),
    (&["webp"], Needless("name an output that ends in .webp: type warpreel IN OUT.webp -f fps=12,scale=480:-2")),
    (&["compress", "artifact"], named("deblock_qed")),
    (&["compression", "artifact"], named("deblock_qed")),
    (&["compress"], SMALLER),
    (&["file", "size"], SMALLER),
    (&["smaller", "file"], SMALLER),
    (&["bitrate"], SMALLER),
    (&["email"], SMALLER),
    (&["whatsapp"], SMALLER),
    (&["to", "mp4"], ENDING),
    (&["to", "mov"], ENDING),
    (&["to", "mkv"], ENDING),
    (&["to", "webm"], ENDING),
    (&["to", "avi"], ENDING),
    (&["to", "prores"], ENDING),
    (&["to", "h264"], ENDING),
    (&["to", "h265"], ENDING),
    (&["to", "hevc"], ENDING),
    (&["to", "av1"], ENDING),
    (&["transcode"], ENDING),
    (&["remux"], ENDING),
    (&["trim"], PART),
    (&["cut", "clip"], PART),
    (&["cut", "video"], PART),
    (&["cut", "out"], PART),
    (&["cut", "part"], PART),
    (&["shorten"], PART),
    (&["split", "video"], PART),
    (&["split", "clip"], PART),
    (&["crossfade"], named("xfade")),
    (&["transition"], named("xfade")),
    (&["wipe"], named("xfade")),
    (&["concatenate"], named("concat")),
    (&["concat"], named("concat")),
    (&["append"], named("concat")),
    (&["merge"], named("concat")),
    (&["join"], named("concat")),
    (&["combine", "clip"], named("concat")),
    (&["combine", "video"], named("concat")),
    (&["watch", "folder"], Typed("warpreel --watch FOLDER OUTPUTS/, which filters each file that comes")),
    (&["crop", "face"], OBJECTS),
    (&["face", "detection"], OBJECTS),
    (&["detect", "face"], OBJECTS),
    (&["reframe"], OBJECTS),
    (&["blur", "background"], OBJECTS),
    (&["portrait", "mode"], OBJECTS),
    (&["motion", "track"], OBJECTS),
    (&["track", "object"], OBJECTS),
    (&["track", "ball"], OBJECTS),
    (&["follow"], OBJECTS),
    (&["object"], OBJECTS),
    (&["counting"], OBJECTS),
    (&["segmentation"], OBJECTS),
    (&["ocr"], OBJECTS),
    (&["scene", "detection"], CUTS),
    (&["scene", "change"], CUTS),
    (&["detect", "scene"], CUTS),
    (&["shot", "boundary"], CUTS),
    (&["detect", "black"], named("blackdetect")),
    (&["black", "frame"], named("blackdetect")),
    (
        &["detect", "silence"],
        Needless("it changes nothing; run it by itself: ffmpeg -i IN -af silencedetect -f null -"),
    ),
    (&["heat", "map"], named("heatmap")),
    (&["heatmap"], named("heatmap")),
    (&["thermal"], named("heatmap")),
    (&["infrared"], named("heatmap")),
    (&["false", "color"], named("heatmap")),
    (
        &["remove", "ghost"],
        Needless("second pictures of a weak signal are not removed here; capture the tape or channel anew"),
    ),
    (&["panorama"], STITCHED),
    (&["stitch"], STITCHED),
    (&["histogram", "equalization"], named("histeq")),
    (&["equalize", "histogram"], named("histeq")),
    (&["histogram", "stretch"], Near("levels=in_low=0.05:in_high=0.95")),
    (&["stretch", "histogram"], Near("levels=in_low=0.05:in_high=0.95")),
    (&["histogram"], named("histogram")),
    (&["waveform"], named("waveform")),
    (&["vectorscope"], named("vectorscope")),
    (&["rainbow"], named("dedot")),
    (&["dot", "crawl"], named("dedot")),
    (&["cross", "color"], named("dedot")),
    (&["chromatic", "aberration"], SHIFTED_CHROMA),
    (&["purple", "fringe"], SHIFTED_CHROMA),
    (&["color", "fringe"], SHIFTED_CHROMA),
    (&["chroma", "bleed"], SHIFTED_CHROMA),
    (&["color", "bleed"], SHIFTED_CHROMA),
    (&["chroma", "delay"], SHIFTED_CHROMA),
    (&["c", "delay"], SHIFTED_CHROMA),
    (&["chroma", "shift"], SHIFTED_CHROMA),
    (
        &["time", "base"],
        Needless("lines that a tape displaced are not put back here: capture through a time base corrector"),
    ),
    (&["auto", "crop"], named("cropdetect")),
    (&["autocrop"], named("cropdetect")),
    (&["detect", "bar"], named("cropdetect")),
    (&["pixelate"], named("pixelize")),
    (&["remove", "vignette"], Before("vignette=mode=backward")),
    (&["vignette"], named("vignette")),
    (&["glitch"], Before("rgbashift=rh=8:bh=-8")),
    (&["scanline"], Before("drawgrid=w=0:h=4:t=2:c=black@0.4")),
    (&["crt"], Before("drawgrid=w=0:h=4:t=2:c=black@0.4")),
    (&["auto", "white", "balance"], Before("grayworld")),
    (&["selective", "color"], Before("colorhold=red:0.3")),
    (&["spot", "color"], Before("colorhold=red:0.3")),
    (&["keep", "only"], Before("colorhold=red:0.3")),
    (&["only", "red"], Before("colorhold=red:0.3")),
    (&["sdr", "hdr"], HDR),
    (&["skew"], Before("shear=shx=0.1")),
    (&["colorize"], COLOURED),
    (&["deblur"], SHARPER),
    (&["unblur"], SHARPER),
    (&["remove", "blur"], SHARPER),
    (&["fix", "blur"], SHARPER),
    (&["refocus"], SHARPER),
    (&["deconvolution"], SHARPER),
    (&["motion", "interpolation"], named("minterpolate")),
    (&["record", "screen"], SCREEN),
    (&["screen", "recording"], SCREEN),
    (&["from", "camera"], CAMERA),
    (&["record", "camera"], CAMERA),
    (&["record", "webcam"], CAMERA),
    (&["stream", "youtube"], SEND),
    (&["to", "youtube"], SEND),
    (&["twitch"], SEND),
    (&["rtmp"], SEND),
    (&["broadcast"], SEND),
    (&["live", "stream"], SEND),
];

/// The answer to a task that no filter here serves.
pub(super) fn find(words: &[&str]) -> Option<String> {
    let (_, answer) = TASKS.iter().find(|(all, _)| stand_in(all, words))?;
    elsewhere::said(*answer, "", "")
}

#[cfg(test)]
mod tests {
    use super::{TASKS, find};

    #[test]
    fn tasks_have_answers() {
        for (at, (words, _)) in TASKS.iter().enumerate() {
            assert!(find(words).is_some(), "{words:?} leads to a name that is not in the table");
            let before = TASKS[..at].iter().find(|(all, _)| super::stand_in(all, words));
            assert!(before.is_none(), "{words:?} follows {before:?}, which it contains");
        }
        assert!(find(&["remove", "noise"]).is_none());
    }
}
