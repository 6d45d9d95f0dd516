//! Files of kernels, weights and tones: text, JSON and NumPy.

use warpreel::filter::{Defaults, parse};

use super::folder;

pub fn run(bytes: &[u8]) {
    let (choice, bytes) = folder::choice(bytes);
    let name = ["k.txt", "k.json", "k.npy"][usize::from(choice % 3)];
    let path = folder::write(name, bytes);
    for filter in ["kernel=file", "lut=file"] {
        let text = format!("{filter}='{}'", path.display());
        match parse(&text, &Defaults::default()) {
            Ok(filters) => assert_eq!(filters.len(), 1),
            Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
        }
    }
}
