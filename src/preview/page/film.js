// Frames as arrays of samples: asked of the program, and those before the chain kept.

import { frames } from './api.js';

const ARRAYS = { u8: Uint8Array, u16: Uint16Array, f32: Float32Array };
/** The most bytes of frames before the chain that are kept. */
const KEPT = 64 << 20;

/**
 * A frame: the samples of each plane, row after row, in the order of `clip.planes`.
 * @typedef {(Uint8Array|Uint16Array|Float32Array)[]} Frame
 */

/** The frames of a clip. */
export class Film {
  /** @param {any} clip as the program tells of it */
  constructor(clip) {
    this.clip = clip;
    /** Bytes of a frame. */
    this.size = clip.planes.reduce((sum, plane) => sum + plane.bytes, 0);
    /** The planes in the order in which they come: the largest is the last, so that rows of it make rows of the picture. */
    this.order = clip.planes.map((_, index) => index).sort((a, b) => clip.planes[a].bytes - clip.planes[b].bytes || b - a);
    /** Bytes of a row of the last. */
    this.rowBytes = clip.planes[this.order.at(-1)].bytes / clip.height;
    /** @type {Map<number, Frame>} the one used last at the end */
    this.kept = new Map();
  }

  /** @param {ArrayBuffer} buffer @param {number} count @returns {Frame[]} */
  #split(buffer, count) {
    const Samples = ARRAYS[this.clip.pixel.sample];
    const result = [];
    for (let at = 0, number = 0; number < count; number++) {
      const frame = [];
      for (const index of this.order) {
        const { bytes } = this.clip.planes[index];
        frame[index] = new Samples(buffer, at, bytes / Samples.BYTES_PER_ELEMENT);
        at += bytes;
      }
      result.push(frame);
    }
    return result;
  }

  /**
   * Frames from the program; fewer at the end.
   * @param {number} first @param {number} count @param {string|null} chain null: before @param {string} view
   * @param {(frame: Frame, rows: number) => void} [came] hears how many rows of the first are there, while they come
   * @returns {Promise<{frames: Frame[], costs: any}>}
   */
  async take(first, count, chain, view, came) {
    /** @type {Frame[]} */
    let made = [];
    const rest = this.size - this.rowBytes * this.clip.height;
    const heard = (buffer, bytes) => {
      if (!came || bytes < rest || bytes > this.size) return;
      if (made.length === 0) made = this.#split(buffer, 1);
      came(made[0], Math.floor((bytes - rest) / this.rowBytes));
    };
    const answer = await frames({ first, count, chain, view, planes: this.order }, heard);
    if (made.length !== answer.count) made = this.#split(answer.buffer, answer.count);
    return { frames: made, costs: answer.costs };
  }

  /**
   * A frame before the chain.
   * @param {number} number @param {(frame: Frame, rows: number) => void} [came] as of `take` @returns {Promise<Frame>}
   */
  async before(number, came) {
    const frame = this.kept.get(number) ?? (await this.take(number, 1, null, 'before', came)).frames[0];
    this.kept.delete(number);
    this.kept.set(number, frame);
    while (this.kept.size > 1 && this.kept.size * this.size > KEPT) this.kept.delete(this.kept.keys().next().value);
    return frame;
  }
}
