// One shape in one engine, or a group of shapes: all contestants open at once, checked, then timed in turns.

import { limits as limitsContestant } from './contestants/index.mjs';
import { EncoderChecker } from './encoder.mjs';
import { fewTokens, LinearChecker } from './linear.mjs';
import { Checker } from './reference.mjs';
import { summary } from './stats.mjs';

/**
 * @typedef {object} Effort - how long to measure
 * @property {number} rounds - turns that each contestant takes at most
 * @property {number} fewest - and at least
 * @property {number} budget - milliseconds per contestant and shape, the first calls not counted
 * @property {number} warmUp - milliseconds of calls before the first turn
 * @property {number} turn - milliseconds of a turn at least: short calls are repeated
 */

const settleTime = 25;
const limitTime = 12;

/**
 * @param {object} task
 * @param {{ shape: object, contestants: object[] }[]} task.entries - which are measured with each shape
 * @returns {Promise<{ shape: string, limits: Record<string, object>, results: Record<string, object> }[]>} for each shape: its
 *   name; limits by kind, in GFLOP/s and GB/s, the same for all; results by contestant, either { failure } or { median, q1, q3, least, most, samples, first, before,
 *   bytes, error, cosine (of encoders), threads, variant, note }, times in milliseconds, wasm memory before the first call and at the end in bytes
 */
export async function measureTogether({ engine, entries, threads, effort }) {
  const machine = await openPage(engine, limitsContestant, limitsContestant.id, threads);
  const sessions = await Promise.all(
    entries.flatMap(({ shape, contestants }) => {
      const checker = checkerOf(shape);
      return contestants.map((contestant) => openSession({ engine, contestant, shape, checker, threads }));
    }),
  );
  const each = async (step) => {
    for (const session of sessions) await attempt(session, step);
  };
  try {
    await each(firstCall);
    await each((session) => warmUp(session, effort));
    const rates = await takeTurns(sessions, machine, threads, effort);
    await each(check);
    await each(({ id, checker }) => checker.accused.get(id));
    await each(checkFewTokens);
    return entries.map(({ shape }) => {
      const those = sessions.filter((session) => session.shape === shape);
      return { shape: shape.id, limits: rates, results: Object.fromEntries(those.map((one) => [one.id, resultOf(one)])) };
    });
  } finally {
    await Promise.all([machine, ...sessions.map(({ page }) => page)].map((page) => page?.close().catch(() => {})));
  }
}

async function openPage(engine, { module, options }, name, threads) {
  const page = await engine.open(name);
  try {
    page.info = await page.call('load', { module, options, threads });
    return page;
  } catch (error) {
    await page.close();
    throw error;
  }
}

async function openSession({ engine, contestant, shape, checker, threads }) {
  const { id, spins, int8 } = contestant;
  const session = { id, spins, int8, shape, checker, samples: [], error: 0, page: null, failure: null };
  await attempt(session, async () => {
    session.page = await openPage(engine, contestant, `${id}-${shape.id}`, threads);
    await session.page.call('prepare', shape);
  });
  return session;
}

/** Does one step with a session that has not failed. An error, or a complaint that the step returns, is its failure. */
async function attempt(session, step) {
  if (session.failure !== null) return;
  try {
    session.failure = (await step(session)) ?? null;
  } catch (error) {
    session.failure = reasonOf(error);
  }
}

async function firstCall(session) {
  session.before = await session.page.call('memory');
  session.first = await session.page.call('first');
  return await check(session);
}

async function check(session) {
  const output = await session.page.output(session.checker.rows);
  const { error, cosine, complaint } = session.checker.check(session.id, output, session.int8);
  session.error = Math.max(session.error, error);
  session.cosine = cosine;
  return complaint;
}

/** Linear attention once more, with so few tokens that every one can be held against the definition. */
async function checkFewTokens({ id, shape, page }) {
  if (shape.linear === null) return null;
  const few = fewTokens(shape);
  await page.call('prepare', few);
  await page.call('first');
  const { complaint } = checkerOf(few).check(id, await page.output(null));
  return complaint && `with ${few.queries} tokens: ${complaint}`;
}

function checkerOf(shape) {
  if (shape.encoder !== null) return new EncoderChecker(shape);
  return shape.linear === null ? new Checker(shape) : new LinearChecker(shape);
}

/** A call that takes long has been warmed up by its first one. */
async function warmUp(session, effort) {
  const { warmUp, rounds, fewest, budget, turn } = effort;
  const call = session.first > 5 * warmUp ? session.first : await session.page.call('warmUp', warmUp);
  session.repetitions = Math.max(1, Math.ceil(turn / call));
  session.turns = Math.min(rounds, Math.max(fewest, Math.floor(budget / Math.max(call, turn))));
}

/**
 * Round by round, each contestant once, starting with another one each time. A contestant with long calls takes part in fewer
 * rounds, spread over all of them. The limits are measured in every round.
 */
async function takeTurns(sessions, machine, threads, effort) {
  const rates = {};
  for (let round = 0; round < effort.rounds; ++round) {
    for (const [kind, rate] of Object.entries(await machine.call('limits', limitTime))) (rates[kind] ??= []).push(rate);
    for (let i = 0; i < sessions.length; ++i) {
      const session = sessions[(i + round) % sessions.length];
      if (session.failure !== null || !takesPart(session.turns, round, effort.rounds)) continue;
      await attempt(session, takeTurn);
      if (session.spins && threads > 1) await new Promise((resolve) => setTimeout(resolve, settleTime));
    }
  }
  return Object.fromEntries(Object.entries(rates).map(([kind, values]) => [kind, summary(values)]));
}

/** Spreads `turns` evenly over all rounds. */
export function takesPart(turns, round, rounds) {
  return Math.floor(((round + 1) * turns) / rounds) > Math.floor((round * turns) / rounds);
}

async function takeTurn(session) {
  session.samples.push(await session.page.call('sample', session.repetitions));
  session.bytes = await session.page.call('memory');
}

function resultOf({ failure, samples, first, before, bytes, error, cosine, page }) {
  return failure === null ? { ...summary(samples), first, before, bytes, error, cosine, ...page.info } : { failure };
}

/** The first line of an error's message, without where it was thrown, in C++ neither. */
function reasonOf(error) {
  return String(error?.message ?? error)
    .split('\n')[0]
    .replace(/^(Error: )+/, '')
    .replace(/\/\S+\.(h|cc):\d+ .*?\) (?=[A-Z])/, '')
    .slice(0, 300);
}
