// Histogram, waveform, RGB parade and vectorscope, counted from the samples of a frame.

import { COLOURS } from './axis.js';

/** Levels of a scope: samples of more bits are shifted right. */
const LEVELS = 256;
/** The widest waveform: several columns of a picture share one of the scope. */
const WIDEST = 512;
/**
 * How many samples have each level.
 * @param {ArrayLike<number>} samples whole numbers @param {number} shift
 */
function histogram(samples, shift) {
  const counts = new Uint32Array(LEVELS);
  for (let index = 0; index < samples.length; index++) counts[Math.min(LEVELS - 1, samples[index] >> shift)]++;
  return counts;
}

/** Adds a row of values, 0 to 255, to counts of column and level, where so many values share each column. */
function scatter(counts, columns, values, shared) {
  for (let x = 0; x < values.length; x++) counts[values[x] * columns + Math.floor(x / shared)]++;
}

/** Draws counts as light of a colour: brighter where more samples are, the lowest level at the bottom. */
function glow(canvas, counts, columns, rows, tint, left = 0) {
  const context = canvas.getContext('2d');
  const image = context.getImageData(left, 0, columns, rows);
  const lit = counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
  // Four times what a lit place has on the average is full light.
  const full = (4 * counts.reduce((sum, count) => sum + count, 0)) / lit || 1;
  for (let row = 0; row < rows; row++) {
    for (let x = 0; x < columns; x++) {
      const light = Math.min(1, Math.sqrt(counts[(rows - 1 - row) * columns + x] / full));
      for (let part = 0; part < 3; part++) image.data[(row * columns + x) * 4 + part] += light * tint[part];
    }
  }
  context.putImageData(image, left, 0);
}

/** Empties a canvas of this size, black, with lines at quarters. */
function clear(canvas, width, height, isSquare) {
  Object.assign(canvas, { width, height });
  canvas.classList.toggle('square', isSquare);
  const context = canvas.getContext('2d');
  context.fillStyle = '#101010';
  context.fillRect(0, 0, width, height);
  context.fillStyle = '#333';
  for (const part of [0.25, 0.5, 0.75]) {
    context.fillRect(0, Math.round(height * part), width, 1);
    if (isSquare) context.fillRect(Math.round(width * part), 0, 1, height);
  }
}

/** Draws the scopes of a clip. */
export class Scope {
  /** @param {any} clip @param {import('./colour.js').Painter} painter */
  constructor(clip, painter) {
    this.clip = clip;
    this.painter = painter;
    this.shift = painter.depth - 8;
  }

  /**
   * Draws a scope.
   * @param {string} kind @param {import('./film.js').Frame} frame @param {HTMLCanvasElement} canvas
   * @returns {string} what it tells, in words
   */
  draw(kind, frame, canvas) {
    const planes = this.painter.whole(frame);
    this[kind](planes, canvas);
    return this.#words(frame);
  }

  /** Heights are square roots of how many samples have a level. */
  histogram(planes, canvas) {
    clear(canvas, 512, 160, false);
    const context = canvas.getContext('2d');
    planes.forEach((samples, index) => {
      const counts = histogram(samples, this.shift);
      const most = Math.sqrt(counts.reduce((a, b) => Math.max(a, b), 1));
      const tint = (COLOURS[this.clip.planes[index].letter] ?? COLOURS.y).join(' ');
      const outline = new Path2D();
      counts.forEach((count, level) => {
        const y = 159 - (Math.sqrt(count) / most) * 152;
        if (level === 0) outline.moveTo(0, y);
        outline.lineTo(level * 2, y);
        outline.lineTo(level * 2 + 2, y);
      });
      const area = new Path2D(outline);
      area.lineTo(512, 160);
      area.lineTo(0, 160);
      context.fillStyle = `rgb(${tint} / 0.22)`;
      context.strokeStyle = `rgb(${tint})`;
      context.fill(area);
      context.stroke(outline);
    });
  }

  waveform(planes, canvas) {
    const main =
      ['y', 'g'].map(letter => this.clip.planes.findIndex(plane => plane.letter === letter)).find(place => place >= 0) ?? 0;
    const { width, height, letter } = this.clip.planes[main];
    const shared = Math.ceil(width / WIDEST);
    const columns = Math.ceil(width / shared);
    clear(canvas, columns, LEVELS, false);
    const counts = new Uint32Array(columns * LEVELS);
    const values = new Uint8Array(width);
    for (let row = 0; row < height; row++) {
      for (let x = 0; x < width; x++) values[x] = planes[main][row * width + x] >> this.shift;
      scatter(counts, columns, values, shared);
    }
    glow(canvas, counts, columns, LEVELS, COLOURS[letter]);
  }

  parade(planes, canvas) {
    const { width, height } = this.clip;
    const shared = Math.ceil((2 * width) / WIDEST);
    const columns = Math.ceil(width / shared);
    clear(canvas, columns * 3, LEVELS, false);
    const counts = [0, 1, 2].map(() => new Uint32Array(columns * LEVELS));
    const rows = [0, 1, 2].map(() => new Uint8ClampedArray(width));
    for (let row = 0; row < height; row++) {
      this.painter.eight(planes, row, rows);
      rows.forEach((values, part) => scatter(counts[part], columns, values, shared));
    }
    [COLOURS.r, COLOURS.g, COLOURS.b].forEach((tint, part) => glow(canvas, counts[part], columns, LEVELS, tint, part * columns));
  }

  /** Cb to the right and Cr up; of RGB those of BT.709. */
  vectorscope(planes, canvas) {
    clear(canvas, LEVELS, LEVELS, true);
    const counts = new Uint32Array(LEVELS * LEVELS);
    const { family } = this.clip.pixel;
    if (family === 'yuv') {
      const [, u, v] = this.painter.places;
      for (let index = 0; index < planes[u].length; index++)
        counts[(planes[v][index] >> this.shift) * LEVELS + (planes[u][index] >> this.shift)]++;
    } else if (family === 'rgb') {
      const { width, height } = this.clip;
      const [red, green, blue] = [0, 1, 2].map(() => new Uint8ClampedArray(width));
      for (let row = 0; row < height; row++) {
        this.painter.eight(planes, row, [red, green, blue]);
        for (let x = 0; x < width; x++) {
          const luma = 0.2126 * red[x] + 0.7152 * green[x] + 0.0722 * blue[x];
          const [cb, cr] = [128 + (blue[x] - luma) / 1.8556, 128 + (red[x] - luma) / 1.5748];
          counts[Math.min(255, cr | 0) * LEVELS + Math.min(255, cb | 0)]++;
        }
      }
    }
    glow(canvas, counts, LEVELS, LEVELS, [150, 230, 170]);
    this.#target(canvas.getContext('2d'));
  }

  /** Targets of bars of 75 %, and the line of skin tones, by the weights of the clip's matrix. */
  #target(context) {
    const [kr, kb] = this.painter.weights;
    const isLimited = this.clip.pixel.family === 'yuv' && this.clip.colour.range !== 'full';
    const reach = isLimited ? 224 : 255;
    const place = (red, green, blue) => {
      const luma = kr * red + (1 - kr - kb) * green + kb * blue;
      return [128 + (reach * (blue - luma)) / (2 * (1 - kb)), 128 - (reach * (red - luma)) / (2 * (1 - kr))];
    };
    context.strokeStyle = context.fillStyle = '#e8c060';
    context.font = '10px sans-serif';
    for (const [name, ...colour] of [
      ['R', 1, 0, 0],
      ['Yl', 1, 1, 0],
      ['G', 0, 1, 0],
      ['Cy', 0, 1, 1],
      ['B', 0, 0, 1],
      ['Mg', 1, 0, 1],
    ]) {
      const [x, y] = place(...colour.map(part => 0.75 * Number(part)));
      context.strokeRect(Math.round(x) - 4.5, Math.round(y) - 4.5, 9, 9);
      context.fillText(String(name), x + 8, y + 4);
    }
    // Skin tones lie along the I axis, 123 degrees from Cb.
    const angle = (123 * Math.PI) / 180;
    context.beginPath();
    context.moveTo(128, 128);
    context.lineTo(128 + 110 * Math.cos(angle), 128 - 110 * Math.sin(angle));
    context.stroke();
  }

  /** Mean, least and most of each plane. */
  #words(frame) {
    return frame
      .map((samples, index) => {
        let [sum, low, high] = [0, Infinity, -Infinity];
        for (let at = 0; at < samples.length; at++) {
          const value = samples[at];
          sum += value;
          if (value < low) low = value;
          if (value > high) high = value;
        }
        const short = value => String(Number(value.toPrecision(4)));
        return `${this.clip.planes[index].letter.toUpperCase()} ${short(low)}…${short(sum / samples.length)}…${short(high)}`;
      })
      .join('  ');
  }
}
