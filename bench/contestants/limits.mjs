// The limits of the machine, by limits.cpp, on one worker per thread.

import { startWorker } from '../engines/workers.mjs';

export async function load({ threads, environment }) {
  const url = new URL('../limits/worker.mjs', import.meta.url);
  const workers = await Promise.all(Array.from({ length: threads }, () => startWorker(url)));
  const ready = await Promise.all(workers.map((worker) => worker.ask({ load: environment.limits })));
  const kinds = ready[0];
  return { info: { threads, variant: kinds.join(' ') }, measure };

  /** All workers at once; what they did adds up. */
  async function measure(milliseconds) {
    const rates = {};
    for (const kind of kinds) {
      const parts = await Promise.all(workers.map((worker) => worker.ask({ kind, milliseconds })));
      rates[kind] = parts.reduce((a, b) => a + b);
    }
    return rates;
  }
}
