/** The sizes and the rule of a LinearState, and its form as JSON. */
import {
  checkFinite,
  checkInteger,
  isList,
  isPlainObject,
  ownProperties,
  readEntries,
  readOptions,
} from '../errors/options.ts';
import type { NDArray } from '../tensor/array_types.ts';
import type { Features } from './features.ts';
import { readLinearAttention, readRule, RULE_OPTIONS } from './linear_attention_call.ts';
import type { StateSizes } from './states.ts';
import type { LinearRuleOptions, LinearStateOptions } from './types.ts';
import type { Instance } from '../runtime/instance.ts';

export interface StateConfig {
  /** The options that make the rule, as given; an updateRule that `retention` implies is named. */
  readonly rule: LinearRuleOptions;
  readonly batch: number;
  /** Whether states have an axis for it. */
  readonly batched: boolean;
  readonly kvHeads: number;
  readonly width: number;
  readonly valueWidth: number;
}

const MAX_DIM = 2 ** 20;

export function readConfig(fn: string, options: LinearStateOptions): StateConfig {
  const { batch, kvHeads, width, valueWidth, ...rest } = readOptions(fn, options, [
    ...RULE_OPTIONS,
    'batch',
    'kvHeads',
    'width',
    'valueWidth',
  ]);
  const rule = ownProperties(rest);
  const sizes = { batch: batch ?? 1, kvHeads, width, valueWidth: valueWidth ?? width };
  for (const [name, size] of Object.entries(sizes)) checkInteger(fn, name, size, 1, MAX_DIM);
  for (const name of ['decay', 'beta'] as const) if (rule[name] !== undefined) checkFinite(fn, name, rule[name]);
  const isRule = rule.updateRule !== undefined || rule.retention !== undefined;
  if (isRule) Object.assign(rule, { updateRule: readRule(fn, rule) });
  if (ArrayBuffer.isView(rule.retention))
    Object.assign(rule, { retention: Array.prototype.slice.call(rule.retention) as number[] });
  return { rule, batched: batch !== undefined, ...sizes };
}

/** The features of the rule, once it is checked as a call of no tokens checks it. */
export function readStateFeatures(
  instance: Instance,
  fn: string,
  { rule, batch, kvHeads, width, valueWidth }: StateConfig,
): Features {
  const empty = (rowHeads: number, columns: number): NDArray => ({
    data: new Float32Array(0),
    shape: [batch, rowHeads, 0, columns],
  });
  const inputs = { q: empty(kvHeads, width), k: empty(kvHeads, width), v: empty(kvHeads, valueWidth) };
  const { updateRule, retention } = rule;
  const gated = updateRule === 'gated' || updateRule === 'gatedDelta';
  const delta = updateRule === 'delta' || updateRule === 'gatedDelta';
  // Gates that are to come with the tokens.
  const gates = { ...(gated && retention === undefined ? { decay: 0 } : {}), ...(delta ? { beta: 0 } : {}) };
  return readLinearAttention(instance, fn, inputs, ownProperties({ ...gates, ...rule, causal: true }), true).features;
}

export function stateSizesOf({ rule, batched, ...sizes }: StateConfig, features: Features): StateSizes {
  const isRule = rule.updateRule !== undefined;
  return { ...sizes, axes: { batch: batched, heads: true }, features, normalize: rule.normalize ?? !isRule };
}

/** An array for JSON, which knows no NaN and no infinity: these become text. */
export function toPlain({ data, shape }: NDArray): object {
  return { data: Array.from(data, (x) => (Number.isFinite(x) ? x : String(x))), shape };
}

/** The object with its arrays as calls take them. */
export function fromPlain(fn: string, json: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      const own = ownProperties(isPlainObject(value) ? value : {});
      const data = own['data'];
      if (!isList(data)) return [name, value];
      return [name, { ...own, data: readEntries(fn, `${name}.data`, data, (x) => (typeof x === 'string' ? Number(x) : x)) }];
    }),
  );
}
