/// <reference lib="esnext.disposable" preserve="true" />
/** The state of linear attention, for a step after another. */
import { fail } from '../errors/errors.ts';
import { disposeByUsing, nameClass } from '../errors/inspect.ts';
import { checkInteger, ownProperties, readOptions } from '../errors/options.ts';
import { sizeOf } from '../tensor/shapes.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { NDArray } from '../tensor/array_types.ts';
import { planProjection, type Features } from './features.ts';
import { readLinearAttention } from './linear_attention_call.ts';
import { bindLinearAttention, planRun } from './run.ts';
import { stateSizesOf, toPlain, type StateConfig } from './state_config.ts';
import { StateMemory } from './state_memory.ts';
import { readState } from './states.ts';
import type { LinearStateJSON, LinearAttentionState, StepOptions } from './types.ts';
import type { Instance } from '../runtime/instance.ts';
import { Outputs, readTargets } from '../call/outputs.ts';
import { compute, finish, plan } from '../call/call.ts';
import { gather } from '../tensor/strided.ts';
import { isTensor } from '../tensor/tensor.ts';
import { outputLayout } from '../attention/options/layout.ts';

let create: (instance: Instance, config: StateConfig, features: Features) => LinearState;
let load: (state: LinearState, fn: string, sums: unknown, tokens: number) => void;

/**
 * The state of linear attention in wasm memory: what all tokens so far have left, constant in size. It counts in
 * `fovea.memory().live`; its maker disposes it, and `fovea.scope` leaves it alone.
 *
 * @example
 * import { linearState } from 'fovea/linear-attention';
 * const state = linearState(fovea, { kvHeads: 1, width: 2 });
 * const first = state.step([[[1, 0]]], [[[1, 0]]], [[[5, 6]]]); // [[[5, 6]]]
 * state.dispose();
 */
export class LinearState {
  readonly #instance: Instance;
  readonly #config: StateConfig;
  readonly #features: Features;
  readonly #memory: StateMemory;
  #length = 0;

  static {
    nameClass(LinearState.prototype, 'LinearState', (state) => {
      const { batch, kvHeads, width, valueWidth } = state.#config;
      const sizes = `length ${state.length}, batch ${batch}, kvHeads ${kvHeads}, width ${width}, valueWidth ${valueWidth}`;
      return `LinearState { ${sizes} }`;
    });
    create = (instance, config, features) => new LinearState(instance, config, features);
    load = (state, fn, sums, tokens) => state.#load(fn, sums, tokens);
    disposeByUsing(LinearState.prototype);
  }

  private constructor(instance: Instance, config: StateConfig, features: Features, copied = false) {
    const { heap } = instance;
    const floats = features.projection === null ? 0 : features.count * config.width;
    this.#instance = instance;
    this.#config = config;
    this.#features = features;
    this.#memory = new StateMemory(heap, 'linearState', stateSizesOf(config, features), floats);
    this.#memory.clear();
    if (floats > 0 && !copied) this.#draw();
  }

  /** How many tokens it has seen. */
  get length(): number {
    return this.#length;
  }

  get disposed(): boolean {
    return this.#memory.disposed || this.#instance.engine.disposed;
  }

  /**
   * Takes tokens in and reads what the queries see, each up to its own token: as one causal call over all tokens so far.
   *
   * @param q [H, T, D] or [B, H, T, D], T ≥ 1; T = 1 is the token-by-token form.
   * @param k [..., Hkv, T, D].
   * @param v [..., Hkv, T, Dv].
   * @param options `decay` and `beta` of these tokens, where the rule has them; `out`.
   * @returns [..., H, T, Dv]; a Tensor where q is one.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`; the state is as before then.
   */
  step<Q extends ArrayInput>(q: Q, k: ArrayInput, v: ArrayInput, options?: StepOptions): ResultArray<Q> {
    const fn = 'linearState.step';
    const instance = this.#use(fn);
    const { out, decay, beta } = readOptions(fn, options, ['decay', 'beta', 'out']);
    const gates = { ...(decay === undefined ? {} : { decay }), ...(beta === undefined ? {} : { beta }) };
    const rule = ownProperties({ ...this.#config.rule, ...gates, causal: true });
    if (decay !== undefined) delete rule.retention;
    const call = readLinearAttention(instance, fn, { q, k, v }, rule, true, this.#features);
    const { sizes } = call;
    for (const name of ['batch', 'kvHeads', 'width', 'valueWidth'] as const)
      if (sizes[name] !== this.#config[name])
        fail('shape', fn, `the state was made for ${name} ${this.#config[name]}, got ${sizes[name]}`);
    const targets = readTargets(fn, out, ['output']);
    const planned = plan(instance, fn, (arena) => {
      const operands = [call.q.operand, call.k.operand, call.v.operand];
      const outputs = new Outputs(arena, targets, isTensor(q), () => operands);
      const { shape, ...strides } = outputLayout(call.axes, call.choice, sizes);
      const output = outputs.reserve('output', shape);
      const { projection, ...ptrs } = this.#memory.ptrs();
      const placed = bindLinearAttention(arena, call, projection);
      planRun(arena, placed, { ptr: output.ptr, batch: sizes.batch, ...strides }, ptrs);
      return () => output.finish();
    });
    const output = finish(planned);
    this.#length += sizes.keys;
    return output as ResultArray<Q>;
  }

  /**
   * A copy of the state: what `linearAttention` with the same options returns after the same tokens, and takes as `initialState`.
   *
   * @throws AttentionError `disposed`.
   */
  state(): LinearAttentionState<NDArray> {
    this.#use('linearState.state');
    const parts = this.#memory.parts.map(({ part, shape, from }) => {
      return [part, { data: this.#memory.view(from, sizeOf(shape)).slice(), shape: [...shape] }];
    });
    return Object.fromEntries(parts) as unknown as LinearAttentionState<NDArray>;
  }

  /**
   * Goes on from a state, as `state()` or `linearAttention` gave it.
   *
   * @param length how many tokens it has seen; default 0.
   * @throws AttentionError `shape` | `value` | `option` | `disposed`.
   */
  load(state: LinearAttentionState, length = 0): void {
    this.#load('linearState.load', state, length);
  }

  /** Forgets all tokens. */
  clear(): void {
    this.#use('linearState.clear');
    this.#memory.clear();
    this.#length = 0;
  }

  /**
   * Another state that has seen the same.
   *
   * @throws AttentionError `disposed` | `memory`.
   */
  clone(): LinearState {
    const copy = new LinearState(this.#use('linearState.clone'), this.#config, this.#features, true);
    copy.#memory.view().set(this.#memory.view());
    copy.#length = this.#length;
    return copy;
  }

  /** The state as JSON, for `linearStateFrom`; JSON.stringify calls this. */
  toJSON(): LinearStateJSON {
    const state = Object.entries(this.state()).map(([part, array]) => [part, toPlain(array)]);
    const { rule, batched, batch, ...sizes } = this.#config;
    const { count, projection } = this.#features;
    // One that was drawn is drawn again from its seed.
    const given = projection !== null && 'shape' in projection;
    const data = given ? this.#memory.view(this.#memory.size) : null;
    const options = {
      ...rule,
      ...(data === null ? {} : { projection: toPlain({ data, shape: [count, sizes.width] }) }),
      ...(batched ? { batch } : {}),
      ...sizes,
    };
    return { options, length: this.#length, state: Object.fromEntries(state) } as LinearStateJSON;
  }

  /** Frees the memory. May be called again. */
  dispose(): void {
    this.#memory.dispose();
  }

  #use(fn: string): Instance {
    this.#instance.engine.check(fn);
    if (this.disposed) fail('disposed', fn, 'the state has been disposed');
    return this.#instance;
  }

  #load(fn: string, state: unknown, length: number): void {
    const instance = this.#use(fn);
    checkInteger(fn, 'length', length, 0, Number.MAX_SAFE_INTEGER);
    const operands = readState(instance, fn, 'state', state, stateSizesOf(this.#config, this.#features));
    compute(instance, fn, (arena) => {
      const ptrs = operands.map((operand) => arena.place(operand));
      return () =>
        this.#memory.parts.forEach(({ from, shape }, n) => {
          const { strides } = operands[n]!;
          gather(arena.heap, ptrs[n]!.address, shape, strides, this.#memory.view(from, sizeOf(shape)));
        });
    });
    this.#length = length;
  }

  /** Draws the random features, or copies those given. */
  #draw(): void {
    const fn = 'linearState';
    const floats = this.#features.count * this.#config.width;
    compute(this.#instance, fn, (arena) => {
      const ptr = planProjection(arena, this.#features, this.#config.width);
      return () => this.#memory.view(this.#memory.size).set(arena.heap.floats(ptr.address, floats));
    });
  }
}

export interface LinearState {
  /** Calls `dispose()`, for `using`; present where the engine has Symbol.dispose. */
  [Symbol.dispose](): void;
}

/** @internal */
export function createState(instance: Instance, config: StateConfig, features: Features): LinearState {
  return create(instance, config, features);
}

/** @internal */
export function loadState(state: LinearState, fn: string, sums: unknown, tokens: number): void {
  load(state, fn, sums, tokens);
}
