/** Making a LinearState: empty, or out of JSON. */
import { instanceOf } from '../runtime/instances.ts';
import { describe, fail } from '../errors/errors.ts';
import { isPlainObject, ownProperties } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { createState, loadState, type LinearState } from './linear_state.ts';
import { fromPlain, readConfig, readStateFeatures } from './state_config.ts';
import type { LinearStateJSON, LinearStateOptions } from './types.ts';

/**
 * An empty state for linear attention token by token ("Transformers are RNNs"): each step takes constant time and room, however
 * many tokens came before.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param options those of `linearAttention` that make the rule, and the sizes: `kvHeads`, `width` D; `valueWidth` Dv where it
 *   differs, `batch`. The query heads of a step are a multiple of `kvHeads`. `decay` is one number here; numbers for each token go to `step`.
 * @throws AttentionError `shape` | `value` | `option` ('softmax' has no such form) | `disposed` | `memory`.
 *
 * Accuracy: as `linearAttention`. Source: Katharopoulos et al. 2020, arXiv:2006.16236 §3.4.
 * @example
 * import { linearState } from 'fovea/linear-attention';
 * const state = linearState(fovea, { kvHeads: 2, width: 4, updateRule: 'gated', retention: 0.9 });
 * state.dispose();
 */
export function linearState(fovea: Fovea, options: LinearStateOptions): LinearState {
  return make('linearState', fovea, options);
}

/**
 * The state that `toJSON` wrote.
 *
 * @param fovea as for `linearState`.
 * @param json what `JSON.parse` gives.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory`.
 * @example
 * import { linearState, linearStateFrom } from 'fovea/linear-attention';
 * const state = linearState(fovea, { kvHeads: 1, width: 2 });
 * const copy = linearStateFrom(fovea, JSON.parse(JSON.stringify(state)));
 * [state, copy].forEach((one) => one.dispose());
 */
export function linearStateFrom(fovea: Fovea, json: LinearStateJSON): LinearState {
  const fn = 'linearStateFrom';
  const given = isPlainObject(json) ? ownProperties<LinearStateJSON>(json) : undefined;
  if (!isPlainObject(given?.options) || !isPlainObject(given.state))
    return fail('value', fn, `json must be what toJSON() gave, got ${describe(json)}`);
  const state = make(fn, fovea, fromPlain(fn, given.options) as unknown as LinearStateOptions);
  try {
    loadState(state, fn, fromPlain(fn, given.state), given.length);
    return state;
  } catch (error) {
    state.dispose();
    throw error;
  }
}

function make(fn: string, fovea: Fovea, options: LinearStateOptions): LinearState {
  const instance = instanceOf(fn, fovea);
  const config = readConfig(fn, options);
  return createState(instance, config, readStateFeatures(instance, fn, config));
}
