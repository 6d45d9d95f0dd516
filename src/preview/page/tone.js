// Tone mapping of HDR to SDR.
//
// PQ is decoded as in SMPTE ST 2084, HLG as in BT.2100 for a display of 1000 cd/m² (with the system gamma of 1.2 per channel). White is
// 203 cd/m² (BT.2408). Light up to half of white is kept; above, a Möbius curve reaches white at 1000 cd/m². Primaries of BT.2020 are
// converted to BT.709, and light is encoded with a gamma of 2.2.

const WHITE = 203;
const PEAK = 1000 / WHITE;
const KNEE = 0.5;
/** Steps of a coded colour, 16 to each of 8 bits. */
const CODES = 255 * 16;
/** Steps of light from 0 to 1. */
const LIGHTS = 65535;

/** cd/m² of a code value from 0 to 1. */
const LIGHT = {
  pq: code => {
    const root = code ** (1 / 78.84375);
    return 10000 * (Math.max(0, root - 0.8359375) / (18.8515625 - 18.6875 * root)) ** (1 / 0.1593017578125);
  },
  hlg: code => {
    const light = code <= 0.5 ? (code * code) / 3 : (Math.exp((code - 0.55991073) / 0.17883277) + 0.28466892) / 12;
    return 1000 * light ** 1.2;
  },
};

/** The tone curve; 1 is white. */
function compressed(light) {
  if (light <= KNEE) return light;
  const a = (-KNEE * KNEE * (PEAK - 1)) / (KNEE * KNEE - 2 * KNEE + PEAK);
  const b = (KNEE * KNEE - 2 * KNEE * PEAK + PEAK) / (PEAK - 1);
  return Math.min(1, (((b * b + 2 * b * KNEE + KNEE * KNEE) / (b - a)) * (light + a)) / (light + b));
}

const CODED = Uint8Array.from({ length: LIGHTS + 1 }, (_, light) => Math.round(255 * (light / LIGHTS) ** (1 / 2.2)));

/** Converts rows to SDR. */
export class ToneMap {
  /** @param {'pq'|'hlg'} kind @param {number} matrix of the clip; 9 and 10 mean primaries of BT.2020 */
  constructor(kind, matrix) {
    this.isWide = matrix === 9 || matrix === 10;
    this.lights = Float32Array.from({ length: CODES + 1 }, (_, code) => LIGHTS * compressed(LIGHT[kind](code / CODES) / WHITE));
  }

  /**
   * Paints a row.
   * @param {Int32Array[]} row red, green and blue, in 1/65536 of 8 bits, plus `bias` @param {number} bias offset of the row
   * @param {Int32Array} out as of `Painter.paint` @param {number} at where the row begins there
   */
  paint([red, green, blue], bias, out, at) {
    const { lights, isWide } = this;
    const clamp = (value, most) => (value < 0 ? 0 : Math.min(value, most));
    for (let x = 0; x < red.length; x++) {
      let r = lights[clamp((red[x] - bias) >> 12, CODES)];
      let g = lights[clamp((green[x] - bias) >> 12, CODES)];
      let b = lights[clamp((blue[x] - bias) >> 12, CODES)];
      if (isWide)
        [r, g, b] = [
          1.660491 * r - 0.587641 * g - 0.07285 * b,
          -0.124551 * r + 1.1329 * g - 0.008349 * b,
          -0.018151 * r - 0.100579 * g + 1.11873 * b,
        ];
      out[at + x] = (0xff << 24) | (CODED[clamp(b, LIGHTS) | 0] << 16) | (CODED[clamp(g, LIGHTS) | 0] << 8) | CODED[clamp(r, LIGHTS) | 0];
    }
  }
}
