// Files that are dropped on the page: a browser gives no path, so the page says how to name them, and stays.

import { say } from './dom.js';
import { plain, quoted } from './line.js';

/** Endings of texts that may hold a chain. */
const TEXTS = ['txt', 'chain', 'recipe'];
/** Endings of files that filters name, and how. */
const NAMED = { cube: 'lut3d=', png: 'a filter with mask=' };

/** What to type for a file. @param {string} name */
function advice(name) {
  const ending = name.split('.').at(-1)?.toLowerCase() ?? '';
  if (TEXTS.includes(ending)) return `for the chain in it, start warpreel preview INPUT -f ${quoted(`@${name}`)}`;
  if (ending in NAMED) return `for ${NAMED[ending]}, name it on the command line: warpreel preview INPUT -f CHAIN`;
  return `for a clip, type warpreel preview ${quoted(plain(name))}`;
}

/** Keeps the page when a file is dropped, and says what to type instead. */
export function refuseFiles() {
  const isFile = event => event.dataTransfer?.types.includes('Files');
  addEventListener('dragover', event => isFile(event) && event.preventDefault());
  addEventListener('drop', event => {
    if (!isFile(event)) return;
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) say(`A browser gives no path of ${file.name}; ${advice(file.name)}`, true);
  });
}
