// The lines that do elsewhere what the page shows: a command for a POSIX shell, Python, and a recipe.

/** @param {string} text @returns {string} a word for a POSIX shell */
export const quoted = text => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** A file's name that no program takes for an option. */
export const plain = name => (name.startsWith('-') && name !== '-' ? `./${name}` : name);

/** @param {any} clip @param {string} output @param {string} chain @param {string[]} more options of the output @returns {string} the command that filters the whole clip */
export function command(clip, output, chain, more) {
  const words = ['warpreel', plain(clip.input), plain(output), ...clip.options, ...more].map(quoted);
  if (chain.trim()) words.push('-f', `'${chain.replaceAll("'", "'\\''")}'`);
  return words.join(' ');
}

/** @param {any} clip @param {string} chain @returns {string} the command that shows this page again, at its port */
export function showing(clip, chain) {
  const words = ['warpreel', 'preview', plain(clip.input), ...clip.options, '--port', location.port].map(quoted);
  if (chain.trim()) words.push('-f', `'${chain.replaceAll("'", "'\\''")}'`);
  return words.join(' ');
}

/** @param {any} clip @param {string} output @param {string} chain @param {string[]} more as of `command` @returns {string} the line of Python that does the same */
export function python(clip, output, chain, more) {
  const words = [clip.input, output, chain].map(word => JSON.stringify(word));
  const named = new Map();
  const options = [...clip.options, ...more].map(option => (option === '-y' ? '--overwrite' : option));
  for (let index = 0; index < options.length; index++) {
    const [, name, value] = options[index].match(/^--([\w-]+)(?:=(.*))?$/s) ?? [];
    if (!name) continue;
    const next = options[index + 1];
    const hasNext = value === undefined && next !== undefined && !next.startsWith('--');
    if (hasNext) index++;
    named.set(name.replaceAll('-', '_'), value ?? (hasNext ? next : null));
  }
  for (const [name, value] of named) words.push(`${name}=${value === null ? 'True' : JSON.stringify(value)}`);
  return `warpreel.run(${words.join(', ')})`;
}

/** @param {any[]} calls @returns {string} a file for `-f @FILE`: a filter a line */
export const recipe = calls => calls.map(call => `${call.text}\n`).join('');
