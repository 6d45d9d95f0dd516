//! Examples that textbooks and manuals work out.

use crate::stage::{clip, float, format, run};
use warpreel::frame::Pixel;

/// What a chain makes of one frame, in integers of 16 bits and in floats.
fn both(text: &str, input: &[&[i32]]) -> [Vec<f32>; 2] {
    let (width, height) = (input[0].len(), input.len());
    [Pixel::gray(16), float()].map(|pixel| {
        let format = format(pixel, width, height);
        let frame = clip(&format, 1, |_, _, x, y| input[y][x] as f32);
        run(text, &format, &frame).remove(0).remove(0)
    })
}

fn check(text: &str, input: &[&[i32]], expected: &[&[i32]]) {
    let expected: Vec<f32> = expected.iter().flat_map(|row| row.iter().map(|&number| number as f32)).collect();
    for found in both(text, input) {
        assert_eq!(found, expected, "{text}");
    }
}

/// Kirk and Hwu, Programming Massively Parallel Processors, the chapter on convolution.
#[test]
fn a_row_of_seven_and_a_filter_of_five() {
    let x: &[&[i32]] = &[&[8, 2, 5, 4, 1, 7, 3]];
    check("kernel='1 3 5 3 1':border=zero:scale=1", x, &[&[51, 53, 52, 47, 46, 51, 37]]);
    check("convolution=1 3 5 3 1:0mode=row:0rdiv=1:border=zero", x, &[&[51, 53, 52, 47, 46, 51, 37]]);
}

const MAGIC: &[&[i32]] =
    &[&[17, 24, 1, 8, 15], &[23, 5, 7, 14, 16], &[4, 6, 13, 20, 22], &[10, 12, 19, 21, 3], &[11, 18, 25, 2, 9]];

/// MATLAB's `conv2(A, h, 'same')`; the manual ("What Is Image Filtering in the Spatial Domain?") works out the
/// element (2, 4), counted from 1: 575.
#[test]
fn convolution_is_matlabs() {
    let expected: &[&[i32]] = &[
        &[220, 441, 346, 276, 231],
        &[431, 595, 410, 575, 471],
        &[371, 440, 555, 620, 551],
        &[301, 585, 600, 765, 421],
        &[247, 446, 536, 451, 128],
    ];
    check("kernel='8 1 6; 3 5 7; 4 9 2':flip=1:border=zero:scale=1", MAGIC, expected);
}

/// MATLAB's `conv2(A, rot90(h, 2), 'same')`, which is correlation; the same page has 585 for the element (2, 4).
#[test]
fn correlation_is_matlabs_with_the_kernel_turned() {
    let expected: &[&[i32]] = &[
        &[470, 329, 244, 334, 299],
        &[359, 405, 570, 585, 479],
        &[229, 550, 615, 730, 409],
        &[309, 595, 760, 575, 349],
        &[263, 504, 434, 339, 222],
    ];
    check("kernel='8 1 6; 3 5 7; 4 9 2':border=zero:scale=1", MAGIC, expected);
    check("convolution=8 1 6 3 5 7 4 9 2:0rdiv=1:border=zero", MAGIC, expected);
    let expected: &[&[i32]] = &[
        &[118, 185, 50, 100, 119],
        &[206, 155, 135, 200, 195],
        &[128, 145, 190, 230, 217],
        &[115, 185, 225, 270, 114],
        &[97, 155, 215, 95, 75],
    ];
    check("kernel='1 3 1; 0 5 0; 2 1 2':border=zero:scale=1", MAGIC, expected);
}
