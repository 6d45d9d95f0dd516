//! Which outputs have the limit of a plain pipe: those that the job writes as samples, by whatever name.

use std::process::Command;

use warpreel::bench::bound::pipes;
use warpreel::job::{Encoding, OutputKind, Request};

use crate::program::Bench;

#[test]
fn every_plain_output_into_a_pipe_is_held_against_one() {
    let folder = Bench::new();
    for (name, container, wanted) in [
        ("a.y4m", None, OutputKind::Y4m),
        ("b.Y4M", None, OutputKind::Y4m),
        ("c.yuv", None, OutputKind::Raw),
        ("d.raw", None, OutputKind::Raw),
        ("e.rgb", None, OutputKind::Raw),
        ("f.gray", None, OutputKind::Raw),
        ("g", Some("y4m"), OutputKind::Y4m),
        ("h", Some("yuv4mpegpipe"), OutputKind::Y4m),
        ("i", Some("raw"), OutputKind::Raw),
        ("j", Some("rawvideo"), OutputKind::Raw),
        ("k.mkv", None, OutputKind::Container),
        ("l.y4m", Some("nut"), OutputKind::Container),
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
    for (output, wanted) in [("null:", OutputKind::Null), ("hash:", OutputKind::Hash), ("hash:a.y4m", OutputKind::Hash)]
    {
        let request = Request { output: output.to_owned(), ..Request::default() };
        assert_eq!((request.kind(), pipes(&request, false)), (wanted, 0), "{output}");
    }
}
