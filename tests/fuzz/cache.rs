//! Entries of the cache of kernels: what is damaged is no entry.

use warpreel::backend::cuda::compile::Cache;

use super::folder;

pub fn run(bytes: &[u8]) {
    let folder = folder::path("cache");
    let cache = Cache::at(&folder);
    cache.write("key", bytes).expect("a folder that can be written");
    assert_eq!(cache.read("key").as_deref(), Some(bytes));
    let path = cache.path("key");
    std::fs::write(&path, bytes).expect("an entry");
    // Only who knows SHA-256 makes an entry by hand, as libFuzzer does, which sees what is compared.
    assert!(cache.read("key").is_none_or(|entry| bytes.get(32..) == Some(&entry[..])));
    cache.write("key", bytes).expect("a folder that can be written");
    if let Some(byte) = bytes.first() {
        let mut entry = std::fs::read(&path).expect("the entry");
        let place = usize::from(*byte) % entry.len();
        entry[place] ^= 1;
        std::fs::write(&path, &entry).expect("an entry");
        assert_eq!(cache.read("key"), None, "byte {place} of {}", entry.len());
    }
}
