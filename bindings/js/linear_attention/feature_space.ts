/**
 * φ(Q) and φ(K) of a call as rows in wasm memory, and the same update rule run on them with any values.
 * Values of one-hot rows give the similarity of each key, values of 1 the denominator.
 */
import { FEATURES_BLOCK } from '../../../build/generated/blocks/features.ts';
import { LINEAR_BLOCK, type LinearBlock } from '../../../build/generated/blocks/linear.ts';
import { contiguousPtr, type StridedPtr } from '../call/strided_ptr.ts';
import type { CallArena } from '../call/call_arena.ts';
import { NULL_PTR, type Ptr } from '../call/ptr.ts';
import type { Operand } from '../tensor/operands.ts';
import { NO_STATE, planRun, type BoundLinearAttention, type StatePtrs } from './run.ts';
import { planState } from './states.ts';

/** Values, and the state that is before them. */
export interface Values {
  readonly v: StridedPtr;
  readonly width: number;
  /** [B, Hkv, F, width], whatever axes it is given with. */
  readonly initial: Operand | null;
}

export class FeatureSpace {
  readonly q: StridedPtr;
  readonly k: StridedPtr;
  readonly #arena: CallArena;
  readonly #placed: BoundLinearAttention;

  constructor(arena: CallArena, placed: BoundLinearAttention) {
    const { sizes, features } = placed.call;
    const { batch, heads, kvHeads, queries, keys } = sizes;
    const reserve = (rowHeads: number, tokens: number): StridedPtr =>
      contiguousPtr(arena.reserveFloats(batch * rowHeads * tokens * features.count), batch, rowHeads, tokens, features.count);
    this.#arena = arena;
    this.#placed = placed;
    this.q = reserve(heads, queries);
    this.k = reserve(kvHeads, keys);
    arena.steps.push({ operation: null, run: () => this.#writeFeatures() });
  }

  /** Plans what the queries read: [B, H, Tq, width]. */
  read(values: Values): StridedPtr {
    const { batch, heads, queries } = this.#placed.call.sizes;
    const rows = contiguousPtr(
      this.#arena.reserveFloats(batch * heads * queries * values.width),
      batch,
      heads,
      queries,
      values.width,
    );
    const fields = (): LinearBlock => this.#fields(values);
    planRun(this.#arena, { ...this.#placed, fields }, rows, this.#begin(values));
    return rows;
  }

  /** Plans the state [B, Hkv, F, width] after each token, or where there is no order after all: `visit` is shown each. */
  history(values: Values, visit: (state: Float32Array, token: number) => void): void {
    const { call } = this.#placed;
    const { sizes, causal, keyLengths } = call;
    const { batch, heads, kvHeads, queries, keys } = sizes;
    const state = this.#begin(values, true);
    const scratch = this.#arena.reserveFloats(batch * heads * queries * values.width);
    const lengths = this.#arena.reserve(4 * batch);
    const run = (): void => {
      const { heap } = this.#arena;
      for (let t = 0; t < (causal ? keys : 1); t++) {
        const fields = { ...this.#fields(values), output: scratch.address, s: state.s.address };
        if (causal) {
          heap
            .integers(lengths.address, batch)
            .set(Array.from({ length: batch }, (_, b) => Number(t < (keyLengths?.[b] ?? keys))));
          narrowToToken(fields, t, lengths);
        }
        if (values.width * batch * kvHeads > 0) this.#arena.run('linearAttention', LINEAR_BLOCK, fields);
        visit(heap.floats(state.s.address, batch * kvHeads * call.features.count * values.width), t);
      }
    };
    this.#arena.steps.push({ operation: null, run });
  }

  #begin({ width, initial }: Values, always = false): StatePtrs {
    if (initial === null && !always) return NO_STATE;
    const { sizes, features } = this.#placed.call;
    const axes = { batch: true, heads: true };
    const plain = { count: features.count, stabilized: false };
    const state = { ...sizes, axes, valueWidth: width, features: plain, normalize: false };
    return planState(this.#arena, state, initial === null ? null : [initial], null).ptrs;
  }

  #fields({ v, width }: Values): LinearBlock {
    const { q, k } = this;
    // prettier-ignore
    return {
      ...this.#placed.fields(),
      width: this.#placed.call.features.count, valueWidth: width,
      q: q.ptr.address, qBatch: q.batchStride, qHead: q.headStride, qToken: q.tokenStride,
      k: k.ptr.address, kBatch: k.batchStride, kHead: k.headStride, kToken: k.tokenStride,
      v: v.ptr.address, vBatch: v.batchStride, vHead: v.headStride, vToken: v.tokenStride,
      featureMap: 0, randomFeatures: 0, projection: 0, normalize: 0, queryScale: 1, keyScale: 1, outputScale: 1, eps: 0,
    };
  }

  /** Head by head, as the stabilizer of keys is one of those that count; features of padding are 0. */
  #writeFeatures(): void {
    const { call, fields, q, k } = this.#placed;
    const { batch, heads, kvHeads, queries, keys } = call.sizes;
    const F = call.features.count;
    const { width, featureMap, randomFeatures, projection, queryScale, keyScale } = fields();
    const common = { width, featureMap, randomFeatures, projection };
    const write = (
      from: StridedPtr,
      to: StridedPtr,
      b: number,
      h: number,
      rows: number,
      scale: number,
      shared: number,
    ): void => {
      if (rows === 0) return;
      const x = from.ptr.address + 4 * (b * from.batchStride + h * from.headStride);
      const y = to.ptr.address + 4 * (b * to.batchStride + h * to.headStride);
      this.#arena.run('featureRows', FEATURES_BLOCK, {
        ...common,
        rows,
        x,
        xRow: from.tokenStride,
        scale,
        shared,
        y,
      });
    };
    this.#arena.heap.floats(this.k.ptr.address, batch * kvHeads * keys * F).fill(0);
    for (let b = 0; b < batch; b++) {
      for (let h = 0; h < heads; h++) write(q, this.q, b, h, queries, queryScale, 0);
      for (let h = 0; h < kvHeads; h++) write(k, this.k, b, h, call.keyLengths?.[b] ?? keys, keyScale, 1);
    }
  }
}

/** The fields of the call for token t alone, whose keys count or do not by `lengths`. */
function narrowToToken(fields: LinearBlock, t: number, lengths: Ptr): void {
  fields.queries = 1;
  fields.keys = 1;
  fields.keyLengths = lengths.address;
  for (const name of ['q', 'k', 'v', 'decay', 'beta'] as const)
    if (fields[name] !== NULL_PTR.address) fields[name] += 4 * t * fields[`${name}Token`];
}
