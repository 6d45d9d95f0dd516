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
    /** @type {Map<number, Frame>} the one used last at the end */
    this.kept = new Map();
  }

  /** @param {ArrayBuffer} buffer @param {number} count @returns {Frame[]} */
  #split(buffer, count) {
    const Samples = ARRAYS[this.clip.pixel.sample];
    const result = [];
    for (let at = 0, frame = 0; frame < count; frame++) {
      result.push(
        this.clip.planes.map(plane => {
          const samples = new Samples(buffer, at, plane.bytes / Samples.BYTES_PER_ELEMENT);
          at += plane.bytes;
          return samples;
        }),
      );
    }
    return result;
  }

  /**
   * Frames from the program; fewer at the end.
   * @param {number} first @param {number} count @param {string|null} chain null: before @param {string} view
   * @returns {Promise<{frames: Frame[], costs: any}>}
   */
  async take(first, count, chain, view) {
    const answer = await frames({ first, count, chain, view });
    return { frames: this.#split(answer.buffer, answer.count), costs: answer.costs };
  }

  /** @param {number} number @returns {Promise<Frame>} a frame before the chain */
  async before(number) {
    const frame = this.kept.get(number) ?? (await this.take(number, 1, null, 'before')).frames[0];
    this.kept.delete(number);
    this.kept.set(number, frame);
    while (this.kept.size > 1 && this.kept.size * this.size > KEPT) this.kept.delete(this.kept.keys().next().value);
    return frame;
  }
}
