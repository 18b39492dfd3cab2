// What a run measures, and how long it takes over it.

import { shapes } from './shapes.mjs';

const full = { rounds: 7, fewest: 3, budget: 600, warmUp: 250, turn: 10 };
const quick = { rounds: 5, fewest: 3, budget: 300, warmUp: 100, turn: 5 };

/** Up to how much work slow contestants take part, in floating-point operations. */
const slowWork = { full: 10e9, quick: 5e9 };

/** A whole run, in this order. Chromium is measured in full, with two threads without the contestants that are never best; what
 * stands beside it, briefly. */
const wholeRun = [
  { name: 'chromium', threads: 1 },
  { name: 'chromium', threads: 2, lean: true },
  { name: 'node24', threads: 1, brief: true },
  { name: 'node24', threads: 2, brief: true },
  { name: 'node20', threads: 1, brief: true },
  { name: 'firefox', threads: 1, brief: true },
];

/**
 * @param {ReturnType<import('./options.mjs').readOptions>} options
 * @returns {object[]} legs: an engine with a number of threads, its shapes, the effort for each, the extent of contestants, and
 *   how often to start cold (0: not)
 */
export function makePlan(options) {
  return legsOf(options).map(({ name, threads, brief = options.quick, lean = brief }) => ({
    name,
    threads,
    shapes: options.shapes ?? shapes.filter((shape) => shape.only === null && (!brief || shape.brief)),
    effort: brief ? quick : full,
    extent: {
      thorough: !lean || options.all || options.named,
      work: options.all ? Infinity : brief ? slowWork.quick : slowWork.full,
    },
    coldRepetitions: options.cold && name === 'chromium' ? (options.quick ? 1 : 3) : 0,
  }));
}

function legsOf({ quick, engines, threads }) {
  if (engines === null && !quick) return wholeRun.filter((leg) => threads === null || threads.includes(leg.threads));
  const counts = threads ?? (quick ? [1] : [1, 2]);
  return (engines ?? ['chromium']).flatMap((name) => counts.map((count) => ({ name, threads: count })));
}
