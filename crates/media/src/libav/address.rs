//! Addresses of streams, as a user types them: what each scheme may open, and the container that it carries.

use std::ffi::{CStr, CString, c_void};
use std::path::Path;
use std::ptr;

use anyhow::{Context, Result, anyhow, bail, ensure};
use ffmpeg_next::ffi;

use crate::shell::quoted;

/// An address such as `udp://127.0.0.1:5000`.
#[derive(Clone, Debug)]
pub struct Address {
    url: String,
    scheme: &'static Scheme,
}

/// What an address of a scheme opens.
#[derive(Debug)]
struct Scheme {
    name: &'static str,
    /// FFmpeg's protocols that it may use, and no other: what a stream names is opened by these or not at all.
    protocols: &'static str,
    /// FFmpeg's reader, where the scheme has its own.
    reader: Option<&'static CStr>,
    /// A reader of lists that it may carry beside plain containers.
    list: Option<&'static str>,
    /// Container of an output; `None` where nothing is sent.
    container: Option<&'static str>,
}

/// Container of outputs that say nothing else.
const USUAL: &str = "mpegts";

const PLAIN: Scheme = Scheme { name: "", protocols: "", reader: None, list: None, container: Some(USUAL) };
const WEB: Scheme = Scheme { protocols: "http,https,tcp,tls,crypto", list: Some("hls"), ..PLAIN };

/// All schemes that are opened.
static SCHEMES: [Scheme; 10] = [
    Scheme { name: "http", ..WEB },
    Scheme { name: "https", ..WEB },
    Scheme { name: "tcp", protocols: "tcp", ..PLAIN },
    Scheme { name: "udp", protocols: "udp", ..PLAIN },
    Scheme { name: "srt", protocols: "srt", ..PLAIN },
    Scheme {
        name: "rtsp",
        protocols: "rtsp,rtp,udp,tcp",
        reader: Some(c"rtsp"),
        list: Some("rtsp"),
        container: Some("rtsp"),
    },
    Scheme {
        name: "rtsps",
        protocols: "rtsp,rtp,udp,tcp,tls",
        reader: Some(c"rtsp"),
        list: Some("rtsp"),
        container: Some("rtsp"),
    },
    Scheme { name: "rtp", protocols: "rtp,udp", reader: Some(c"rtp"), list: Some("rtp"), container: None },
    Scheme { name: "rtmp", protocols: "rtmp,tcp", container: Some("flv"), ..PLAIN },
    Scheme { name: "rtmps", protocols: "rtmps,tls,tcp", container: Some("flv"), ..PLAIN },
];

/// What begins the name of an SDP file whose streams are received: so nothing but what was typed leads to a host.
const DESCRIBED: &str = "sdp:";

/// Streams of RTP that an SDP file describes.
static SDP: Scheme =
    Scheme { name: "sdp", protocols: "rtp,udp,file", reader: Some(c"sdp"), list: Some("sdp"), container: None };

/// Parts of the addresses of pages that show videos.
const PAGES: [&str; 5] =
    ["youtube.com/watch", "youtube.com/shorts/", "//youtu.be/", "//vimeo.com/", "//www.twitch.tv/"];

/// The way that data flow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    In,
    Out,
}

impl Address {
    /// Whether a name has the form of an address, such as `http://…` or `sdp:FILE`, and no file of that name exists.
    pub fn is(name: &str) -> bool {
        let is_scheme = |scheme: &str| {
            scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
                && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(&byte))
        };
        let is_one =
            Self::described(name).is_some() || name.split_once("://").is_some_and(|(scheme, _)| is_scheme(scheme));
        is_one && !Path::new(name).exists()
    }

    /// The SDP file of a name such as `sdp:FILE`.
    pub fn described(name: &str) -> Option<&Path> {
        name.strip_prefix(DESCRIBED).map(Path::new)
    }

    /// An address that is read.
    ///
    /// # Errors
    /// If its scheme is not opened, or this FFmpeg cannot read it.
    pub fn to_read(name: &str) -> Result<Self> {
        if let Some(path) = name.strip_prefix("file://") {
            bail!(
                "a file is named by its path; type warpreel {} …",
                quoted(path.strip_prefix("localhost").unwrap_or(path))
            );
        }
        if PAGES.iter().any(|page| name.contains(page)) {
            bail!("a page is no video; fetch the video: yt-dlp -o - {} | warpreel - …", quoted(name));
        }
        let address = Self::parse(name).and_then(|address| address.able(Flow::In));
        address.map_err(|why| anyhow!("{why:#}; pipe the stream: ffmpeg -i {name} -c copy -f nut - | warpreel - …"))
    }

    /// An address that is written.
    ///
    /// # Errors
    /// If nothing is sent to its scheme, or this FFmpeg cannot do it.
    pub fn to_write(name: &str) -> Result<Self> {
        let address = Self::parse(name).and_then(|address| {
            ensure!(address.scheme.container.is_some(), "{} is only read", address.scheme.name);
            let listens = address.is_published() && address.words().any(|word| word.starts_with("listen"));
            ensure!(!listens, "{}:// publishes to a server, which listens; leave ?listen out", address.scheme.name);
            address.able(Flow::Out)
        });
        address.map_err(|why| {
            let sent = match name.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase()).as_deref() {
                Some("rtp") => format!("-re -i - -c copy -f rtp_mpegts {name}"),
                Some("sdp") => {
                    format!("-re -i - -c copy -sdp_file {} -f rtp rtp://HOST:5004", &name[DESCRIBED.len()..])
                }
                _ => format!("-i - -c copy … {name}"),
            };
            anyhow!("{why:#}; pipe the output: warpreel … --container nut - | ffmpeg {sent}")
        })
    }

    fn parse(name: &str) -> Result<Self> {
        ensure!(!name.contains('\0'), "it has a zero byte");
        if Self::described(name).is_some() {
            return Ok(Self { url: name.to_owned(), scheme: &SDP });
        }
        let (scheme, rest) = name.split_once("://").context("it has no scheme")?;
        let lower = scheme.to_ascii_lowercase();
        let known = SCHEMES.iter().find(|known| known.name == lower);
        let Some(scheme) = known else {
            let all: Vec<_> = SCHEMES.iter().map(|scheme| scheme.name).collect();
            bail!("{scheme}:// is none of {}", all.join(", "))
        };
        Ok(Self { url: format!("{}://{rest}", scheme.name), scheme })
    }

    /// The same, if this FFmpeg can do what is wanted.
    fn able(self, flow: Flow) -> Result<Self> {
        let name = self.scheme.name;
        let has = match self.scheme.reader {
            // Some schemes are readers, and no protocols.
            // SAFETY: the name ends with a zero.
            Some(reader) if flow == Flow::In => unsafe { !ffi::av_find_input_format(reader.as_ptr()).is_null() },
            // SAFETY: the name ends with a zero, and the others are not looked at.
            Some(writer) => unsafe { !ffi::av_guess_format(writer.as_ptr(), ptr::null(), ptr::null()).is_null() },
            None => protocols(flow).any(|known| known == name),
        };
        let needs = self.scheme.protocols.split(',').next().unwrap_or(name);
        ensure!(has, "this FFmpeg was built without {needs}; install one that ffmpeg -protocols lists it for");
        Ok(self)
    }

    /// The address for messages, without a password.
    pub fn shown(&self) -> String {
        let hidden = || {
            let (scheme, rest) = self.url.split_once("://")?;
            let host = rest.find(['/', '?']).unwrap_or(rest.len());
            let at = rest[..host].rfind('@')?;
            let user = rest[..at].split_once(':')?.0;
            Some(format!("{scheme}://{user}:***{}", &rest[at..]))
        };
        hidden().unwrap_or_else(|| self.url.clone())
    }

    /// Whether it is a page's address, which carries files and lists of files.
    pub(crate) fn is_web(&self) -> bool {
        self.scheme.list == WEB.list
    }

    /// FFmpeg's name of the container that outputs of the scheme usually have.
    pub(crate) fn usual_container(&self) -> &'static str {
        self.scheme.container.unwrap_or(USUAL)
    }

    /// The address without what follows a question mark.
    pub(crate) fn path(&self) -> &str {
        self.url.split(['?', '#']).next().unwrap_or_default()
    }

    /// True for outputs that FFmpeg's muxer publishes to a server, to which it connects itself.
    pub(crate) fn is_published(&self) -> bool {
        self.scheme.container == Some("rtsp")
    }

    /// The parameters behind the question mark.
    fn words(&self) -> impl Iterator<Item = &str> {
        self.url.split_once('?').into_iter().flat_map(|(_, words)| words.split('&'))
    }

    /// Whether an end by the sender cannot be told from a fault.
    pub(crate) fn ends_with_fault(&self) -> bool {
        self.scheme.name == "srt"
    }

    /// Reader of the scheme itself.
    pub(super) fn reader(&self) -> Option<&'static CStr> {
        self.scheme.reader
    }

    /// Reader of lists that it may carry.
    pub(super) fn list(&self) -> Option<&'static str> {
        self.scheme.list
    }

    /// The address as FFmpeg takes it, and options for it.
    pub(super) fn for_ffmpeg(&self, flow: Flow) -> Result<(CString, Vec<(&'static str, &'static str)>)> {
        let mut options = vec![("protocol_whitelist", self.scheme.protocols)];
        let mut url = self.url.clone();
        match self.scheme.name {
            // The name has neither parameters nor a password.
            "sdp" => url = url.replacen(DESCRIBED, "file:", 1),
            "http" | "https" if flow == Flow::Out => options.push(("method", "PUT")),
            // A receiver that is too slow loses packets rather than the connection.
            "udp" if flow == Flow::In => options.push(("overrun_nonfatal", "1")),
            "udp" => options.push(("pkt_size", "1316")),
            // What was sent is delivered before the connection is closed.
            "srt" if flow == Flow::Out => options.push(("linger", "2")),
            "rtsp" | "rtsps" => {
                // FFmpeg has options in place of the parameters that its other protocols have.
                let known = |word: &str| match word {
                    "listen" | "listen=1" => Some(("rtsp_flags", "listen")),
                    "tcp" => Some(("rtsp_transport", "tcp")),
                    "udp" => Some(("rtsp_transport", "udp")),
                    _ => None,
                };
                let typed = self.url.split_once('?');
                let words = typed
                    .and_then(|(bare, words)| Some((bare, words.split('&').map(known).collect::<Option<Vec<_>>>()?)));
                if let Some((bare, words)) = words {
                    url = bare.to_owned();
                    options.extend(words);
                }
                // Packets of UDP would be lost without a word.
                if flow == Flow::Out && options.iter().all(|(key, _)| *key != "rtsp_transport") {
                    options.push(("rtsp_transport", "tcp"));
                }
            }
            _ => {}
        }
        Ok((CString::new(url)?, options))
    }
}

/// Names of the protocols that this FFmpeg has.
fn protocols(flow: Flow) -> impl Iterator<Item = String> {
    let mut state: *mut c_void = ptr::null_mut();
    std::iter::from_fn(move || {
        // SAFETY: the state begins as null and is only changed by the function; names live as long as the program and end
        // with a zero.
        unsafe {
            let name = ffi::avio_enum_protocols(&mut state, (flow == Flow::Out).into());
            (!name.is_null()).then(|| CStr::from_ptr(name).to_string_lossy().into_owned())
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() -> Result<()> {
        for (typed, shown) in [
            ("rtsp://me:secret@camera/1?x=a@b", "rtsp://me:***@camera/1?x=a@b"),
            ("HTTP://host:80/a@b:c", "http://host:80/a@b:c"),
            ("udp://@239.0.0.1:1234", "udp://@239.0.0.1:1234"),
            ("sdp:a@b:c.sdp", "sdp:a@b:c.sdp"),
        ] {
            assert_eq!(Address::parse(typed)?.shown(), shown);
        }
        Ok(())
    }

    #[test]
    fn other_schemes_are_refused_with_what_to_type() {
        for name in ["gopher://a/b", "concat://a", "x+y.z-1://"] {
            let error = format!("{:#}", Address::to_read(name).unwrap_err());
            assert!(Address::is(name) && error.contains("is none of http,") && error.contains("ffmpeg -i"), "{error}");
        }
        for (name, wanted) in [
            ("file:///etc/my file", "type warpreel \"/etc/my file\" …"),
            ("https://www.youtube.com/watch?v=1", "yt-dlp -o - \"https://www.youtube.com/watch?v=1\" | warpreel - …"),
        ] {
            let error = format!("{:#}", Address::to_read(name).unwrap_err());
            assert!(error.contains(wanted), "{error}");
        }
        assert!(!Address::is("C:/a") && !Address::is("a,b://c") && !Address::is("://"));
        for (name, wanted) in [
            ("rtp://127.0.0.1:1", "ffmpeg -re -i - -c copy -f rtp_mpegts rtp://127.0.0.1:1"),
            ("sdp:a.sdp", "ffmpeg -re -i - -c copy -sdp_file a.sdp -f rtp rtp://HOST:5004"),
        ] {
            let error = format!("{:#}", Address::to_write(name).unwrap_err());
            assert!(error.contains("is only read; ") && error.contains(wanted), "{error}");
        }
        let error = format!("{:#}", Address::to_write("rtsp://127.0.0.1/a?listen").unwrap_err());
        assert!(error.contains("leave ?listen out"), "{error}");
    }
}
