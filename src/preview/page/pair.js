// Two chains, A and B: one is edited, the other pinned, and the picture shows any two sides of before, A and B. In the place of the
// pinned chain there may be a clip that a job has written.

import { send } from './api.js';
import { byId, radios, say } from './dom.js';
import { still } from './film.js';

/** Names of the sides, as they are written on the picture. */
const NAMES = { before: 'Before', A: 'A', B: 'B' };

/**
 * A side of the picture: the original, or the chain of a letter.
 * @typedef {'before'|'A'|'B'} Side
 */

/** The other letter. @param {Side} letter @returns {'A'|'B'} */
const otherThan = letter => (letter === 'A' ? 'B' : 'A');

/** Two chains, and what is compared. */
export class Pair {
  /** Letter of the edited chain. @type {'A'|'B'} */
  edited = 'A';
  /**
   * The pinned chain with its history, or the result of a job and the chain of it; null where nothing is compared.
   * @type {{good: any, past: {texts: string[], now: number}, draft?: string, result?: any}|null}
   */
  pinned = null;
  /** Left and right of the handle. @type {Side[]} */
  sides = ['before', 'A'];

  /**
   * @param {any} clip @param {import('./chain.js').Chain} chain the edited one
   * @param {{changed: () => void, pinned: () => void, exchanged: () => void, replaced: () => void}} calls `changed` hears of other sides,
   *   `pinned` that the edited chain is pinned too, `exchanged` that both have changed places, `replaced` that another picture is pinned
   */
  constructor(clip, chain, calls) {
    this.clip = clip;
    this.chain = chain;
    this.calls = calls;
    byId('pin').addEventListener('click', () => this.pin());
    byId('unpin').addEventListener('click', () => this.end());
    byId('swap').addEventListener('click', () => this.swap());
    this.showEdited = radios('edited', letter => letter !== this.edited && this.turn());
    ['left', 'right'].forEach((id, at) =>
      byId(id).addEventListener('change', event => {
        // Two sides differ: the one that is chosen twice gives way.
        const [old, now] = [this.sides[at], event.target.value];
        if (this.sides[1 - at] === now) this.sides[1 - at] = old;
        this.sides[at] = now;
        this.#tell();
      }),
    );
  }

  /** Letter of the pinned chain. */
  get other() {
    return otherThan(this.edited);
  }

  get isOn() {
    return this.pinned !== null;
  }

  /** The chain of a letter, as the program answered. @param {Side} letter */
  good(letter) {
    return letter === this.edited ? this.chain.good : this.pinned?.good;
  }

  /** The clip that is compared, if it is one. */
  get result() {
    return this.pinned?.result ?? null;
  }

  /** Canvas of a side. @param {Side} side @returns {'before'|'after'|'pinned'} */
  sheet(side) {
    if (side === 'before') return 'before';
    return side === this.edited ? 'after' : 'pinned';
  }

  /** Name of a side on the picture. @param {Side} side */
  name(side) {
    if (this.result && side !== 'before') return side === this.edited ? 'After' : 'Result';
    return this.isOn ? NAMES[side] : { before: 'Before', A: 'After', B: 'After' }[side];
  }

  /** Sides from left to right; three where there are three. @param {boolean} [isAll] */
  row(isAll = false) {
    return isAll && this.isOn ? /** @type {Side[]} */ (['before', 'A', 'B']) : this.sides;
  }

  /** Origin of a side's frames. @param {Side} side @returns {import('./film.js').Origin} */
  order(side) {
    const { text, output } = this.chain.good;
    if (side === this.edited) return { chain: text, like: null };
    const { pinned } = this;
    if (side === 'before' || !pinned) return { chain: null, like: output ? text : null };
    if (pinned.result) return { chain: null, place: pinned.result.place };
    return { chain: pinned.good.text, like: this.#format(pinned.good) === this.#format(this.chain.good) ? null : text };
  }

  /** Format of what a chain makes. @param {any} good as the program answered */
  #format(good) {
    return good.output?.format ?? this.clip.format;
  }

  /**
   * Compares a clip that a job has written with the original, or says why that cannot be.
   * @param {any} result as the program tells of it, with its `place` in an address and the number of frames `written`
   * @param {number} frames of the clip
   */
  compare(result, frames) {
    const { clip, chain } = this;
    const fault = this.#misfit(result, frames);
    if (fault) {
      say(`${result.name} cannot be compared here: ${fault}; it is in the list of clips`, true);
      return;
    }
    const { good } = chain;
    this.pinned = { good, past: { texts: [good.text], now: 0 }, result };
    this.edited = 'A';
    this.sides = ['before', 'B'];
    this.calls.replaced();
    this.#tell();
    say(`${clip.name} | ${result.name}`);
  }

  /** Reason that the frames of a result are not those of the picture. */
  #misfit({ format, colour, written }, frames) {
    const { clip } = this;
    const own = still(this.#format(this.chain.good));
    if (still(format) !== own) return `it is ${still(format)}, the picture ${own}`;
    if (colour.matrix !== clip.colour.matrix || colour.range !== clip.colour.range || colour.hdr !== clip.colour.hdr) return 'its colours are tagged otherwise';
    return written === frames ? '' : `it has ${written} frames, the clip ${frames}`;
  }

  /** Ends the comparison with a result whose shape is not that of the picture any more. */
  check() {
    if (!this.result || still(this.result.format) === still(this.#format(this.chain.good))) return;
    const { name } = this.result;
    this.end();
    say(`The comparison with ${name} is over, because the picture has another shape`);
  }

  /** Keeps the edited chain under the other letter, and compares from there on. */
  pin() {
    const letter = this.isOn ? otherThan(this.edited) : 'A';
    const old = this.result ? [] : (this.pinned?.past.texts.slice(0, this.pinned.past.now + 1) ?? []);
    const { good } = this.chain;
    // Undo in the pinned chain leads to what was pinned there before.
    const texts = old.at(-1) === good.text ? old : [...old, good.text];
    this.pinned = { good, past: { texts, now: texts.length - 1 } };
    this.edited = otherThan(letter);
    this.sides = ['A', 'B'];
    this.chain.part();
    this.calls.pinned();
    say(`This chain is ${letter}; what you change now is ${this.edited}`);
    this.#tell();
  }

  /** Edits the other chain. */
  turn() {
    if (!this.pinned || this.result) return;
    const { good, past, draft } = this.pinned;
    const { chain } = this;
    this.pinned = { good: chain.good, past: chain.past, draft: chain.isWrong ? chain.text : chain.draft };
    this.edited = otherThan(this.edited);
    this.calls.exchanged();
    chain.begin(good, past);
    if (draft) chain.restore(draft);
    this.#tell();
  }

  /** Ends the comparison; the edited chain remains. */
  end() {
    this.pinned = null;
    this.edited = 'A';
    this.sides = ['before', 'A'];
    this.#tell();
    byId('pin').focus();
  }

  /** Swaps left and right. */
  swap() {
    this.sides.reverse();
    this.#tell();
    say(`${this.name(this.sides[0])} | ${this.name(this.sides[1])}`);
  }

  /** Words of the address. @returns {Record<string, string>} */
  get words() {
    if (!this.pinned || this.result) return {};
    return { other: this.pinned.good.text, edited: this.edited, sides: this.sides.join(',') };
  }

  /** Takes them from there, as far as they are valid. @param {Record<string, string>} words */
  async take({ other, edited, sides }) {
    if (other === undefined || !['A', 'B'].includes(edited)) return;
    const good = await send('chain', { text: other }).catch(() => null);
    if (!good?.ok) return;
    this.pinned = { good, past: { texts: [good.text], now: 0 } };
    this.edited = /** @type {'A'|'B'} */ (edited);
    const wanted = (sides ?? '').split(',');
    const isValid = wanted.length === 2 && wanted[0] !== wanted[1] && wanted.every(side => Object.hasOwn(NAMES, side));
    this.sides = /** @type {Side[]} */ (isValid ? wanted : ['A', 'B']);
    this.#tell();
  }

  /** Shows what is compared. */
  #tell() {
    const { isOn, edited, pinned, result } = this;
    for (const id of ['sides', 'view-three', 'unpin']) byId(id).hidden = !isOn;
    byId('edited').hidden = !isOn || result !== null;
    byId('view-three').querySelector('span').textContent = ['before', 'A', 'B'].map(side => this.name(/** @type {Side} */ (side))).join(' | ');
    for (const option of document.querySelectorAll('#sides option')) option.textContent = this.name(/** @type {any} */ (option).value);
    byId('pin').textContent = `Pin as ${isOn ? otherThan(edited) : 'A'}`;
    byId('pinned-text').hidden = !isOn;
    const told = () => `${otherThan(edited)}: ${pinned?.good.text || 'no filter'}`;
    byId('pinned-text').textContent = result ? `Result: ${result.name}` : pinned ? told() : '';
    this.showEdited(edited);
    [byId('left').value, byId('right').value] = this.sides;
    this.calls.changed();
  }
}
