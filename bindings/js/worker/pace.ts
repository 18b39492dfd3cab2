/** Slices that each take about as long as was asked for. */
import { MIN_BITWISE_ROWS } from '../attention/request/slice_request.ts';
import type { Pace } from './slices.ts';

/** Queries that share one packing of the keys in the core: longer slices are a multiple of it. */
const SHARED_ROWS = 128;

/** Multiply-adds in a millisecond, on one thread of a CPU of 2020. */
const WORK_PER_MILLISECOND = 1e7;

export function timedPace(sliceTime: number, threads: number): Pace {
  return {
    now: () => performance.now(),
    // The clock may be coarse, and the next rows dearer: never more than four times as many.
    nextRows(rows, milliseconds) {
      const fitting = milliseconds > 0 ? (rows * sliceTime) / milliseconds : Infinity;
      const most = Math.min(fitting, 4 * rows);
      return most < SHARED_ROWS || sliceTime === 0 ? MIN_BITWISE_ROWS : Math.floor(most / SHARED_ROWS) * SHARED_ROWS;
    },
    mostWork: sliceTime * threads * WORK_PER_MILLISECOND,
  };
}
