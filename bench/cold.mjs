// Starting up, in browsers: each measurement in a page that has run nothing before.

import { shapes } from './shapes.mjs';
import { summary } from './stats.mjs';

const shapeOf = (id) => shapes.find((shape) => shape.id === id);
const pageShape = shapeOf('n512');
const firstShape = shapeOf('n2048');

/**
 * @param {object} task
 * @param {number} task.repetitions
 * @returns {Promise<Record<string, object>>} by contestant: `ready` and `result`, milliseconds from navigation with a fresh
 *   profile to the package being up and to the first result of N = 512; `first`, the first call of N = 2048 on a fresh page;
 *   `start`, fovea only, from `load` to a first small result with the bytes there; or `failure`
 */
export async function measureCold({ engine, contestants, threads, repetitions }) {
  const samples = Object.fromEntries(contestants.map(({ id }) => [id, { ready: [], result: [], first: [], start: [] }]));
  const failures = {};
  for (let i = 0; i < repetitions; ++i) {
    for (const { id, module, options, role, slowness } of contestants) {
      if (failures[id]) continue;
      try {
        const contestant = { module, options };
        const { ready, result } = await engine.cold({ contestant, threads, shape: pageShape });
        samples[id].ready.push(ready);
        samples[id].result.push(result);
        if (role !== 'floor' && !slowness) samples[id].first.push(await firstCall(engine, id, { ...contestant, threads }));
        if (role === 'fovea') samples[id].start.push(await startUp(engine, id, { ...contestant, threads }));
      } catch (error) {
        failures[id] = error.message.split('\n')[0];
      }
    }
  }
  return Object.fromEntries(
    contestants.map(({ id }) => [id, failures[id] ? { failure: failures[id] } : summaries(samples[id])]),
  );
}

async function firstCall(engine, id, contestant) {
  const page = await engine.open(id);
  await page.call('load', contestant);
  await page.call('prepare', firstShape);
  const milliseconds = await page.call('first');
  await page.close();
  return milliseconds;
}

async function startUp(engine, id, contestant) {
  const page = await engine.open(id);
  const { milliseconds } = await page.call('start', contestant);
  await page.close();
  return milliseconds;
}

function summaries(lists) {
  return Object.fromEntries(Object.entries(lists).map(([name, values]) => [name, summary(values)]));
}
