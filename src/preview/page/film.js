// Frames as arrays of samples: asked of the program; those that do not follow the edited chain are kept.

import { frames } from './api.js';

const ARRAYS = { u8: Uint8Array, u16: Uint16Array, f32: Float32Array };
/** The most bytes of frames that are kept. */
const KEPT = 64 << 20;

/**
 * A frame: the samples of each plane, row after row, in the order of `shape.planes`. `shape` is what the program tells of the clip,
 * with the size and the planes of this frame.
 * @typedef {(Uint8Array|Uint16Array|Float32Array)[] & {shape: any}} Frame
 */

/** A format without its rate, which says nothing of a frame. @param {string} format */
export const still = format => format.split(' at ')[0];

/**
 * Frames that the page asks for: those of a chain, `null` for the original; scaled to what the chain `like` makes; of another clip where
 * `place` names one.
 * @typedef {{chain: string|null, like?: string|null, place?: string|null}} Origin
 */

/** Bytes of a frame. */
const sized = shape => shape.planes.reduce((sum, plane) => sum + plane.bytes, 0);

/** The frames of a clip. */
export class Film {
  /** @param {any} clip as the program tells of it */
  constructor(clip) {
    this.clip = clip;
    /** Bytes of a frame as it is. */
    this.size = sized(clip);
    /** The planes in the order in which they come: the largest is the last, so that rows of it make rows of the picture. */
    this.order = clip.planes.map((_, index) => index).sort((a, b) => clip.planes[a].bytes - clip.planes[b].bytes || b - a);
    /** What frames may be, by the name of their format. */
    this.shapes = new Map([[still(clip.format), clip]]);
    /** @type {Map<string, Frame>} by number, format and chain, the one used last at the end */
    this.kept = new Map();
    this.keptBytes = 0;
  }

  /** What frames are of which the program tells this. */
  #shape(told) {
    if (!told) return this.clip;
    const name = still(told.format);
    if (!this.shapes.has(name)) this.shapes.set(name, { ...this.clip, ...told });
    return this.shapes.get(name);
  }

  /** @param {ArrayBuffer} buffer @param {number} count @param {any} shape @returns {Frame[]} */
  #split(buffer, count, shape) {
    const Samples = ARRAYS[this.clip.pixel.sample];
    const result = [];
    for (let at = 0, number = 0; number < count; number++) {
      const frame = /** @type {Frame} */ (Object.assign([], { shape }));
      for (const index of this.order) {
        const { bytes } = shape.planes[index];
        frame[index] = new Samples(buffer, at, bytes / Samples.BYTES_PER_ELEMENT);
        at += bytes;
      }
      result.push(frame);
    }
    return result;
  }

  /**
   * Frames from the program; fewer at the end.
   * @param {number} first @param {number} count @param {Origin} origin @param {string} view
   * @param {(frame: Frame, rows: number) => void} [came] hears how many rows of the first are there, while they come
   * @param {AbortSignal} [signal] stops the work on them
   * @returns {Promise<{frames: Frame[], costs: any}>}
   */
  async take(first, count, { chain, like = null, place = null }, view, came, signal) {
    /** @type {Frame[]} */
    let made = [];
    const heard = (buffer, bytes, costs) => {
      const shape = this.#shape(costs?.shape);
      const last = shape.planes[this.order.at(-1)].bytes;
      const [size, row] = [sized(shape), last / shape.height];
      if (!came || bytes < size - last || bytes > size) return;
      if (made.length === 0) made = this.#split(buffer, 1, shape);
      came(made[0], Math.floor((bytes - size + last) / row));
    };
    const answer = await frames({ first, count, chain, like, view, planes: this.order }, place, heard, signal);
    if (made.length !== answer.count) made = this.#split(answer.buffer, answer.count, this.#shape(answer.costs?.shape));
    return { frames: made, costs: answer.costs };
  }

  /**
   * A frame that does not follow the edited chain: the original, or one of the pinned chain or of a result.
   * @param {number} number @param {Origin} origin @param {string} format of the frame
   * @param {string} view @param {(frame: Frame, rows: number) => void} [came] as of `take` @param {AbortSignal} [signal] as there
   * @returns {Promise<Frame>}
   */
  async still(number, origin, format, view, came, signal) {
    const key = JSON.stringify([number, format, origin.chain, origin.place]);
    let frame = this.kept.get(key);
    if (!frame) {
      const { frames, costs } = await this.take(number, 1, origin, view, came, signal);
      [frame] = frames;
      if (costs?.provisional) return frame;
    }
    if (!this.kept.delete(key)) this.keptBytes += sized(frame.shape);
    this.kept.set(key, frame);
    while (this.kept.size > 1 && this.keptBytes > KEPT) {
      const [[oldest, { shape }]] = this.kept;
      this.kept.delete(oldest);
      this.keptBytes -= sized(shape);
    }
    return frame;
  }
}
