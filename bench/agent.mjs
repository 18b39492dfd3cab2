// Runs one contestant in a page or a process, told from outside what to do; browsers and Node run the same file.

import { makeArrays, numbers } from './arrays.mjs';
import { makeKit, measureCliffs } from './cliffs.mjs';
import { prepareFovea, prepareGraph } from './layers.mjs';
import { openDecoder } from './decoders.mjs';
import { modelOf } from './models/models.mjs';
import { wasmBytes, watchMemory } from './memory.mjs';

/**
 * @param {object} environment
 * @param {boolean} environment.browser
 * @param {string} environment.fovea - what to import for the package
 * @param {string} environment.limits - folder or URL of the limits' wasm files, with a slash at its end
 */
export function createAgent(environment) {
  let contestant;
  let call; // { run, output }
  let width; // of the output
  let decoder; // { logits, decode }
  let model; // { run, output } by way
  watchMemory();

  return {
    ...{ load, prepare, first, warmUp, sample, output, memory, start, limits, cliffs, prepareLayer, prepareTraining },
    numbers: () => call.output(),
    ...{ openDecoder: openOneDecoder, decoderLogits: (way) => decoder.logits(way), decodeOnce: (way) => decoder.decode(way) },
    ...{ openModel: openOneModel, runModel: (way, input) => model[way].run(input), modelTimes },
    modelOutput: (way, input) => model[way].output(input),
  };

  /** Brings a contestant's package up. Returns what it says about itself. */
  async function load({ module, options, threads }) {
    const { load } = await import(`./contestants/${module}.mjs`);
    contestant = await load({ threads, options: options ?? {}, environment });
    return contestant.info;
  }

  /** Makes a shape's arrays and hands them over. */
  async function prepare(shape) {
    width = shape.width;
    call = await contestant.prepare(shape, makeArrays(shape));
  }

  /** Milliseconds of one call, and of the first one if none was made before. */
  async function first() {
    return sample(1);
  }

  /** Calls for about `milliseconds`, at least once more; returns the time of one call as it was in the end. */
  async function warmUp(milliseconds) {
    const end = performance.now() + milliseconds;
    let last;
    do last = await sample(1);
    while (performance.now() + last < end);
    return last;
  }

  /** Milliseconds per call, over `repetitions` calls in a row. */
  async function sample(repetitions) {
    return timePerCall(call.run, repetitions);
  }

  /** The result of the last call, [H, Tq, D]; or these rows of it, where all are finite: a large one as a whole is too much to send. */
  async function output(rows) {
    const whole = await call.output();
    if (rows === null) return whole;
    const strange = whole.findIndex((x) => !Number.isFinite(x));
    if (strange >= 0) throw new Error(`wrong result: ${whole[strange]} in row ${Math.floor(strange / width)}`);
    const some = new Float32Array(rows.length * width);
    rows.forEach((row, n) => some.set(whole.subarray(row * width, (row + 1) * width), n * width));
    return some;
  }

  function memory() {
    return wasmBytes();
  }

  /** Milliseconds from an instance not yet made to a first small result, with code and wasm bytes there already. */
  async function start({ module, options, threads }) {
    const { start } = await import(`./contestants/${module}.mjs`);
    return await start({ threads, options: options ?? {}, environment });
  }

  /** Makes a layer's arrays, hands them over and returns the first result. */
  async function prepareLayer({ id, by, threads }) {
    contestant ??= by === 'fovea' ? await loadKit(threads) : await loadOnnxruntime(threads);
    call = by === 'fovea' ? prepareFovea(contestant, id, numbers) : await prepareGraph(contestant, id, numbers);
    await call.run();
    return call.output();
  }

  /** Makes a task of training, in the way of one package. */
  async function prepareTraining({ kind, id, way, threads }) {
    const { openTraining } = await import(`./contestants/training/${way.replace(/-.*/, '')}.mjs`);
    contestant ??= await openTraining({ way, threads, environment });
    call = await contestant[kind](id);
  }

  async function loadKit(threads) {
    const [{ load }, ops, { score, normalizer, multiDimensionalAttention }] = await Promise.all(
      ['fovea', 'foveaOps', 'foveaScore'].map((name) => import(environment[name])),
    );
    return { fovea: await load({ threads }), ops, score, normalizer, multiDimensional: multiDimensionalAttention };
  }

  async function loadOnnxruntime(threads) {
    const { start } = await import('./contestants/onnxruntime.mjs');
    return start(threads, environment);
  }

  /** Times of slow inputs of fovea and of ordinary ones beside them. */
  async function cliffs({ ids, threads }) {
    const [{ load }, ops, { score }, linear, cache] = await Promise.all(
      ['fovea', 'foveaOps', 'foveaScore', 'foveaLinear', 'foveaCache'].map((name) => import(environment[name])),
    );
    const fovea = await load({ threads });
    return measureCliffs(makeKit({ fovea, ops, score, linear, cache }, numbers), ids);
  }

  /** Makes a decoder's weights and its ways of one package. */
  async function openOneDecoder({ id, by, threads }) {
    const [{ load }, ops, cache, nn, position] = await Promise.all(
      ['fovea', 'foveaOps', 'foveaCache', 'foveaModules', 'foveaPosition'].map((name) => import(environment[name])),
    );
    const kit = { fovea: await load({ threads }), ops, cache, nn, position };
    if (by !== 'fovea') kit.ort = await loadOnnxruntime(threads);
    decoder = await openDecoder(kit, id, by);
  }

  /** Loads a model of the folders in the ways of one package. */
  async function openOneModel({ id, ...task }) {
    const { openModel } = await import('./contestants/models.mjs');
    model = await openModel(modelOf(id), { ...task, environment });
  }

  /** Milliseconds per call of a model, over `repetitions` calls in a row. */
  async function modelTimes(way, input, repetitions) {
    return timePerCall(() => model[way].run(input), repetitions);
  }

  /** Measures the machine's limits, for about `milliseconds` each: { mulAdd, madd } in GFLOP/s, { read } in GB/s. */
  async function limits(milliseconds) {
    return await contestant.measure(milliseconds);
  }
}

/** Milliseconds per call, over `repetitions` calls in a row; calls that give no promise are not waited for. */
async function timePerCall(run, repetitions) {
  const start = performance.now();
  for (let i = 0; i < repetitions; ++i) {
    const pending = run();
    if (pending !== undefined) await pending;
  }
  return (performance.now() - start) / repetitions;
}
