// Fovea's goals, and how a run compares with them.

import { cliffs } from './cliffs.mjs';
import { layers } from './layers.mjs';
import { decoderRatio, decoders, decoderValue } from './decoders.mjs';
import { embedRatio, questions } from './models.mjs';
import { models } from './models/models.mjs';
import {
  bestPeer,
  efficiencyOf,
  entryOf,
  growing,
  growthOf,
  legOf,
  resultOf,
  shapeOf,
  shareOfLimit,
  slowdownOf,
  timesFaster,
} from './results.mjs';
import { arrayBytes, shapes } from './shapes.mjs';
import { summary } from './stats.mjs';
import { addedPerCall, bestPeerOf, timeOf } from './training.mjs';

const denseShapes = ['n512', 'n1024', 'n2048', 'n4096'];
const fewQueries = ['q16', 'q32', 'q64'];
const longSums = growing.filter(({ queries }) => queries >= 16384).map(({ id }) => id);
const causalSums = ['elucausal16384', 'elucausal1048576'];
const recurrences = ['rule-gated', 'rule-delta', 'rule-gateddelta'];
const rules = ['rule-linear', ...recurrences];
const sparseShapes = shapes.filter(({ dense }) => dense !== null);

const percent = (x) => `${(100 * x).toFixed(0)} %`;
const times = (x) => `${x.toFixed(2)} ×`;
const milliseconds = (x) => `${x.toFixed(0)} ms`;

const over = (a, b) => (a === undefined || b === undefined ? undefined : a / b);

/** The most runs whose median judges a goal: a single run is noisy. */
const judgedRuns = 3;

/** The number of a run for each goal, by the goal's name; goals that it did not measure are absent. */
export function goalValues(results) {
  return Object.fromEntries(goalsOf(results).map(({ goal, value }) => [goal, value]));
}

/** The values of the runs before one, the latest first: `previous` and its own earlier ones, where commit, machine and effort are the same. */
export function earlierGoals(previous, { machine, quick }) {
  const isSame = ['commit', 'processor', 'processors'].every((name) => previous?.machine[name] === machine[name]);
  if (!isSame || previous.quick !== quick) return [];
  return [goalValues(previous), ...(previous.earlierGoals ?? [])].slice(0, judgedRuns - 1);
}

/**
 * The goals that a run measured, judged by the median of the run and the ones before it.
 *
 * @returns {{ goal: string, wanted: string, here: string, runs: number, reached: boolean }[]}
 */
export function judge(results) {
  return goalsOf(results).map(({ goal, wanted, value, format, isReached }) => {
    const values = [value, ...(results.earlierGoals ?? []).map((earlier) => earlier[goal]).filter((x) => x !== undefined)];
    const { median } = summary(values);
    return { goal, wanted, here: format(median), runs: values.length, reached: isReached(median) };
  });
}

function goalsOf(results) {
  const one = legOf(results, 'chromium', 1);
  const two = legOf(results, 'chromium', 2);
  const node = legOf(results, 'node24', 1);
  const firefox = legOf(results, 'firefox', 1);

  const share = (leg, shape, id = 'fovea') => on(leg, shape, id, (result, entry) => shareOfLimit(entry, result));
  const ratio = (shape) => on(one, shape, 'fovea', (result, entry) => bestPeer(entry) && timesFaster(result, bestPeer(entry)));
  const ratioOfInt8 = (shape, ofInt8) =>
    on(one, shape, 'fovea-int8', (result, entry) => bestPeer(entry, ofInt8) && timesFaster(result, bestPeer(entry, ofInt8)));
  const least = (values) => values.filter((x) => x !== undefined).reduce((a, b) => Math.min(a, b), Infinity);
  const most = (values) => -least(values.map((x) => x && -x));
  const time = (leg, shape, id = 'fovea') => resultOf(entryOf(leg, shape), id)?.median;
  const beside = (leg) => least(['n512', 'n2048'].map((shape) => over(share(leg, shape), share(one, shape))));
  const first = one?.cold?.['fovea-arrays']?.first?.median;
  const start = (leg) => leg?.cold?.['fovea-arrays']?.start?.median;
  const leastShare = (ids) => least(ids.map((shape) => share(one, shape)));
  const growth = growthOf(one);
  const workspace = (shape) => on(one, shape, 'fovea', ({ bytes }) => (bytes - arrayBytes(shapeOf(shape))) / 1e6);

  return [
    atLeast('N = 512 to 4096, one thread: part of the madd limit', 0.72, percent, least(denseShapes.map((n) => share(one, n)))),
    atLeast('N = 512 to 4096, one thread: times the best peer', 1.8, times, least(denseShapes.map((n) => ratio(n)))),
    atLeast('D = 128: part of the madd limit', 0.78, percent, share(one, 'd128')),
    atLeast('N = 128: times the best peer', 1.5, times, ratio('n128')),
    atMost('causal, N = 2048: part of the dense time', 0.56, percent, over(time(one, 'causal'), time(one, 'n2048'))),
    atLeast('causal, N = 2048: times the best peer', 3.5, times, ratio('causal')),
    atLeast(
      'N = 512 to 4096: two threads, times one',
      1.85,
      times,
      least(denseShapes.map((n) => over(time(one, n), time(two, n)))),
    ),
    atLeast('decode: part of the read bandwidth', 0.8, percent, share(one, 'decode')),
    atLeast('decode, H = 8 over 1: part of the madd limit', 0.65, percent, share(one, 'decode-gqa')),
    atLeast('decode, 1 × 16384: float16, times float32', 1.5, times, over(time(one, 'decode-long'), time(one, 'decode-f16'))),
    atLeast('16, 32, 64 × 8192: part of the madd limit', 0.65, percent, leastShare(fewQueries)),
    atLeast(
      '16, 32, 64 × 8192: two threads, times one',
      1.8,
      times,
      least(fewQueries.map((id) => over(time(one, id), time(two, id)))),
    ),
    atLeast(
      'simd128, N = 512 to 4096: part of the mul + add limit',
      0.65,
      percent,
      least(denseShapes.map((n) => share(one, n, 'fovea-simd128'))),
    ),
    atLeast('Node 24: part of what Chromium reaches of its limit', 0.85, percent, beside(node)),
    atLeast('Firefox: part of what Chromium reaches of its limit', 0.85, percent, beside(firefox)),
    atMost('first call at N = 2048: times the steady call', 1.6, times, over(first, time(one, 'n2048', 'fovea-arrays'))),
    atMost('start, one thread', 60, milliseconds, start(one)),
    atMost('start, two threads', 200, milliseconds, start(two)),
    atMost(
      'memory beside the arrays, most of N = 512 to 4096',
      16,
      (x) => `${x.toFixed(0)} MB`,
      most(denseShapes.map(workspace)),
    ),
    ...sparseShapes.map(({ id, title }) =>
      atLeast(`${title}, one thread: density × dense time / time`, 0.6, percent, efficiencyOf(one, id)),
    ),
    atMost(
      `${shapeOf('long').title}: wasm memory in all`,
      1024,
      (x) => `${x.toFixed(0)} MiB`,
      on(one, 'long', 'fovea', ({ bytes }) => bytes / 2 ** 20),
    ),
    atLeast('linear, elu1, N = 16384 and up, one thread: part of the madd limit', 0.5, percent, leastShare(longSums)),
    atLeast('linear, elu1, causal: part of the madd limit', 0.35, percent, leastShare(causalSums)),
    atLeast('linear, gated, delta, gatedDelta: part of the madd limit', 0.15, percent, leastShare(recurrences)),
    atLeast('linear, update rules, N = 16384: times the best peer', 2, times, least(rules.map((shape) => ratio(shape)))),
    atLeast('encoder, N = 128: times the best peer', 1.6, times, ratio('encoder128')),
    atLeast('encoder, N = 128, int8: times the best f32 graph of a peer', 3, times, ratioOfInt8('encoder128', false)),
    atLeast('encoder, N = 128, int8: times the best int8 graph of a peer', 2, times, ratioOfInt8('encoder128', true)),
    ...[2, 3].map((goal) =>
      atMost(
        `slowest input of a shape${goal === 3 ? ', denormals' : ''}: times the ordinary one`,
        goal,
        times,
        most(cliffs.filter((cliff) => cliff.goal === goal).map(({ id }) => slowdownOf(one, id))),
      ),
    ),
    atLeast(
      'layers around attention: times the best peer',
      1,
      times,
      least(layers.map(({ id }) => over(one?.layers?.[id]?.peer?.median, one?.layers?.[id]?.fovea?.median))),
    ),
    ...decoders.flatMap(({ id, title, llama, goals }) =>
      Object.entries(goals).map(([way, goal]) =>
        atLeast(
          `${title}, token by token, by ${way}: ${llama ? 'times plain loops' : 'tokens/s'}`,
          goal,
          llama ? times : (x) => x.toFixed(1),
          decoderValue(one, id, way),
        ),
      ),
    ),
    atLeast(
      `${decoders.find(({ id }) => id === 'gpt2').title}, token by token, int8: times float32`,
      2.8,
      times,
      decoderRatio(one, 'gpt2', 'int8', 'model'),
    ),
    ...modelGoals(one, two),
    ...trainingGoals(one, two),
    atMost('linear, elu1, time = a · N^b: |b - 1|', 0.1, (x) => x.toFixed(3), growth && Math.abs(growth.b - 1)),
    atMost(
      'linear, 1,000,000 tokens through a state: wasm memory gained',
      0,
      (x) => `${x.toFixed(1)} MB`,
      on(one, 'stream', 'fovea', ({ before, bytes }) => (bytes - before) / 1e6),
    ),
  ].filter(({ value }) => value !== undefined && Number.isFinite(value));
}

/** Goals of whole models, beside transformers.js. */
function modelGoals(one, two) {
  const singles = questions.filter(({ lengths }) => lengths.length === 1).map(({ id }) => id);
  const encoders = models.filter(({ kind }) => kind === 'encoder').map(({ id }) => id);
  const all = (read) => encoders.flatMap((model) => singles.map((question) => read(model, question)));
  const least = (values) => Math.min(...values.map((value) => value ?? NaN));
  const median = (leg, model, question, way) => leg?.models?.[model]?.[question]?.[way]?.median;
  const rate = (model, way) => median(one, model, 'generate', way);
  const perSecond = (x) => `${x.toFixed(1)} tokens/s`;
  const { cold } = one?.models ?? {};
  return [
    atLeast(
      'embed, float32, 16 to 256 tokens: times the best of transformers.js',
      1.6,
      times,
      least(all((m, q) => embedRatio(one, m, q, false))),
    ),
    atLeast(
      'embed, int8, 16 to 256 tokens: times the best q8 of transformers.js',
      2,
      times,
      least(all((m, q) => embedRatio(one, m, q, true))),
    ),
    atLeast(
      'embed, 32 texts of MiniLM: times the best of transformers.js',
      4,
      times,
      embedRatio(one, 'minilm', 'batch', false),
    ),
    atMost(
      'embed, 128 tokens of MiniLM: time beyond the layers',
      0.05,
      percent,
      median(one, 'minilm', '128', 'fovea') / median(one, 'minilm', '128', 'layers') - 1,
    ),
    atLeast(
      'embed, 64 tokens and up: two threads, times one',
      1.7,
      times,
      least(encoders.flatMap((m) => singles.slice(1).map((q) => median(one, m, q, 'fovea') / median(two, m, q, 'fovea')))),
    ),
    atMost(
      'import to the first vector: part of the time of transformers.js',
      1 / 3,
      percent,
      cold && cold.fovea.start.median / cold.transformers.start.median,
    ),
    atMost('code for embed, gzipped', 0.3, (x) => `${x.toFixed(2)} MB`, cold && cold.fovea.code / 1e6),
    atLeast('SmolLM2-135M', 36, perSecond, rate('smollm2', 'fovea')),
    atLeast('SmolLM2-135M, int8', 110, perSecond, rate('smollm2', 'fovea-int8')),
    atLeast(
      'SmolLM2-135M, int8: times q8 of transformers.js',
      2,
      times,
      rate('smollm2', 'fovea-int8') / rate('smollm2', 'transformers-q8'),
    ),
    atLeast('Qwen3-0.6B, int8', 25, perSecond, rate('qwen3', 'fovea-int8')),
  ];
}

/** Goals of training, beside jax-js and TensorFlow.js. */
function trainingGoals(one, two) {
  const step = one?.training?.step;
  const best = bestPeerOf(step);
  const exactly = (x) => `${x.toFixed(1)} ms`;
  const { window, 'window-forward': windowForward } = one?.training ?? {};
  return [
    atMost('GPT step, one thread', 12, exactly, timeOf(one, 'step')),
    atMost('GPT step, simd128, one thread', 14, exactly, timeOf(one, 'step', 'fovea-simd128')),
    atMost('GPT step, two threads', 7.5, exactly, timeOf(two, 'step')),
    atMost('GPT step, the first', 40, exactly, step?.fovea?.first),
    atLeast(
      'GPT step, one thread: times the best peer',
      3,
      times,
      best && step.fovea ? best[1].median / step.fovea.median : undefined,
    ),
    atMost('attention and gradient, [8, 1024, 64], one thread', 220, exactly, timeOf(one, 'attention')),
    atMost('attention and gradient, [8, 1024, 64], causal, one thread', 125, exactly, timeOf(one, 'causal')),
    atMost(
      '[1, 16384, 64], window 256: backward, times forward',
      4,
      times,
      over(window?.fovea?.median, windowForward?.fovea?.median) - 1,
    ),
    atMost('[1, 16384, 64], window 256: memory beside arrays', 8, (x) => `${x.toFixed(1)} MB`, window?.fovea?.beside / 1e6),
    atMost('recording and gradient, for each call', 8, (x) => `${x.toFixed(1)} µs`, addedPerCall(one)),
  ];
}

/** `read(result, entry)`, or undefined where there is no such result. */
function on(leg, shape, id, read) {
  const entry = entryOf(leg, shape);
  const result = resultOf(entry, id);
  return result && read(result, entry);
}

function atLeast(goal, bound, format, value) {
  return { goal, wanted: `≥ ${format(bound)}`, value, format, isReached: (x) => x >= bound };
}

function atMost(goal, bound, format, value) {
  return { goal, wanted: `≤ ${format(bound)}`, value, format, isReached: (x) => x <= bound };
}
