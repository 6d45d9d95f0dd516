// Colours made by the graphics card: the whole numbers of `colour.js`, from the same tables.

const VERTEX = `#version 300 es
void main() {
  gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
precision highp isampler2D;
uniform usampler2D first0, first1, first2, second0, second1, second2;
// Tables of terms, one below the other: of luma or any plane, red of v, green of u, green of v, blue of u.
uniform isampler2D tables;
uniform usampler2D ready;
uniform int kind, gain, most, rows, height, across, down;
uniform bool isYuv;
out vec4 colour;

int term(int table, uint value) {
  int at = int(value);
  return texelFetch(tables, ivec2(at & 255, (at >> 8) + table * rows), 0).r;
}

ivec3 sums(uint one, uint other, uint third) {
  if (!isYuv) return ivec3(term(0, one), term(0, other), term(0, third));
  return term(0, one) + ivec3(term(1, third), term(2, other) + term(3, third), term(4, other));
}

void main() {
  ivec2 at = ivec2(gl_FragCoord.x, height - 1 - int(gl_FragCoord.y));
  ivec2 part = isYuv ? ivec2(at.x >> across, at.y >> down) : at;
  if (kind == 2) {
    colour = vec4(vec3(texelFetch(ready, at, 0).rgb) / 255.0, 1);
    return;
  }
  ivec3 now = sums(texelFetch(first0, at, 0).r, texelFetch(first1, part, 0).r, texelFetch(first2, part, 0).r);
  ivec3 shown = clamp((now >> 16) - 1024, 0, 255);
  if (kind == 1) {
    ivec3 old = sums(texelFetch(second0, at, 0).r, texelFetch(second1, part, 0).r, texelFetch(second2, part, 0).r);
    shown = (min(ivec3(most), abs(now - old)) * gain + 32768) >> 16;
  }
  colour = vec4(vec3(shown) / 255.0, 1);
}`;

const KINDS = { picture: 0, difference: 1, ready: 2 };
const SAMPLERS = ['first0', 'first1', 'first2', 'second0', 'second1', 'second2', 'tables', 'ready'];

const OPTIONS = { alpha: false, antialias: false, depth: false, failIfMajorPerformanceCaveat: true };
/** Names of processors that play a card, which is slower than what is done without one. */
const PLAYED = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Whether there is a card. @type {boolean|null} */
let isThere = null;

function probe() {
  const gl = /** @type {WebGL2RenderingContext|null} */ (document.createElement('canvas').getContext('webgl2', OPTIONS));
  if (!gl) return false;
  const names = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return !PLAYED.test(name);
}

/** Draws on a canvas. */
export class Raster {
  /**
   * @param {HTMLCanvasElement} canvas without a context @param {() => void} restored hears that the card has lost what it held, and works again
   * @returns {Raster|null} null where there is no graphics card for it
   */
  static of(canvas, restored) {
    isThere ??= probe();
    const gl = isThere ? /** @type {WebGL2RenderingContext|null} */ (canvas.getContext('webgl2', OPTIONS)) : null;
    return gl && new Raster(canvas, gl, restored);
  }

  /** @type {import('./colour.js').Painter} */
  #painter;
  /** @type {Record<string, WebGLTexture>} */
  #textures = {};
  /** @type {Record<string, WebGLUniformLocation|null>} */
  #places = {};

  /** @param {HTMLCanvasElement} canvas @param {WebGL2RenderingContext} gl @param {() => void} restored */
  constructor(canvas, gl, restored) {
    this.canvas = canvas;
    this.gl = gl;
    /** The longest side of a picture. @type {number} */
    this.longest = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    this.#begin();
    canvas.addEventListener('webglcontextlost', event => event.preventDefault());
    canvas.addEventListener('webglcontextrestored', () => {
      this.#begin();
      restored();
    });
  }

  #begin() {
    const { gl } = this;
    const program = gl.createProgram();
    const texts = [VERTEX, FRAGMENT];
    [gl.VERTEX_SHADER, gl.FRAGMENT_SHADER].forEach((kind, at) => {
      const shader = /** @type {WebGLShader} */ (gl.createShader(kind));
      gl.shaderSource(shader, texts[at]);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    });
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    for (const name of ['kind', 'gain', 'most', 'rows', 'height', 'across', 'down', 'isYuv']) this.#places[name] = gl.getUniformLocation(program, name);
    SAMPLERS.forEach((name, unit) => {
      gl.uniform1i(gl.getUniformLocation(program, name), unit);
      this.#allocate(name, 1, 1, gl.R8UI);
    });
  }

  /** Makes a texture of samples. */
  #allocate(name, width, height, kind) {
    const { gl } = this;
    gl.deleteTexture(this.#textures[name] ?? null);
    this.#textures[name] = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + SAMPLERS.indexOf(name));
    gl.bindTexture(gl.TEXTURE_2D, this.#textures[name]);
    gl.texStorage2D(gl.TEXTURE_2D, 1, kind, width, height);
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
  }

  #fill(name, row, width, height, format, type, samples) {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0 + SAMPLERS.indexOf(name));
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, row, width, height, format, type, samples);
  }

  /** Takes pictures of another shape. @param {import('./colour.js').Painter} painter which has their tables */
  fit(painter) {
    const { gl } = this;
    this.#painter = painter;
    const { width, height } = painter;
    gl.viewport(0, 0, width, height);
    const tables = painter.isYuv ? [painter.y, painter.rv, painter.gu, painter.gv, painter.bu] : [painter.y];
    const rows = painter.y.length / 256;
    this.#allocate('tables', 256, rows * tables.length, gl.R32I);
    tables.forEach((table, at) => this.#fill('tables', at * rows, 256, rows, gl.RED_INTEGER, gl.INT, table));
    if (painter.isPlain) {
      painter.sizes.forEach(([across, down], at) => {
        for (const side of ['first', 'second']) this.#allocate(`${side}${at}`, across, down, painter.depth > 8 ? gl.R16UI : gl.R8UI);
      });
    } else {
      this.#allocate('ready', width, height, gl.RGBA8UI);
    }
    const values = { rows, height, across: painter.across, down: painter.down, isYuv: painter.isYuv ? 1 : 0 };
    for (const [name, value] of Object.entries(values)) gl.uniform1i(this.#places[name], value);
  }

  /**
   * Takes rows of a frame, as far as chroma has come with them.
   * @param {any[]} planes as `Painter.whole` gives them @param {number} from @param {number} to rows of the picture
   * @param {'first'|'second'} side
   */
  take(planes, from, to, side = 'first') {
    const { gl } = this;
    const { height, places, sizes, depth } = this.#painter;
    sizes.forEach(([wide, high], at) => {
      const shift = high < height ? this.#painter.down : 0;
      const [top, bottom] = [from >> shift, to < height ? to >> shift : high];
      if (bottom <= top) return;
      const samples = planes[places[at]].subarray(top * wide, bottom * wide);
      this.#fill(`${side}${at}`, top, wide, bottom - top, gl.RED_INTEGER, depth > 8 ? gl.UNSIGNED_SHORT : gl.UNSIGNED_BYTE, samples);
    });
  }

  /** Draws the first frame that it has, or how far both are apart. @param {number} [gain] of the difference */
  draw(gain) {
    this.#show(gain === undefined ? 'picture' : 'difference', gain ?? 1);
  }

  /** Draws pixels that are ready. @param {Int32Array} pixels red in the lowest byte */
  put(pixels) {
    const { gl } = this;
    const { width, height } = this.#painter;
    this.#fill('ready', 0, width, height, gl.RGBA_INTEGER, gl.UNSIGNED_BYTE, new Uint8Array(pixels.buffer));
    this.#show('ready', 1);
  }

  #show(kind, gain) {
    const { gl } = this;
    const values = { kind: KINDS[kind], gain, most: Math.floor((255 * 65536) / gain) };
    for (const [name, value] of Object.entries(values)) gl.uniform1i(this.#places[name], value);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }
}
