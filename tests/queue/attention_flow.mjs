// Attention over keys that no one machine holds, and batches of documents, as flows of BullMQ on Redis. Children attend to their shard of the keys, or to
// their document; the parent joins what they return. Jobs are named by a hash of what they compute, so that asking twice computes once, and a job that is
// done again, because its worker died, gives the same bytes (`deterministic`).

import { createHash } from 'node:crypto';
import { FlowProducer, Job, Queue, QueueEvents, Worker } from 'bullmq';
import { load } from 'fovea';

const PARTS = 'attention-parts';
const RESULTS = 'attention-results';

/** An array as JSON holds it. Every machine that runs WebAssembly in a browser or in Node is little-endian. */
export const pack = ({ data, shape }) => ({ shape, data: Buffer.from(Float32Array.from(data).buffer).toString('base64') });
export const unpack = ({ data, shape }) => ({
  shape,
  data: new Float32Array(new Uint8Array(Buffer.from(data, 'base64')).buffer),
});

/** Retries wait 0.2, 0.4, 0.8, … seconds. Results are kept for an hour: asked for again, they are there. A part that fails for good fails the whole. */
const JOB = {
  attempts: 5,
  backoff: { type: 'exponential', delay: 200 },
  removeOnComplete: { age: 3600 },
  removeOnFail: { age: 3600 },
};
const PART = { ...JOB, failParentOnFailure: true };

const idOf = (...what) => createHash('sha256').update(JSON.stringify(what)).digest('hex');

/** The side that asks. */
export class Attention {
  constructor(connection) {
    this.flows = new FlowProducer({ connection });
    this.parts = new Queue(PARTS, { connection });
    this.results = new Queue(RESULTS, { connection });
    this.events = new QueueEvents(RESULTS, { connection });
  }

  /**
   * Computes fovea.attention(q, all keys, all values, options), of which no machine holds all keys.
   *
   * @param q [..., Tq, D]
   * @param shards `{ name, version, first, keys }` of each, in the order of its keys: its name for `loadShard`, a version that changes with its contents, the
   *   position of its first key, and how many it has
   * @param options plain JSON: scale, causal, causalOffset, window, softcap, …; options whose arrays belong to keys belong into the shard
   */
  async attend(q, shards, options = {}) {
    const query = pack(q);
    const parts = shards.map((shard) => {
      const own = 'causal' in options || 'window' in options ? { causalOffset: (options.causalOffset ?? 0) - shard.first } : {};
      return { query, shard, options: { ...options, ...own } };
    });
    const { output, lse } = await this.#ask('combine', 'shard', parts);
    return { output: unpack(output), lse: unpack(lse) };
  }

  /** Self-attention of each document, in the order given: `{ name, version }` of each, its name for `loadDocument`. */
  async attendDocuments(documents, options = {}) {
    const parts = documents.map((document) => ({ document, options }));
    const outputs = await this.#ask('collect', 'document', parts);
    return outputs.map(unpack);
  }

  /** A flow: `kind` for each part, then `name` for what they return. Asked for twice, the second finds the first, unless that has failed. */
  async #ask(name, kind, parts) {
    const jobId = idOf(name, kind, parts);
    let job = await Job.fromId(this.results, jobId);
    if (await job?.isFailed()) {
      await job.remove({ removeChildren: true });
      job = undefined;
    }
    if (job === undefined) {
      // A part's id has its parent's: a job of BullMQ reports to one parent.
      const ids = parts.map((_, n) => `${jobId}-${n}`);
      const children = parts.map((data, n) => ({ name: kind, queueName: PARTS, data, opts: { ...PART, jobId: ids[n] } }));
      ({ job } = await this.flows.add({ name, queueName: RESULTS, data: { parts: ids }, opts: { ...JOB, jobId }, children }));
    }
    try {
      return await job.waitUntilFinished(this.events);
    } catch (error) {
      const all = await Promise.all(parts.map((_, n) => Job.fromId(this.parts, `${jobId}-${n}`)));
      const reasons = all.flatMap((part) => part?.failedReason ?? []);
      throw reasons.length > 0 ? new Error(`${kind}: ${reasons.join('; ')}`, { cause: error }) : error;
    }
  }

  async close() {
    await Promise.all([this.flows, this.parts, this.results, this.events].map((one) => one.close()));
  }
}

/**
 * The side that computes: one process on each machine. A worker that dies holds its job's lock no longer than `lockDuration`; then another takes the job.
 *
 * @param loadShard name → `{ keys, values }`, from this machine's disk, say with readSafetensors
 * @param loadDocument name → `[T, D]`
 */
export async function startWorkers({ connection, loadShard, loadDocument, lockDuration = 30_000, concurrency = 1 }) {
  const fovea = await load({ deterministic: true });
  const compute = {
    async shard({ data: { query, shard, options } }) {
      const { keys, values } = await loadShard(shard.name);
      const { output, lse } = fovea.attention(unpack(query), keys, values, { ...options, returnLse: true });
      return { output: pack(output), lse: pack(lse) };
    },
    async document({ data: { document, options } }) {
      const x = await loadDocument(document.name);
      return pack(fovea.attention(x, x, x, options).output);
    },
    async combine(job) {
      const parts = await childrenOf(job);
      const { output, lse } = fovea.combine(parts.map((part) => ({ output: unpack(part.output), lse: unpack(part.lse) })));
      return { output: pack(output), lse: pack(lse) };
    },
    collect: childrenOf,
  };
  const settings = { connection, concurrency, lockDuration, stalledInterval: lockDuration, maxStalledCount: 10 };
  const workers = [PARTS, RESULTS].map((queue) => new Worker(queue, (job) => compute[job.name](job), settings));
  return {
    workers,
    close: async () => {
      await Promise.all(workers.map((worker) => worker.close()));
      fovea.dispose();
    },
  };
}

/** The children's results in the order of the parts, so that sums do not depend on which child ends first. */
async function childrenOf(job) {
  const byKey = Object.entries(await job.getChildrenValues());
  return job.data.parts.map((id) => byKey.find(([key]) => key.endsWith(`:${id}`))[1]);
}
