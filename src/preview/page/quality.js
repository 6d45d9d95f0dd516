// PSNR and SSIM of a plane of two frames, as FFmpeg's filters of these names compute them.

/**
 * Peak signal-to-noise ratio in dB; Infinity for equal planes.
 * @param {ArrayLike<number>} one @param {ArrayLike<number>} other @param {number} peak the largest value of a sample
 */
export function psnr(one, other, peak) {
  let sum = 0;
  for (let at = 0; at < one.length; at++) {
    const apart = one[at] - other[at];
    sum += apart * apart;
  }
  return 10 * Math.log10((peak * peak * one.length) / sum);
}

/**
 * Structural similarity: the mean over windows of 8x8 samples, one every 4 in either direction. NaN for planes that are smaller.
 * @param {ArrayLike<number>} one @param {ArrayLike<number>} other @param {number} width @param {number} height @param {number} peak
 */
export function ssim(one, other, width, height, peak) {
  const [across, down] = [width >> 2, height >> 2];
  if (across < 2 || down < 2) return NaN;
  const [low, high] = [0.01 * 0.01 * peak * peak * 64, 0.03 * 0.03 * peak * peak * 64 * 63];
  // Sums of blocks of 4x4, four for each, of two rows of blocks.
  let [above, below] = [new Float64Array(across * 4), new Float64Array(across * 4)];
  const add = (row, sums) => {
    for (let block = 0; block < across; block++) {
      let [a, b, squares, products] = [0, 0, 0, 0];
      for (let y = 0; y < 4; y++) {
        const from = (row * 4 + y) * width + block * 4;
        for (let at = from; at < from + 4; at++) {
          const [first, second] = [one[at], other[at]];
          a += first;
          b += second;
          squares += first * first + second * second;
          products += first * second;
        }
      }
      sums.set([a, b, squares, products], block * 4);
    }
  };
  add(0, above);
  let total = 0;
  for (let row = 1; row < down; row++) {
    add(row, below);
    for (let block = 0; block + 1 < across; block++) {
      const sum = part => above[block * 4 + part] + above[block * 4 + 4 + part] + below[block * 4 + part] + below[block * 4 + 4 + part];
      const [a, b] = [sum(0), sum(1)];
      const variances = sum(2) * 64 - a * a - b * b;
      const covariance = sum(3) * 64 - a * b;
      total += ((2 * a * b + low) * (2 * covariance + high)) / ((a * a + b * b + low) * (variances + high));
    }
    [above, below] = [below, above];
  }
  return total / ((down - 1) * (across - 1));
}

/** Tells how far the two sides of the picture are apart. */
export class Quality {
  /** @param {HTMLElement} output @param {any} clip */
  constructor(output, clip) {
    this.output = output;
    this.clip = clip;
  }

  /**
   * Measures luma, or green, or the only plane.
   * @param {import('./film.js').Frame} one @param {import('./film.js').Frame} other of the same shape @param {string} names of both
   * @param {boolean} isScaled whether one of both was scaled to the other
   */
  tell(one, other, names, isScaled) {
    const letters = one.shape.planes.map(plane => plane.letter);
    const main = Math.max(0, letters.findIndex(letter => letter === 'y' || letter === 'g'));
    const { width, height, letter } = one.shape.planes[main];
    const { pixel } = one.shape;
    const peak = pixel.sample === 'f32' ? 1 : 2 ** pixel.depth - 1;
    const ratio = psnr(one[main], other[main], peak);
    const alike = ssim(one[main], other[main], width, height, peak);
    const plane = letter.toUpperCase();
    const parts = [`PSNR ${plane} ${ratio.toFixed(2)} dB`, ...(Number.isNaN(alike) ? [] : [`SSIM ${plane} ${alike.toFixed(4)}`])];
    const said = ratio === Infinity ? `${plane} is identical` : parts.join(' · ');
    this.output.textContent = `${names}: ${said}${isScaled ? ' (scaled)' : ''}`;
  }
}
