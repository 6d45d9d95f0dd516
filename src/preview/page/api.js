// What the program is asked, and its answers. All addresses are relative to the page's own.

/** Prefix of this tab's views, because other tabs may show the same clip. */
const TAB = Array.from(crypto.getRandomValues(new Uint32Array(2)), part => part.toString(16)).join('');

/** Address of the page without a clip. */
export const ROOT = `/${location.pathname.split('/')[1]}/`;

/** An answer that is an error: `status` of HTTP, and the JSON that tells of it. */
export class Refusal extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    super(body?.error?.message ?? body?.error ?? `the program answered ${status}`);
    this.status = status;
    this.body = body;
  }
}

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Refusal(0, { error: 'the program does not respond; start warpreel preview again' });
  }
  if (!response.ok) throw new Refusal(response.status, await response.json().catch(() => null));
  return response;
}

/** @param {string} path @param {any} body @param {AbortSignal|null} [signal] ends it until the program begins to answer */
const post = (path, body, signal = null) =>
  request(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), signal });

/** @param {string} path @returns {Promise<any>} the JSON there */
export const read = async path => (await request(path, {})).json();

/** @param {string} path @returns {Promise<Uint8Array>} the bytes there */
export const bytes = async path => new Uint8Array(await (await request(path, {})).arrayBuffer());

/** @param {string} path @param {any} body @returns {Promise<any>} the JSON that answers it */
export const send = async (path, body) => (await post(path, body)).json();

/** @param {string} call @returns {Promise<Blob>} the drawing of a filter's kernel, as SVG */
export const drawing = async call => new Blob([await (await post('drawing', { call })).text()], { type: 'image/svg+xml' });

/** @param {{number: number, chain: string, against: string|null, edge: number}} wanted columns from `edge` on are those of `chain`, others of
 *  `against`, or the original @returns {Promise<Blob>} a frame, as PNG */
export const still = async wanted => (await post('picture', { ...wanted, view: `${TAB} save` })).blob();

/**
 * Frames as raw samples.
 * @param {{first: number, count: number, chain: string|null, like: string|null, view: string, planes: number[]}} wanted `chain` null:
 *   before; scaled to what the chain `like` makes; `planes`: the order of the planes of each frame
 * @param {string|null} place of another clip of the list; null: that of the page
 * @param {(buffer: ArrayBuffer, came: number, costs: any) => void} heard hears of the bytes of the answer while they come
 * @param {AbortSignal} [signal] stops the work on them; frames that are made come nevertheless
 * @returns {Promise<{buffer: ArrayBuffer, count: number, costs: any}>}
 */
export async function frames(wanted, place, heard, signal) {
  const making = new AbortController();
  const stop = () => making.abort();
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  const response = await post(place === null ? 'frames' : `${ROOT}clips/${place}/frames`, { ...wanted, view: `${TAB} ${wanted.view}` }, making.signal);
  signal?.removeEventListener('abort', stop);
  const costs = JSON.parse(response.headers.get('X-Costs') ?? 'null');
  const whole = new Uint8Array(Number(response.headers.get('Content-Length')));
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  let came = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    whole.set(part.value, came);
    came += part.value.length;
    heard(whole.buffer, came, costs);
  }
  return { buffer: whole.buffer, count: Number(response.headers.get('X-Frames') ?? wanted.count), costs };
}

/** Runs one task at a time; of those that come meanwhile only the last waits. */
export class Latest {
  #busy = false;
  /** @type {(() => Promise<void>)|null} */
  #waiting = null;

  /** Whether a task is under way. */
  get isBusy() {
    return this.#busy;
  }

  /** @param {() => Promise<void>} task which handles its own errors */
  async run(task) {
    this.#waiting = task;
    if (this.#busy) return;
    this.#busy = true;
    while (this.#waiting) {
      const next = this.#waiting;
      this.#waiting = null;
      await next();
    }
    this.#busy = false;
  }
}
