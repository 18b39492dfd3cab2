import type { Fovea } from 'fovea';
import type { Pattern } from 'fovea/pattern';

/** The width of the queries, keys and values that are timed. */
export const WIDTH = 64;

/** Milliseconds of one call. */
export interface Timing {
  readonly lower: number;
  readonly median: number;
  readonly upper: number;
  /** Each is the mean of as many calls as the clock can tell from none. */
  readonly runs: number;
}

export interface Measurement {
  readonly dense: Timing;
  readonly sparse: Timing;
  /** The smallest step that the clock was seen to make, in milliseconds. */
  readonly resolution: number;
  /** Whether the page is cross-origin isolated, which makes the clock finer. */
  readonly isolated: boolean;
}

/** All runs of one kind together last at least so long, in milliseconds. */
const TOTAL = 50;
const LEAST_RUNS = 9;
/** Long calls: this many runs are enough once they have lasted this long together, in milliseconds. */
const [FEW_RUNS, LONG_TOTAL] = [3, 900];
/** A run lasts so many steps of the clock, and a task of the page no longer than this unless one call does. */
const [STEPS, LONGEST] = [20, 20];

const now = (): number => performance.now();
/** Lets the page draw and answer between two runs. */
const pause = (): Promise<void> => new Promise((done) => setTimeout(done));

function clockStep(): number {
  const start = now();
  let next = start;
  while (next === start) next = now();
  return next - start;
}

/** The smallest step that the clock is seen to make, in milliseconds. */
export async function smallestStep(): Promise<number> {
  let least = Infinity;
  for (let tries = 0; tries < 5; tries++) {
    least = Math.min(least, clockStep());
    await pause();
  }
  return least;
}

function timed(call: () => void, repeats: number): number {
  const start = now();
  for (let i = 0; i < repeats; i++) call();
  return (now() - start) / repeats;
}

/** Runs in tasks of their own until they are enough; null once `signal` says so. */
export async function timingOf(call: () => void, resolution: number, signal: AbortSignal): Promise<Timing | null> {
  // The first call compiles the pattern and finds memory; the second tells about how long one takes.
  call();
  await pause();
  const once = Math.max(timed(call, 1), resolution / 10);
  const repeats = Math.max(1, Math.min(Math.ceil((STEPS * resolution) / once), Math.floor(LONGEST / once)));
  const runs: number[] = [];
  const isEnough = (spent: number): boolean => spent >= TOTAL && runs.length >= (spent >= LONG_TOTAL ? FEW_RUNS : LEAST_RUNS);
  for (let spent = 0; !isEnough(spent);) {
    await pause();
    if (signal.aborted) return null;
    const each = timed(call, repeats);
    runs.push(each);
    spent += Math.max(each * repeats, resolution);
  }
  runs.sort((a, b) => a - b);
  const at = (part: number): number => runs[Math.round(part * (runs.length - 1))] ?? NaN;
  return { lower: at(0.25), median: at(0.5), upper: at(0.75), runs: runs.length };
}

/**
 * Times attention of n random tokens over all pairs and over `patterns`, one call after the other. Null when the page was hidden on the way, as its
 * timers then stand still, or when `stop` says so.
 */
export async function measure(
  fovea: Fovea,
  n: number,
  patterns: readonly Pattern[],
  stop: AbortController,
): Promise<Measurement | null> {
  const onhidden = (): void => {
    if (document.hidden) stop.abort();
  };
  document.addEventListener('visibilitychange', onhidden);
  onhidden();
  const x = fovea.tensor({ data: Float32Array.from({ length: n * WIDTH }, () => Math.random() - 0.5), shape: [n, WIDTH] });
  try {
    const resolution = await smallestStep();
    const dense = await timingOf(() => fovea.scope(() => void fovea.attention(x, x, x)), resolution, stop.signal);
    const sparse =
      dense &&
      (await timingOf(
        () => patterns.forEach((pattern) => fovea.scope(() => void fovea.attention(x, x, x, { pattern }))),
        resolution,
        stop.signal,
      ));
    return dense && sparse ? { dense, sparse, resolution, isolated: crossOriginIsolated } : null;
  } finally {
    document.removeEventListener('visibilitychange', onhidden);
    x.dispose();
  }
}
