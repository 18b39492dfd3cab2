// Plans a run: its measurements and their durations.

import { isOf, shapes } from './shapes.mjs';

const full = { rounds: 7, fewest: 3, budget: 600, warmUp: 250, turn: 10 };
const quick = { rounds: 5, fewest: 3, budget: 300, warmUp: 100, turn: 5 };
const grouped = { rounds: 3, fewest: 3, budget: 0, warmUp: 250, turn: 100 };

/** Up to how much work slow contestants take part, in floating-point operations. */
const slowWork = { full: 10e9, quick: 5e9 };

/**
 * A whole run, in this order. Chromium is measured in full, with two threads without the contestants that are never best and
 * without peers in sparse attention; what stands beside it, briefly. `together`: which groups, else all.
 */
const wholeRun = [
  { name: 'chromium', threads: 1 },
  { name: 'chromium', threads: 2, lean: true, together: ['sparse16384'] },
  { name: 'node24', threads: 1, brief: true, together: [] },
  { name: 'node24', threads: 2, brief: true, together: [] },
  { name: 'node20', threads: 1, brief: true, together: [] },
  { name: 'firefox', threads: 1, brief: true, together: [] },
];

/**
 * @param {ReturnType<import('./options.mjs').readOptions>} options
 * @returns {object[]} legs: an engine with a number of threads, its groups (shapes that are measured together, and the effort),
 *   the extent of contestants, whether the slowest inputs of a shape, the layers around attention, decoders, whole models and training are measured, and how often to start cold (0: not)
 */
export function makePlan(options) {
  return legsOf(options).map(({ name, threads, brief = options.quick, lean = brief, together }) => ({
    name,
    threads,
    groups: groupsOf(options.shapes ?? usualShapes(brief, together)).map((group) => ({
      shapes: group,
      effort: group[0].group !== null && !isOf('encoder', group[0]) ? grouped : brief ? quick : full,
    })),
    extent: {
      thorough: !lean || options.all || options.named,
      masks: !lean || options.quick || options.all || options.named,
      work: options.all ? Infinity : brief ? slowWork.quick : slowWork.full,
    },
    withCliffs: options.cliffs && (options.shapes !== null || isMain(name, threads, options)),
    withLayers: options.layers && (options.shapes !== null || isMain(name, threads, options)),
    withDecoders: options.decoders && (options.shapes !== null || (name === 'chromium' && !options.quick)),
    withModels: options.models && name === 'chromium',
    withTraining: options.training && name === 'chromium',
    coldRepetitions: options.cold && name === 'chromium' ? (options.quick ? 1 : 3) : 0,
  }));
}

const isMain = (name, threads, { quick }) => name === 'chromium' && threads === 1 && !quick;

function usualShapes(brief, together) {
  return shapes.filter(
    ({ only, group, ...shape }) =>
      only === null && (brief ? shape.brief : shape.full) && (group === null || (together?.includes(group) ?? true)),
  );
}

/** Shapes of a group together, the others each by itself. */
function groupsOf(chosen) {
  const groups = [];
  for (const shape of chosen) {
    // Linear attention has calls so short that the pages of others, open beside, are seen in them; encoders have peers beside them.
    const together = isOf('sparse', shape);
    if (together && groups.at(-1)?.[0].group === shape.group) groups.at(-1).push(shape);
    else groups.push([shape]);
  }
  return groups;
}

function legsOf({ quick, engines, threads }) {
  if (engines === null && !quick) return wholeRun.filter((leg) => threads === null || threads.includes(leg.threads));
  const counts = threads ?? (quick ? [1] : [1, 2]);
  return (engines ?? ['chromium']).flatMap((name) => counts.map((count) => ({ name, threads: count })));
}
