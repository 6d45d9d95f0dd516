//! Which outputs have the limit of a plain pipe: those that the job writes as samples, by whatever name.

use std::process::Command;

use warpreel::bench::bound::pipes;
use warpreel::job::{Encoding, Kind, Request};

use crate::program::Bench;

#[test]
fn every_plain_output_into_a_pipe_is_held_against_one() {
    let folder = Bench::new();
    for (name, container, wanted) in [
        ("a.y4m", None, Kind::Y4m),
        ("b.Y4M", None, Kind::Y4m),
        ("c.yuv", None, Kind::Raw),
        ("d.raw", None, Kind::Raw),
        ("e.rgb", None, Kind::Raw),
        ("f.gray", None, Kind::Raw),
        ("g", Some("y4m"), Kind::Y4m),
        ("h", Some("yuv4mpegpipe"), Kind::Y4m),
        ("i", Some("raw"), Kind::Raw),
        ("j", Some("rawvideo"), Kind::Raw),
        ("k.mkv", None, Kind::Container),
        ("l.y4m", Some("nut"), Kind::Container),
    ] {
        let path = folder.path(name);
        assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
        let encoding = Encoding { container: container.map(str::to_owned), ..Encoding::default() };
        let request = Request { output: path.display().to_string(), encoding, ..Request::default() };
        assert_eq!(request.kind(), wanted, "{name}, {container:?}");
        assert_eq!(pipes(&request, false), usize::from(wanted.is_plain()), "{name}, {container:?}");
        let file = Request { output: folder.path(&format!("file-{name}")).display().to_string(), ..request };
        assert_eq!(pipes(&file, false), 0, "{name} is no pipe");
    }
    for (output, wanted) in [("null:", Kind::Null), ("hash:", Kind::Hash), ("hash:a.y4m", Kind::Hash)] {
        let request = Request { output: output.to_owned(), ..Request::default() };
        assert_eq!((request.kind(), pipes(&request, false)), (wanted, 0), "{output}");
    }
}
