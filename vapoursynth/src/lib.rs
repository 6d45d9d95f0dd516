//! The plugin of warpreel for VapourSynth: chains of filters, and a function for each filter.
//!
//! ```text
//! arguments ──function──▶ chain ──plan──▶ steps ──graph──▶ parts ──make──▶ a node for each part (CPU), or one (GPU)
//! ```
//!
//! | file | content |
//! |---|---|
//! | `ffi` | VapourSynth's C interface, and all `unsafe` |
//! | `function` | the functions of the plugin: what is called |
//! | `argument`, `name`, `option` | arguments: of filters, made from the table; their names; those of all functions |
//! | `format` | formats and facts of a clip, and what format comes out |
//! | `measured` | strengths that follow the noise of the clip |
//! | `make` | a chain over a clip as nodes |
//! | `graph` | which steps of a plan become one node |
//! | `scene` | the frames around one: scenes and brightness |
//! | `node` | a node of the CPU |
//! | `gpu` | a node of the GPU |
//! | `wording` | advice of the library in the words of scripts |
//! | `exchange` | frames of VapourSynth as frames of the filters, and back |

mod argument;
mod exchange;
mod ffi;
mod format;
mod function;
mod gpu;
mod graph;
mod make;
mod measured;
mod name;
mod node;
mod option;
mod scene;
#[cfg(test)]
mod stub;
mod wording;
