/** `fovea bench`: how long attention, or a mechanism, takes on this machine. */
import { load, type Fovea } from 'fovea';
import { list, run as runMechanism } from 'fovea/catalog';
import { findEntry, readCall } from './arguments.ts';
import {
  ARGUMENTS,
  countOf,
  isSet,
  listOf,
  LOADING,
  loadOptionsOf,
  readCommandLine,
  textOf,
  type Given,
} from './command_line.ts';
import { UsageError } from './failure.ts';
import { digits, print, progressOf, type Progress } from './output.ts';
import { writeJson } from './text_formats.ts';

export const benchUsage = `fovea bench [MECHANISM] [--tokens 1024] [--heads 8] [--width 64] [--causal] [--seconds 2]

Times fovea.attention, arrays in and out, or a mechanism of the catalog on its example or on --input and --param.
One call warms up, then calls are timed one by one until the seconds are over, at least 5 and at most 1000 of them.
Printed: the median, the quartiles and the number of calls. Other work on the machine makes them longer.

      --tokens N, --heads N, --width N, --causal   the call of attention
      --seconds N          how long to measure
      --threads N|auto, --variant NAME, --deterministic   as of load()
      --json               all of it as JSON, each time too`;

const LEAST = 5;
const MOST = 1000;

interface Timed {
  readonly call: string;
  /** Multiply-adds count as two; undefined where they are not known. */
  readonly operations: number | undefined;
  readonly run: () => void;
}

export async function bench(args: readonly string[]): Promise<void> {
  const number = { type: 'string' } as const;
  const sizes = { tokens: number, heads: number, width: number, causal: { type: 'boolean' } } as const;
  const given = readCommandLine(args, { ...ARGUMENTS, ...LOADING, ...sizes, seconds: number }, 1);
  if (isSet(given, 'help')) return print(benchUsage);
  const seconds = countOf(given, 'seconds', 2);
  const progress = progressOf(isSet(given, 'quiet'));
  const fovea = await load(loadOptionsOf(given));
  try {
    const timed = await prepare(fovea, given, progress);
    progress(`${timed.call}: ${seconds} s (${fovea.info.variant}, threads ${fovea.info.threads})`);
    const times = measure(timed.run, seconds * 1000);
    const [first, median, third] = [0.25, 0.5, 0.75].map((share) => quantile(times, share)) as [number, number, number];
    const rate = timed.operations === undefined ? undefined : timed.operations / median / 1e6;
    const { variant, threads, version } = fovea.info;
    const runtime = `Node ${process.versions.node}, ${process.platform} ${process.arch}`;
    if (isSet(given, 'json')) {
      const result = {
        call: timed.call,
        version,
        variant,
        threads,
        runtime,
        median,
        quartiles: [first, third],
        runs: times.length,
      };
      return print(writeJson({ ...result, ...(rate === undefined ? {} : { gflops: rate }), milliseconds: times }));
    }
    print(`${timed.call}
median ${digits(median)} ms, quartiles ${digits(first)} and ${digits(third)} ms, ${times.length} calls${rate === undefined ? '' : `, ${digits(rate)} GFLOP/s`}
fovea ${version}, ${variant}, threads ${threads}, ${runtime}`);
  } finally {
    fovea.dispose();
  }
}

async function prepare(fovea: Fovea, given: Given, progress: Progress): Promise<Timed> {
  const [name] = given.words;
  if (name === undefined) return attentionCall(fovea, given);
  const entry = findEntry(list(), name);
  const { inputs, params, options } = await readCall(entry, given, progress);
  const what = inputs === undefined ? 'its example' : 'the inputs given';
  const run = () => void runMechanism(fovea, entry.id, inputs, params, options);
  return { call: `${entry.id} with its trace, ${what}`, operations: undefined, run };
}

function attentionCall(fovea: Fovea, given: Given): Timed {
  if (['input', 'param', 'option'].some((name) => listOf(given, name).length > 0) || textOf(given, 'from') !== undefined)
    throw new UsageError('bench takes --input, --param, --option and --from beside the id of a mechanism');
  const [tokens, heads, width] = [countOf(given, 'tokens', 1024), countOf(given, 'heads', 8), countOf(given, 'width', 64)];
  const causal = isSet(given, 'causal');
  const shape = [heads, tokens, width];
  const [q, k, v] = [1, 2, 3].map((seed) => ({ data: noise(heads * tokens * width, seed), shape })) as [never, never, never];
  const pairs = causal ? (tokens * (tokens + 1)) / 2 : tokens * tokens;
  return {
    call: `attention, heads ${heads}, tokens ${tokens}, width ${width}${causal ? ', causal' : ''}`,
    operations: 4 * heads * pairs * width,
    run: () => void fovea.attention(q, k, v, { causal }),
  };
}

/** Numbers between -1 and 1 that are the same for a seed everywhere (a linear congruential generator). */
function noise(length: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

function measure(run: () => void, budget: number): number[] {
  run();
  const times: number[] = [];
  const begin = performance.now();
  while (times.length < LEAST || (times.length < MOST && performance.now() - begin < budget)) {
    const start = performance.now();
    run();
    times.push(performance.now() - start);
  }
  return times;
}

/** Between the two nearest ranks, as NumPy's default. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(rank)] as number, sorted[Math.ceil(rank)] as number];
  return low + (high - low) * (rank - Math.floor(rank));
}
