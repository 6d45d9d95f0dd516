//! Vector instructions are instructions. Where a loop works on vectors in a closure, or calls what is not always inlined, they
//! are calls of functions instead, with the same results and up to twenty times as slow.

use object::{Object, ObjectSymbol};

/// Functions that other crates call in builds that are not optimised.
const OTHERS: [&str; 1] = ["_mm256_movemask_epi8"];

/// The instruction that a function stands for, if it is one of those that not every x86-64 machine has.
fn instruction(symbol: &str) -> Option<&str> {
    let name = symbol.split_once("core_arch")?.1;
    let start = ["_mm256_", "_mm512_"].iter().find_map(|start| name.find(start))?;
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let name = name[start..].split(|letter| !is_part(letter)).next()?;
    // A symbol ends with the length and the letters of a hash.
    Some(name.split_once("17h").map_or(name, |(name, _)| name))
}

#[test]
fn symbols_are_told() {
    assert_eq!(instruction("_ZN4core9core_arch3x867avx512f13_mm512_add_ps17h6fa05d8ac0da3356E"), Some("_mm512_add_ps"));
    assert_eq!(instruction("_ZN12warpreel_cpu4gain4Gain7vectors17h6fa05d8ac0da3356E"), None);
}

#[test]
fn no_vector_instruction_is_a_call() {
    let bytes = std::fs::read(env!("CARGO_BIN_EXE_warpreel")).unwrap();
    let program = object::File::parse(&*bytes).unwrap();
    let names: Vec<&str> = program.symbols().filter_map(|symbol| symbol.name().ok()).collect();
    assert!(names.iter().any(|name| name.contains("warpreel_cpu")), "the program has no names of functions");
    let mut called: Vec<&str> = names.into_iter().filter_map(instruction).collect();
    called.retain(|name| !OTHERS.contains(name));
    called.sort_unstable();
    called.dedup();
    assert!(
        called.is_empty(),
        "functions instead of instructions: {called:?}; `objdump -dC target/debug/warpreel` tells their callers; see `WithSimd`"
    );
}
