// Checks that every browser engine must pass; each smoke test drives one engine through `look`.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { load } from 'fovea';
import { list, run } from 'fovea/catalog';
import { linearAttention } from 'fovea/linear-attention';
import * as ops from 'fovea/ops';
import * as nn from 'fovea/nn';
import { normalizer } from 'fovea/score';
import * as train from 'fovea/train';
import { measure } from '../stress/numerics_cases.mjs';
import { trainedDecoder } from '../stress/trained_decoder.mjs';
import { NOWHERE, root } from './support.mjs';

/**
 * @typedef {{
 *   open: (url: string) => Promise<void>,
 *   evaluate: (script: string) => Promise<any>, the value of an expression or of its promise, in the page
 * }} Look
 */

/** Waits until an expression is true in the page. */
async function until(look, expression) {
  for (let tries = 0; tries < 100; tries++) {
    if (await look.evaluate(`Boolean(${expression})`)) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`never true: ${expression}; the page reads: ${await look.evaluate('document.body.innerText.slice(0, 600)')}`);
}

const textOf = (selector) =>
  `(document.querySelector(${JSON.stringify(selector)})?.textContent.replace(/\\s+/g, ' ').trim() ?? '')`;

export async function pageShowsWorkedExample(look, url) {
  await look.open(`${url}#/self-attention?lang=en&notation=rows`);
  await until(look, `${textOf('[data-row-sum]')}.includes('0.0634 + 0.4683 + 0.4683 = 1')`);
  assert.match(await look.evaluate(textOf('footer')), /simd128, deterministic/);
  // A stage is drawn where it is near the window.
  await look.evaluate(`document.querySelector('[data-trace-stage=weights]').scrollIntoView()`);
  await until(look, `document.querySelector('[data-trace-stage=weights] [data-matrix=weights] canvas')`);
  const drawn = await look.evaluate(`(() => {
    const canvas = document.querySelector('[data-trace-stage=weights] [data-matrix=weights] canvas');
    return new Set(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data).size;
  })()`);
  assert.ok(drawn > 20, `the heatmap has ${drawn} different bytes`);
}

/** Not only the same to some digits: every bit of what Node computes. */
export async function pageShowsSameBits(look) {
  await look.evaluate(
    `[...document.querySelectorAll('[role=switch]')].find((input) => input.parentElement.textContent.includes('All digits')).click()`,
  );
  await until(look, `${textOf('[data-value]')}.length > 8`);
  const shown = await look.evaluate(
    `[...document.querySelectorAll('[data-trace-stage=weights] [data-table=weights] tbody td')].map((cell) => cell.textContent)`,
  );
  const { X, ...params } = JSON.parse(await readFile(`${root}tests/golden/seed/worked_example.json`, 'utf8')).inputs;
  const fovea = await load({ deterministic: true });
  const { weights } = fovea.selfAttention(X, params, { scale: 1, returnWeights: true });
  assert.deepEqual(
    shown.map((cell) => Math.fround(Number(cell.replace('−', '-')))),
    [...weights.data],
  );
}

export async function pageTakesText(look, url) {
  await look.open('about:blank');
  await look.open(
    `${url}#/self-attention?lang=zh&input=text&head=pronoun&text=${encodeURIComponent('猫追老鼠，因为它饿了')}&split=character`,
  );
  await until(look, `document.querySelectorAll('.sentence li').length === 10`);
  const shares = await look.evaluate(
    `[...document.querySelectorAll('.sentence li')].map((item) => item.textContent.replace(/\\s+/g, ''))`,
  );
  assert.deepEqual(shares[0], '猫0.50'); // by character, 鼠 is the other animate noun
  assert.deepEqual(shares[3], '鼠0.50');
}

/** `load()` takes the best build that the engine can run, and its numbers are true. */
export async function packageRuns(look, url, variant) {
  await look.open(url);
  await until(look, 'window.fovea');
  const { inputs, outputs } = JSON.parse(await readFile(`${root}tests/golden/seed/worked_example.json`, 'utf8'));
  const result = await look.evaluate(`window.fovea.load().then((fovea) => {
    const { X, ...params } = ${JSON.stringify(inputs)};
    const { output } = fovea.selfAttention(X, params, { scale: 1 });
    return { variant: fovea.info.variant, output: [...output.data] };
  })`);
  assert.equal(result.variant, variant);
  outputs.out_unscaled.data.forEach((x, i) => assert.ok(Math.abs(result.output[i] - x) <= 1e-6 * Math.max(1, Math.abs(x))));
}

/** Every operation under hard inputs has the bytes of Node, NaN being one NaN. */
export async function packageHasBytesOfNode(look, url) {
  const want = measure(await load({ deterministic: true }), { ops, linearAttention, normalizer });
  await look.open(url);
  await until(look, 'window.fovea');
  const got = await look.evaluate(`(async () => {
    const [ops, { linearAttention }, { normalizer }, { measure }] = await Promise.all(
      ['dist/ops.web.js', 'dist/linear-attention.web.js', 'dist/score.web.js', 'tests/stress/numerics_cases.mjs'].map(
        (path) => import(new URL(path, location.href).href),
      ),
    );
    return measure(await window.fovea.load({ deterministic: true }), { ops, linearAttention, normalizer });
  })()`);
  assert.equal(got.length, want.length);
  for (const [n, { operation, condition, bytes }] of want.entries())
    assert.equal(got[n].bytes, bytes, `${operation}, ${condition}: other bytes than in Node`);
}

/** Node's result for the decoder, by number of threads: computed once. */
const trained = new Map();
export async function trainedInNode(threads) {
  if (!trained.has(threads)) trained.set(threads, await trainedDecoder(train, nn, threads));
  return trained.get(threads);
}

/** Two hundred steps of training have the bytes of Node with one thread. */
export async function packageTrains(look, url, threads) {
  await look.open(url);
  await until(look, 'window.fovea');
  const got = await look.evaluate(`(async () => {
    const [train, nn, { trainedDecoder }] = await Promise.all(
      ['dist/train.web.js', 'dist/nn.web.js', 'tests/stress/trained_decoder.mjs'].map(
        (path) => import(new URL(path, location.href).href),
      ),
    );
    return trainedDecoder(train, nn, ${threads});
  })()`);
  assert.deepEqual(got, { ...(await trainedInNode(1)), threads });
}

/** Checks `load({ threads: 2 })`, and that it computes the bits of one thread. */
export async function packageWithThreads(look, url) {
  await look.open(url);
  await until(look, 'window.fovea');
  return look.evaluate(`(async () => {
    const x = { data: Float32Array.from({ length: 70 * 16 }, (_, i) => ((i * 2654435761) % 1000) / 500 - 1), shape: [70, 16] };
    const [one, two] = [
      await window.fovea.load({ deterministic: true }),
      await window.fovea.load({ deterministic: true, threads: 2 }),
    ];
    const [want, got] = [one, two].map((fovea) => fovea.attention(x, x, x).output.data);
    const { variant, threads, fallbackReason } = two.info;
    two.dispose();
    return { variant, threads, fallbackReason, same: got.every((y, i) => Object.is(y, want[i])) };
  })()`);
}

/**
 * A long call in a worker has the bits of the plain one, and ends when it is aborted; the worker may have threads.
 *
 * @param {{ tries?: number }} options - how often a worker may stand still while it starts, before that is a failure
 */
export async function packageInWorker(look, url, threads, { tries = 1 } = {}) {
  await look.open(url);
  await until(look, 'window.worker');
  return look.evaluate(`(async () => {
    const make = (...shape) => ({
      data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => ((i * 2654435761) % 1000) / 500 - 1),
      shape,
    });
    const fovea = await window.fovea.load({ deterministic: true });
    const connect = async (left) => {
      try {
        return await window.worker.connect({ deterministic: true, threads: ${threads}, signal: AbortSignal.timeout(30_000) });
      } catch (error) {
        if (error.name !== 'TimeoutError' || left === 1) throw error;
        return connect(left - 1);
      }
    };
    const remote = await connect(${tries});
    const x = make(2, 700, 16);
    const told = [];
    const { output } = await remote.attention(x, x, x, { onProgress: ({ done, total }) => told.push(done / total) });
    const want = fovea.attention(x, x, x).output.data;
    const long = make(8, 8192, 32);
    const controller = new AbortController();
    let last = 0;
    const aborted = await remote
      .attention(long, long, long, {
        signal: controller.signal,
        onProgress: ({ done, total }) => {
          last = done / total;
          controller.abort();
        },
      })
      .then(() => 'finished', (error) => error.name);
    const { live } = await remote.memory();
    const { threads } = remote.info;
    await remote.dispose();
    return { threads, same: output.data.every((y, i) => Object.is(y, want[i])), end: told.at(-1), aborted, early: last < 0.5, live };
  })()`);
}

/** A figure of more cells shows its table when asked. */
const MOST_CELLS = 100;

/** A mechanism of each family, one whose first stage stands in a table. */
function oneAFamily(fovea) {
  const isSmall = (id) => run(fovea, id).trace[0].data.length <= MOST_CELLS;
  // The picture below self_attention is one of its own, which the worked example tests.
  const candidates = list().filter(({ id }) => id !== 'self_attention' && isSmall(id));
  return [...new Map(candidates.map(({ family, id }) => [family, id])).values()];
}

/** A page of every family: the first number of its first stage is the package's. */
export async function familiesShowNumbers(look, url) {
  const fovea = await load({ deterministic: true });
  const ids = oneAFamily(fovea);
  assert.equal(ids.length, 9);
  await look.open('about:blank');
  await look.open(`${url}${NOWHERE}?lang=en&notation=rows`);
  for (const id of ids) {
    await look.evaluate(`void (location.hash = ${JSON.stringify(NOWHERE)})`);
    await until(look, `document.querySelector('main [role=alert]') && !document.querySelector('main h1')`);
    await look.evaluate(`void (location.hash = ${JSON.stringify(`#/${id.replaceAll('_', '-')}`)})`);
    const cell = '[data-trace-stage] [data-table] tbody td';
    // A stage is drawn when it comes near the screen.
    await until(look, `(document.querySelector('[data-trace-stage]')?.scrollIntoView(), ${textOf(cell)} !== '')`);
    const [{ data }] = run(fovea, id).trace;
    const text = (await look.evaluate(textOf(cell))).replace('−', '-').replace('∞', 'Infinity');
    const shown = Number(text);
    // Four decimals; very large and very small numbers have two decimals and an exponent.
    const most = text.includes('e') ? 5.1e-3 * Math.abs(data[0]) : 5.1e-5;
    assert.ok(Object.is(shown, data[0]) || Math.abs(shown - data[0]) <= most, `${id}: ${shown} against ${data[0]}`);
  }
}
