// Notice of a program that has ended, from which the chain can be copied.

import { read } from './api.js';
import { byId, say } from './dom.js';
import { copy } from './out.js';

/** Milliseconds between questions whether the program runs, and before the second one. */
const REST = 3000;
const AGAIN = 500;

const later = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

/** Asks the program, while the page is visible, whether it still runs. */
export class Watch {
  /**
   * @param {any} clip
   * @param {{chain: () => string, command: () => string, returned: () => void}} calls `returned` hears of a program that
   *   answers again for the same clip
   */
  constructor(clip, calls) {
    this.clip = clip;
    this.calls = calls;
    this.notice = byId('gone');
    byId('gone-chain').addEventListener('click', () => copy(calls.chain()));
    byId('gone-command').addEventListener('click', () => copy(calls.command()));
    this.#follow();
  }

  async #follow() {
    for (;;) {
      await later(REST);
      if (!document.hidden) await this.#look();
    }
  }

  async #look() {
    // The list is asked for: that opens no clip.
    const ask = () => read('clips').catch(error => (error.status === 404 ? { lost: error } : null));
    // One request may fail where a connection is closed in the same moment.
    const list = (await ask()) ?? (await later(AGAIN).then(ask));
    const wasGone = !this.notice.hidden;
    this.notice.hidden = list !== null;
    if (!list || !wasGone) return;
    if (list.lost) {
      say(list.lost.message, true);
      return;
    }
    const clip = await read('clip').catch(() => null);
    if (!clip || clip.input !== this.clip.input || clip.format !== this.clip.format) location.reload();
    else this.calls.returned();
  }
}
