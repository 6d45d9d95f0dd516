//! Tells the code which version of FFmpeg it is built against: `cfg(ffmpeg_7_0)` holds from that version on. The names
//! are those that the build script of `ffmpeg-sys-next` gives to whoever depends on it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for version in ["6_0", "6_1", "7_0", "7_1", "8_0"] {
        println!("cargo::rustc-check-cfg=cfg(ffmpeg_{version})");
        if std::env::var(format!("DEP_FFMPEG_FFMPEG_{version}")).is_ok_and(|holds| holds == "true") {
            println!("cargo::rustc-cfg=ffmpeg_{version}");
        }
    }
}
