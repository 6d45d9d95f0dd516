// Colours from samples, in whole numbers, the same on every machine.
//
// With kr, kb of the matrix, kg = 1 - kr - kb, n the depth, y the luma sample, u and v the chroma samples that cover it:
//
//   limited range:  Y = (y - 16·2^(n-8)) · 255 / (219·2^(n-8)),  U = (u - 2^(n-1)) · 255 / (224·2^(n-8)), V likewise
//   full range:     Y = y · 255 / peak,                          U = (u - 2^(n-1)) · 255 / peak
//   R = Y + 2(1-kr) V,  G = Y - 2(1-kb)kb/kg U - 2(1-kr)kr/kg V,  B = Y + 2(1-kb) U
//
// Each term is ⌊65536·term + 0.5⌋ in a table by sample value; a colour is the sum of its terms, plus 32768, shifted right by 16, and
// clamped to 0…255. Gray is Y three times; of RGB each sample has the formula of Y. Matrices: 1 is BT.709; 4 and 7 are FCC and
// SMPTE 240M; 5 and 6 are BT.601; 9 and 10 are BT.2020; others are BT.601 where the picture has fewer than 720 rows, else BT.709.
// An unspecified range is limited for YUV, else full. Chroma is not smoothed: one sample colours all pixels that it covers. Floats
// are taken as ⌊65535·value + 0.5⌋, clamped, of 16 bits. Where a picture has opacity a of peak p, a colour c lies over a checkerboard k of
// 102 and 153 in squares of 8 pixels: ⌊(c·a + k·(p − a)) / p + 0.5⌋. HDR is tone-mapped as in `tone.js`, unless that is switched
// off.

import { ToneMap } from './tone.js';

const HD = [0.2126, 0.0722];
const SD = [0.299, 0.114];
const WIDE = [0.2627, 0.0593];
const WEIGHTS = { 1: HD, 4: [0.3, 0.11], 5: SD, 6: SD, 7: [0.212, 0.087], 9: WIDE, 10: WIDE };

/** Added to each sum, so that it is never negative: 1024 whole, and a half for rounding. */
const BIAS = 1024 * 65536 + 32768;
/** The clamped whole part of a biased sum, where red, green (and opacity), and blue stand in a pixel. */
const stored = (shift, also) =>
  Int32Array.from({ length: 4096 }, (_, index) => (Math.min(255, Math.max(0, index - 1024)) << shift) | also);
const RED = stored(0, 0);
const GREEN = stored(8, 0xff << 24);
const BLUE = stored(16, 0);

/** @param {number} levels @param {(value: number) => number} term @returns {Int32Array} in 1/65536 */
const table = (levels, term) => Int32Array.from({ length: levels }, (_, value) => Math.floor(65536 * term(value) + 0.5));

/** How far a plane is halved along an axis: how often `whole` is halved, rounding up, until it is `part`. */
function halvings(whole, part) {
  let count = 0;
  while (count < 8 && Math.ceil(whole / 2 ** count) > part) count++;
  return count;
}

/**
 * Columns of a picture, from `left` to before `right`.
 * @typedef {{left: number, right: number}} Span
 */

/** Makes colours of the samples of a clip. */
export class Painter {
  /** @param {any} clip as the program tells of it @param {number} [rows] those of the clip, by which the matrix is guessed */
  constructor(clip, rows = clip.height) {
    const { pixel, colour, planes } = clip;
    this.width = clip.width;
    this.height = clip.height;
    this.isYuv = pixel.family === 'yuv';
    /** How often chroma is halved across and down. */
    [this.across, this.down] = [0, 0];
    this.isFloat = pixel.sample === 'f32';
    /** Bits of a sample, as the tables see it. */
    this.depth = this.isFloat ? 16 : pixel.depth;
    const levels = this.isFloat || pixel.sample === 'u16' ? 65536 : 256;
    const unit = 2 ** (this.depth - 8);
    const peak = 2 ** this.depth - 1;
    const half = 2 ** (this.depth - 1);
    const isLimited = colour.range === 'limited' || (colour.range !== 'full' && this.isYuv);
    const y = isLimited ? value => ((value - 16 * unit) * 255) / (219 * unit) : value => (value * 255) / peak;
    const c = isLimited ? value => ((value - half) * 255) / (224 * unit) : value => ((value - half) * 255) / peak;
    /** Weights of red and blue in luma. */
    this.weights = WEIGHTS[colour.matrix] ?? (rows < 720 ? SD : HD);
    const [kr, kb] = this.weights;
    const kg = 1 - kr - kb;
    this.y = table(levels, y).map(term => term + BIAS);
    this.rv = this.gu = this.gv = this.bu = new Int32Array(0);
    const find = letter => planes.findIndex(plane => plane.letter === letter);
    if (this.isYuv) {
      this.places = [find('y'), find('u'), find('v')];
      const chroma = planes[this.places[1]];
      this.across = halvings(clip.width, chroma.width);
      this.down = halvings(clip.height, chroma.height);
      this.chromaWidth = chroma.width;
      this.rv = table(levels, value => 2 * (1 - kr) * c(value));
      this.gu = table(levels, value => -((2 * (1 - kb) * kb) / kg) * c(value));
      this.gv = table(levels, value => -((2 * (1 - kr) * kr) / kg) * c(value));
      this.bu = table(levels, value => 2 * (1 - kb) * c(value));
    } else {
      this.places = pixel.family === 'rgb' ? ['r', 'g', 'b'].map(find) : [0, 0, 0];
    }
    /** The plane of opacity, or -1. */
    this.alpha = find('a');
    this.alphaPeak = this.isFloat ? 65535 : peak;
    /** Tone mapping of HDR, if it is on. @type {ToneMap|null} */
    this.tone = colour.hdr ? new ToneMap(colour.hdr, colour.matrix) : null;
    /** Width and height of the planes that make colours. */
    this.sizes = this.places.map(place => [planes[place].width, planes[place].height]);
    this.rows = [0, 1].map(() => [0, 1, 2].map(() => new Int32Array(clip.width)));
  }

  /** Whether colours are sums of terms alone: nothing lies below them, and nothing is mapped. */
  get isPlain() {
    return this.alpha < 0 && !this.tone;
  }

  /**
   * The planes that make colours, as whole numbers.
   * @param {import('./film.js').Frame} frame
   */
  whole(frame) {
    if (!this.isFloat) return frame;
    return frame.map(plane => Uint16Array.from(plane, value => Math.min(65535, Math.max(0, Math.floor(value * 65535 + 0.5))) || 0));
  }

  /**
   * The colours of a row, in 1/65536 and `BIAS` more, not clamped.
   * @param {any[]} planes as `whole` gives them @param {number} row
   * @param {Int32Array[]} out red, green and blue, `width` long
   */
  row(planes, row, [red, green, blue]) {
    const { width, y, places } = this;
    const [first, second, third] = [planes[places[0]], planes[places[1]], planes[places[2]]];
    const start = row * width;
    if (!this.isYuv) {
      for (let x = 0; x < width; x++) {
        red[x] = y[first[start + x]];
        green[x] = y[second[start + x]];
        blue[x] = y[third[start + x]];
      }
      return;
    }
    const { rv, gu, gv, bu, across } = this;
    const chroma = (row >> this.down) * this.chromaWidth;
    for (let x = 0; x < width; x++) {
      const luma = y[first[start + x]];
      const u = second[chroma + (x >> across)];
      const v = third[chroma + (x >> across)];
      red[x] = luma + rv[v];
      green[x] = luma + gu[u] + gv[v];
      blue[x] = luma + bu[u];
    }
  }

  /**
   * The colours of a row as they are drawn, 0 to 255.
   * @param {any[]} planes as `whole` gives them @param {number} row
   * @param {Uint8ClampedArray[]} out red, green and blue, `width` long
   */
  eight(planes, row, out) {
    this.row(planes, row, this.rows[0]);
    for (let part = 0; part < 3; part++) {
      const [from, to] = [this.rows[0][part], out[part]];
      for (let x = 0; x < this.width; x++) to[x] = (from[x] >> 16) - 1024;
    }
  }

  /** How many rows can be painted where so many have come: those that share chroma are painted together. @param {number} rows */
  end(rows) {
    return rows < this.height ? (rows >> this.down) << this.down : this.height;
  }

  /**
   * Some rows of the picture of a frame.
   * @param {import('./film.js').Frame} frame @param {Int32Array} out a pixel each, red in the lowest byte
   * @param {number} from the first row, 0 or what an earlier call returned @param {number} to behind the last
   * @param {Span} [span] columns that are wanted; others may be painted too
   * @returns {number} behind the last row that is painted: rows that share chroma are painted together
   */
  paint(frame, out, from, to, span = { left: 0, right: this.width }) {
    const planes = this.whole(frame);
    const end = this.end(to);
    if (end <= from) return from;
    const { width } = this;
    if (this.tone) {
      for (let row = from; row < end; row++) {
        this.row(planes, row, this.rows[0]);
        this.tone.paint(this.rows[0], BIAS - 2048, out, row * width);
      }
    } else if (this.isYuv && this.across === 1 && this.down <= 1) this.#paintHalved(planes, out, from, end, span);
    else this.#paintWhole(planes, out, from, end, span);
    if (this.alpha >= 0) this.#layOver(planes[this.alpha], out, from, end);
    return end;
  }

  /** Paints pixel by pixel, for all formats. */
  #paintWhole(planes, out, from, end, { left, right }) {
    const { width } = this;
    const [red, green, blue] = this.rows[0];
    for (let row = from; row < end; row++) {
      this.row(planes, row, this.rows[0]);
      for (let x = left, at = row * width + left; x < right; x++, at++) out[at] = RED[red[x] >> 16] | GREEN[green[x] >> 16] | BLUE[blue[x] >> 16];
    }
  }

  /** Lays rows over a checkerboard by their opacity. */
  #layOver(opacity, out, from, end) {
    const { width, alphaPeak: peak } = this;
    for (let row = from, at = from * width; row < end; row++) {
      for (let x = 0; x < width; x++, at++) {
        const a = Math.min(peak, opacity[at]);
        if (a === peak) continue;
        const under = (((x >> 3) ^ (row >> 3)) & 1 ? 153 : 102) * (peak - a);
        const over = shift => Math.floor((((out[at] >> shift) & 255) * a + under) / peak + 0.5) << shift;
        out[at] = (0xff << 24) | over(16) | over(8) | over(0);
      }
    }
  }

  /** As `paint`, for chroma that is halved across, and perhaps down: 2x2 or 2x1 pixels at a time. */
  #paintHalved(planes, out, from, end, { left: first, right: last }) {
    const { width, height, y, rv, gu, gv, bu, down, chromaWidth } = this;
    const [luma, us, vs] = [planes[this.places[0]], planes[this.places[1]], planes[this.places[2]]];
    for (let row = from, at = (from >> down) * chromaWidth; row < end; row += 1 << down, at += chromaWidth) {
      const top = row * width;
      // The last row of an odd height, and the last column of an odd width, are done twice.
      const bottom = row + down < height ? top + down * width : top;
      for (let part = first >> 1; part < (last + 1) >> 1; part++) {
        const u = us[at + part];
        const v = vs[at + part];
        const red = rv[v];
        const green = gu[u] + gv[v];
        const blue = bu[u];
        const left = part * 2;
        const right = left + 1 < width ? left + 1 : left;
        let sum = y[luma[top + left]];
        out[top + left] = RED[(sum + red) >> 16] | GREEN[(sum + green) >> 16] | BLUE[(sum + blue) >> 16];
        sum = y[luma[top + right]];
        out[top + right] = RED[(sum + red) >> 16] | GREEN[(sum + green) >> 16] | BLUE[(sum + blue) >> 16];
        if (down === 0) continue;
        sum = y[luma[bottom + left]];
        out[bottom + left] = RED[(sum + red) >> 16] | GREEN[(sum + green) >> 16] | BLUE[(sum + blue) >> 16];
        sum = y[luma[bottom + right]];
        out[bottom + right] = RED[(sum + red) >> 16] | GREEN[(sum + green) >> 16] | BLUE[(sum + blue) >> 16];
      }
    }
  }

  /**
   * How far two frames are apart: the distances of their colours before they are rounded and clamped, times `gain`.
   * @param {import('./film.js').Frame} before @param {import('./film.js').Frame} after
   * @param {number} gain 1 to 64 @param {Int32Array} out as of `paint`
   */
  difference(before, after, gain, out) {
    const pair = [this.whole(before), this.whole(after)];
    const most = Math.floor((255 * 65536) / gain);
    const { width, height } = this;
    const [old, now] = this.rows;
    const [oldRed, oldGreen, oldBlue] = old;
    const [red, green, blue] = now;
    for (let row = 0, at = 0; row < height; row++) {
      this.row(pair[0], row, old);
      this.row(pair[1], row, now);
      for (let x = 0; x < width; x++, at++) {
        const r = (Math.imul(Math.min(most, Math.abs(red[x] - oldRed[x])), gain) + 32768) >> 16;
        const g = (Math.imul(Math.min(most, Math.abs(green[x] - oldGreen[x])), gain) + 32768) >> 16;
        const b = (Math.imul(Math.min(most, Math.abs(blue[x] - oldBlue[x])), gain) + 32768) >> 16;
        out[at] = (0xff << 24) | (b << 16) | (g << 8) | r;
      }
    }
  }
}
