// State of the page in its address and in the session storage of the tab.

/** Milliseconds between a change and the address: browsers limit how often it is replaced. */
const REST = 250;
/** The longest text in the address. */
const LONGEST = 8000;
/** Key of the state that the page of another clip begins with. */
const NEXT = 'warpreel next';

/**
 * State of the page: what the address holds (`chain`, `frame`, `view`, …) as strings, and beside it the history of the chain.
 * @typedef {{words: Record<string, string>, good?: string, past?: {texts: string[], now: number}}} PageState
 */

/** Words as the fragment of an address; nothing if they are too long. @param {Record<string, string>} words */
export function addressed(words) {
  const hash = `#${new URLSearchParams(words)}`;
  return hash.length <= LONGEST ? hash : '';
}

/** Leaves the state to the page of another clip in this tab. @param {string} input @param {PageState} state */
export function hand(input, state) {
  try {
    sessionStorage.setItem(NEXT, JSON.stringify({ ...state, input }));
  } catch {
    // Without storage the address alone has the state.
  }
}

/** State that was left to the page of a clip. @returns {(PageState & {input: string})|null} */
export function handed() {
  try {
    return JSON.parse(sessionStorage.getItem(NEXT) ?? 'null');
  } catch {
    return null;
  }
}

/** Keeps the state over reloads, back and forward, and a server that is started again at the same address. */
export class Memory {
  #timer = 0;
  /** Fragment of the address that the page has taken or written. */
  #known = location.hash;

  /**
   * @param {any} clip @param {() => PageState} state gives what is kept
   * @param {(words: Record<string, string>) => void} changed hears of a state that was typed into the address
   */
  constructor(clip, state, changed) {
    this.clip = clip;
    this.key = `warpreel ${clip.input}`;
    this.state = state;
    addEventListener('pagehide', () => this.#write());
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) this.#write();
    });
    addEventListener('hashchange', () => {
      this.#known = location.hash;
      changed(this.#address());
    });
  }

  /** State that the page begins with. @returns {PageState} */
  first() {
    const left = handed();
    if (left && left.input === this.clip.input) {
      sessionStorage.removeItem(NEXT);
      return left;
    }
    const words = this.#address();
    const isNew = /** @type {PerformanceNavigationTiming|undefined} */ (performance.getEntriesByType('navigation')[0])?.type === 'navigate';
    const kept = this.#kept();
    if (!kept || (isNew && Object.keys(words).length > 0)) return { words };
    return kept;
  }

  /** Keeps the state, soon. */
  keep() {
    if (this.#timer) return;
    this.#timer = setTimeout(() => this.#write(), REST);
  }

  #address() {
    return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  }

  /** State of this tab's last visit, if it was that of the same clip and command line. @returns {PageState|null} */
  #kept() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(this.key) ?? 'null');
      return kept?.begun === this.clip.chain ? kept : null;
    } catch {
      return null;
    }
  }

  #write() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const state = this.state();
    try {
      sessionStorage.setItem(this.key, JSON.stringify({ ...state, begun: this.clip.chain }));
    } catch {
      // Without storage the address alone keeps the state.
    }
    const hash = addressed(state.words);
    // One that was just typed is not overwritten before it is taken.
    if (!hash || location.hash !== this.#known) return;
    if (hash !== location.hash) history.replaceState(null, '', hash);
    this.#known = location.hash;
  }
}
