// Filters by purpose: the words that people have for a task, their slips, and what other programs call a filter.

/** A word without its ending, which is what its forms have in common. */
const stem = word => word.replace(/(ing|ers|er|ed|es|e|s)$/, '');

/** Whether one slip of a finger makes one word of the other: a letter more, less, another, or two exchanged. */
function isSlip(one, other) {
  if (Math.abs(one.length - other.length) > 1) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const rest = (word, from) => word.slice(from);
  return (
    rest(one, at + 1) === rest(other, at + 1) ||
    rest(one, at) === rest(other, at + 1) ||
    rest(one, at + 1) === rest(other, at) ||
    (one[at] === other[at + 1] && one[at + 1] === other[at] && rest(one, at + 2) === rest(other, at + 2))
  );
}

/** Words that say nothing about a purpose. */
const IDLE = new Set('a an and the of in to for with my remove reduce make add fix get rid from video picture image clip filter effect'.split(' '));

/** All filters, and how they are found. */
export class Search {
  /** @param {{groups: {title: string, filters: any[]}[], purposes: {words: string[], filters: string[]}[]}} table */
  constructor({ groups, purposes }) {
    const all = groups.flatMap(group => group.filters.map(filter => ({ filter, group: group.title })));
    const byName = new Map(all.map(entry => [entry.filter.name, entry]));
    this.purposes = purposes;
    // Without words: by purpose, the usual choice first, then what serves none.
    const served = purposes.flatMap(({ words, filters }) =>
      filters.map(name => ({ filter: byName.get(name)?.filter, group: words[0][0].toUpperCase() + words[0].slice(1) })),
    );
    const seen = new Set();
    this.all = [...served, ...all].filter(({ filter }) => !seen.has(filter.name) && seen.add(filter.name));
  }

  /** Filters for some words, the best first. @param {string} text @returns {{filter: any, group: string}[]} */
  find(text) {
    const typed = text.toLowerCase().split(/[\s,]+/).filter(Boolean);
    const telling = typed.filter(word => !IDLE.has(word));
    const words = telling.length ? telling : typed;
    const ranked = this.all.map(entry => ({ entry, rank: Math.max(-1, ...words.map(word => this.#rank(entry, word))) }));
    return ranked.filter(({ rank }) => rank < Infinity).sort((a, b) => a.rank - b.rank).map(({ entry }) => entry);
  }

  /** How far down a filter is listed for a word: its name, its purpose, other names, then descriptions. */
  #rank({ filter, group }, word) {
    if (filter.name === word) return -1;
    const usual = this.#purpose(filter.name, known => known === word);
    if (usual < Infinity) return usual / 100;
    if (filter.name.startsWith(word) || filter.name === stem(word)) return 1;
    const kindred = this.#purpose(filter.name, known => stem(word).length > 3 && stem(known) === stem(word));
    if (kindred < Infinity) return 1 + (1 + kindred) / 100;
    const texts = [filter.elsewhere.join(' '), filter.name, filter.summary, group, filter.description].map(part => part.toLowerCase());
    const short = stem(word);
    const place = texts.findIndex(part => part.includes(word) || (short.length > 3 && part.includes(short)));
    // A slip counts for more than a description that happens to contain the word.
    if (place >= 0 && place < texts.length - 1) return 2 + place;
    if (word.length > 3) {
      if (isSlip(word, filter.name)) return 6;
      const slip = this.#purpose(filter.name, known => known.length > 3 && isSlip(word, known));
      if (slip < Infinity) return 6 + slip / 100;
    }
    return place < 0 ? Infinity : 7;
  }

  /** The place of a filter among those of a purpose with such a word. */
  #purpose(name, isWord) {
    const places = this.purposes.filter(({ words }) => words.some(isWord)).map(({ filters }) => filters.indexOf(name));
    return Math.min(Infinity, ...places.filter(place => place >= 0));
  }
}
