//! Tiles: that they hold all that their kernels read, in whole steps, and cover every plane once.

use warpreel::backend::cuda::geometry::{Halo, THREAD_ROWS, THREADS, TILE_WIDTH, Tile, tiles};

#[test]
fn tiles_hold_what_is_read() {
    for reach in 0..70 {
        for step in [4, 8, 16] {
            for rows in [1, 4, 8] {
                let extent = Halo { left: reach, right: 2 * reach, top: reach / 2, bottom: reach };
                let tile = Tile::new(extent, step, rows);
                assert!(tile.left >= reach && tile.left < reach + step);
                assert!(tile.columns >= tile.left + TILE_WIDTH + 2 * reach);
                assert_eq!((tile.left % step, tile.columns % step), (0, 0));
                assert_eq!(tile.rows, reach / 2 + tile.height() + reach);
                assert_eq!(tile.height(), 8 * rows);
                let places = 4 * (tile.rows + tile.columns);
                assert_eq!(tile.bytes(1) - places, 4 * tile.rows * tile.columns);
                assert_eq!((tile.bytes(4) - places) * 4, tile.bytes(1) - places, "four samples in four bytes");
            }
        }
    }
}

#[test]
fn planes_are_covered_once() {
    for (width, height) in [(1, 1), (127, 31), (128, 32), (129, 33), (16384, 16384)] {
        for rows in [8, 32, 64] {
            let (across, down) = tiles(width, height, [TILE_WIDTH, rows]);
            assert!(across * TILE_WIDTH >= width && (across - 1) * TILE_WIDTH < width);
            assert!(down * rows >= height && (down - 1) * rows < height);
            // All tiles of a frame are in one dimension of the grid, which holds 2³¹ − 1.
            assert!(4 * across * down < i32::MAX as usize);
        }
    }
}

#[test]
fn extents_join() {
    let one = Halo { left: 1, right: 0, top: 5, bottom: 2 };
    let other = Halo { left: 0, right: 3, top: 1, bottom: 7 };
    assert_eq!(one.union(other), Halo { left: 1, right: 3, top: 5, bottom: 7 });
}

/// What a block is, kernels have by heart; all else they are told by name.
#[test]
fn kernels_have_blocks_of_the_same_shape() {
    let kernels = concat!(env!("CARGO_MANIFEST_DIR"), "/kernels/common.cuh");
    let text = std::fs::read_to_string(kernels).expect("the kernels");
    let number = |name: &str| -> usize {
        let rest = text.split_once(&format!("constexpr int {name} = ")).expect("a constant").1;
        rest.split(';').next().and_then(|number| number.parse().ok()).expect("a number")
    };
    assert_eq!([number("THREADS"), number("TILE_W")], [THREADS as usize, TILE_WIDTH]);
    assert_eq!(TILE_WIDTH / 4 * THREAD_ROWS, THREADS as usize);
}
