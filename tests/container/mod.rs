//! Containers, codecs and what travels with the picture, on real files that FFmpeg makes.

mod pixel;
