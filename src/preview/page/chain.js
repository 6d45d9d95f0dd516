// The chain: its text, what the program makes of it, and the changes on their way.

import { send } from './api.js';

/** How long changes of one control count as one for undo, in milliseconds. */
const TOGETHER = 1000;
/** Texts that undo keeps. */
const KEPT = 200;

/** A chain. Its grammar is the program's: text is sent there, and what it says is kept. */
export class Chain {
  /** The text as typed. */
  text = '';
  /** Answer of the program to the last valid text. @type {any} */
  good = { ok: true, text: '', active: '', calls: [], explain: '', notes: [], latency: 0, output: null };
  /** Invalid text that was typed and not corrected, also while a card changes the last valid one. */
  draft = '';
  #waiting = [];
  #isBusy = false;
  #past = [''];
  #now = 0;
  #last = { key: '', at: 0, isRight: true };

  /**
   * @param {{changed: (origin: string) => void, refused: (error: any, origin: string) => void, failed: (error: Error) => void,
   *   expected: (text: string) => void}} calls
   *   what hears of a right text, a wrong one, and a program that does not answer; `origin` is the key of the change, or `text`.
   *   `expected` hears what the text will be, where that is known before the program has said it
   */
  constructor(calls) {
    this.calls = calls;
  }

  /** Takes this text, which replaces all that is on its way. @param {string} text */
  type(text) {
    this.text = text;
    this.#waiting = [{ text, key: 'text' }];
    this.#work();
  }

  /**
   * Changes the last right text.
   * @param {any[]} edits as the program takes them: the first that gives a right text holds
   * @param {string} key a later change of the same key replaces one that still waits
   */
  edit(edits, key) {
    const last = this.#waiting.at(-1);
    if (last?.key === key && key) last.edits = edits;
    else this.#waiting.push({ edits, key });
    this.#work();
  }

  /** Whether the text is not the one of the picture. */
  get isWrong() {
    return this.text !== this.good.text;
  }

  /** Texts before and after this one, for the session. */
  get past() {
    return { texts: this.#past, now: this.#now };
  }

  get canUndo() {
    return this.#now > 0;
  }
  get canRedo() {
    return this.#now + 1 < this.#past.length;
  }

  /** Goes back (-1) or forth (1) in what the text was. @param {number} by */
  travel(by) {
    if (!(by < 0 ? this.canUndo : this.canRedo)) return;
    this.#now += by;
    this.#last.key = '';
    this.text = this.#past[this.#now];
    this.#waiting = [{ text: this.text, key: 'undo' }];
    this.#work();
  }

  async #work() {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let task = this.#waiting.shift(); task; task = this.#waiting.shift()) {
      try {
        const answer = await this.#ask(task);
        // What was typed meanwhile holds.
        if (!this.#waiting.some(later => later.text !== undefined)) this.#take(answer, task.key);
      } catch (error) {
        this.calls.failed(error);
      }
    }
    this.#isBusy = false;
  }

  async #ask({ text, edits }) {
    if (text !== undefined) return send('chain', { text });
    const expected = this.#after(edits[0]);
    if (expected !== null) this.calls.expected(expected);
    let answer;
    for (const edit of edits) {
      answer = await send('edit', { text: this.good.text, edit });
      if (answer.ok) break;
    }
    return answer;
  }

  /** The last right text with a number in the place of another; null for other changes, which are the program's to make. */
  #after({ set }) {
    if (!set || !/^-?[0-9.]+$/.test(set.value ?? '')) return null;
    const { text, calls } = this.good;
    const old = calls[set.call]?.arguments.find(argument => argument.parameter === set.parameter);
    if (!old || text.slice(old.start, old.end) !== old.value) return null;
    return text.slice(0, old.start) + set.value + text.slice(old.end);
  }

  #take(answer, key) {
    this.text = answer.text;
    if (key !== 'undo') this.#remember(answer.text, key, answer.ok);
    const isTyped = ['text', 'undo', 'restored'].includes(key);
    if (!answer.ok) {
      if (isTyped) this.draft = answer.text;
      this.calls.refused(answer.error, key);
      return;
    }
    this.good = answer;
    // Cards change the last valid text: what was typed meanwhile is kept.
    if (isTyped) this.draft = '';
    this.calls.changed(key);
  }

  #remember(text, key, isRight) {
    if (text === this.#past[this.#now]) return;
    const now = performance.now();
    // A text that becomes invalid begins anew, so that undo leads to the valid one.
    const isBroken = this.#last.isRight && !isRight;
    const isSame = key !== '' && key === this.#last.key && now - this.#last.at < TOGETHER && !isBroken;
    this.#last = { key, at: now, isRight };
    this.#past.length = this.#now + 1;
    if (isSame && this.#now > 0) this.#past[this.#now] = text;
    else this.#past.push(text);
    this.#past.splice(0, this.#past.length - KEPT);
    this.#now = this.#past.length - 1;
  }

  /**
   * Begins with this answer of the program.
   * @param {any} answer @param {{texts: string[], now: number}} [past] that of an earlier visit
   */
  begin(answer, past = { texts: [answer.text], now: 0 }) {
    this.#last.key = '';
    this.#past = [...past.texts];
    this.#now = past.now;
    this.#take(answer, 'undo');
  }

  /** Ends a change: the next one is undone by itself. */
  part() {
    this.#last.key = '';
  }

  /** Types a text again that is not in the field. @param {string} text */
  restore(text) {
    this.text = text;
    this.#waiting = [{ text, key: 'restored' }];
    this.#work();
  }
}
