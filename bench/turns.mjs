// Calls of several pages, timed in turns.

/**
 * Warms each page's prepared call up, then samples them round by round, every second round backwards.
 *
 * @param {Record<string, { call: Function }>} pages - by name
 * @param {{ samples: number, turn: number }} effort - rounds, and the milliseconds that a sample takes at least
 * @returns {Promise<Record<string, number[]>>} milliseconds of one call, by name
 */
export async function timeInTurns(pages, names, { samples, turn }) {
  const times = Object.fromEntries(names.map((name) => [name, []]));
  const repetitions = {};
  for (const name of names) {
    const last = await pages[name].call('warmUp', 8 * turn);
    repetitions[name] = Math.max(1, Math.ceil(turn / last));
  }
  for (let n = 0; n < samples; ++n) {
    for (const name of n % 2 === 0 ? names : [...names].reverse()) {
      times[name].push(await pages[name].call('sample', repetitions[name]));
    }
  }
  return times;
}
