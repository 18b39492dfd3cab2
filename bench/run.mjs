// `npm run bench`: measures, prints tables, and writes build/bench/results.json; a whole run draws bench/chart.svg too.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { drawChart } from './chart.mjs';
import { cliffs } from './cliffs.mjs';
import { measureDecoders } from './decoders.mjs';
import { measureCold } from './cold.mjs';
import { isMeasured } from './contestants/index.mjs';
import { openBrowser } from './engines/browser.mjs';
import { openNode } from './engines/node.mjs';
import { earlierGoals } from './goals.mjs';
import { install, versions } from './install.mjs';
import { measureLayers } from './layers.mjs';
import { measureTogether } from './measure.mjs';
import { measureModels } from './models.mjs';
import { readOptions, usage } from './options.mjs';
import { buildDir, chartFile, resultsFile, rootDir } from './paths.mjs';
import { makePlan } from './plan.mjs';
import { report } from './report.mjs';
import { measureTraining } from './training.mjs';

const begin = performance.now();
const seconds = () => `${((performance.now() - begin) / 1000).toFixed(0)} s`;
const progress = (text) => console.error(`bench: ${seconds().padStart(5)}  ${text}`);

async function main() {
  const options = readOptions(process.argv.slice(2));
  if (options.help) return console.log(usage);
  install();
  const results = { machine: describeMachine(), versions: versions(), quick: options.quick, legs: [] };
  for (const leg of makePlan(options)) {
    results.legs.push(await measureLeg(leg, options.contestants));
  }
  results.seconds = Math.round((performance.now() - begin) / 1000);
  results.earlierGoals = earlierGoals(readPrevious(), results);
  mkdirSync(buildDir, { recursive: true });
  writeFileSync(resultsFile, `${JSON.stringify(results, null, 1)}\n`);
  if (options.whole) writeFileSync(chartFile, drawChart(results));
  console.log(report(results));
  progress(`done: ${resultsFile}`);
}

/** The results of the run before, if they can be read. */
function readPrevious() {
  try {
    return JSON.parse(readFileSync(resultsFile, 'utf8'));
  } catch {
    return undefined;
  }
}

/** One engine with one number of threads. What fails is told, and what was measured before is kept. */
async function measureLeg(
  { name, threads, groups, extent, withCliffs, withDecoders, withLayers, withModels, withTraining, coldRepetitions },
  contestants,
) {
  const leg = {
    engine: name,
    version: '',
    threads,
    shapes: [],
    cliffs: null,
    decoders: null,
    layers: null,
    models: null,
    training: null,
    cold: null,
    failure: null,
  };
  let engine;
  try {
    engine = name.startsWith('node') ? await openNode(name) : await openBrowser(name);
    leg.version = engine.version;
    for (const { shapes, effort } of groups) {
      const titles = shapes.map(({ title }) => title).join('; ');
      progress(`${name} ${engine.version}, ${threads === 1 ? '1 thread' : `${threads} threads`}, ${titles}`);
      const entries = shapes.map((shape) => ({
        shape,
        contestants: contestants.filter((contestant) => isMeasured(contestant, shape, extent)),
      }));
      leg.shapes.push(...(await measureTogether({ engine, entries, threads, effort })));
    }
    if (withCliffs) {
      progress(`${name}, slowest inputs of a shape`);
      leg.cliffs = await measureEach(engine, 'cliffs', cliffs, threads);
    }
    if (withDecoders) {
      progress(`${name}, decoders token by token`);
      leg.decoders = await measureDecoders((by) => engine.open(`decoders-${by}`), threads);
    }
    if (withLayers) {
      progress(`${name}, layers around attention`);
      leg.layers = await measureLayers((by) => engine.open(`layers-${by}`), threads);
    }
    if (withModels) leg.models = await measureModels(engine, threads, progress);
    if (withTraining) leg.training = await measureTraining((by) => engine.open(by), threads, progress);
    if (coldRepetitions > 0) {
      progress(`${name}, cold starts`);
      const starters = contestants.filter(({ id }) => startsCold.includes(id));
      leg.cold = await measureCold({ engine, contestants: starters, threads, repetitions: coldRepetitions });
    }
  } catch (error) {
    leg.failure = error.message;
    progress(`${name} failed: ${error.message}`);
    process.exitCode = 1;
  } finally {
    await engine?.close();
  }
  return leg;
}

/** In one page, so that what stands side by side meets the same compiled code. */
async function measureEach(engine, table, list, threads) {
  const page = await engine.open(table);
  try {
    const results = {};
    for (const { id } of list) Object.assign(results, await page.call(table, { ids: [id], threads }));
    return results;
  } finally {
    await page.close();
  }
}

/** One way of using each package. */
const startsCold = ['fovea-arrays', 'ort-matmul', 'tfjs', 'jax-js', 'plain'];

function describeMachine() {
  const git = spawnSync('git', ['describe', '--always', '--dirty'], { cwd: rootDir, encoding: 'utf8' });
  const commit = git.status === 0 ? git.stdout.trim() : null;
  return { date: new Date().toISOString().slice(0, 10), processor: cpus()[0].model, processors: cpus().length, commit };
}

try {
  await main();
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
}
