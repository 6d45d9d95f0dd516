// Files that are dropped on the page: the chain of a text is taken. Of others a browser gives no path, so the page says how to name them,
// and stays.

import { send } from './api.js';
import { say } from './dom.js';
import { plain, quoted } from './line.js';

/** Endings of texts that may hold a chain. */
const TEXTS = ['txt', 'chain', 'recipe'];
/** The most bytes of such a text. */
const LONGEST = 1 << 17;
/** Endings of files that filters name, and how. */
const NAMED = { cube: 'lut3d=', png: 'overlay= or mask=' };

/** @param {string} name @returns {string} ending of a file */
const ending = name => name.split('.').at(-1)?.toLowerCase() ?? '';

/** What to type for a file. @param {string} name */
function advice(name) {
  const kind = ending(name);
  if (kind in NAMED) return `for ${NAMED[kind]}, name it on the command line: warpreel preview INPUT -f CHAIN`;
  return `for a clip, type warpreel preview ${quoted(plain(name))}`;
}

/** Takes the chain of a dropped text. @param {File} file @param {(text: string) => void} load */
async function take(file, load) {
  try {
    if (file.size > LONGEST) throw new Error('it is longer than any chain');
    const { text } = await send('recipe', { text: await file.text() });
    if (!text) throw new Error('it holds no filter');
    load(text);
    say(`The chain is that of ${file.name}`);
  } catch (error) {
    say(`${file.name}: ${error.message}`, true);
  }
}

/** Keeps the page when a file is dropped. @param {(text: string) => void} load gets the chain of a text */
export function takeFiles(load) {
  const isFile = event => event.dataTransfer?.types.includes('Files');
  addEventListener('dragover', event => isFile(event) && event.preventDefault());
  addEventListener('drop', event => {
    if (!isFile(event)) return;
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    if (TEXTS.includes(ending(file.name))) take(file, load);
    else say(`A browser gives no path of ${file.name}; ${advice(file.name)}`, true);
  });
}
