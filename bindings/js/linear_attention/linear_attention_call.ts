/** A call of linear attention, read and checked: what it is asked to compute, nothing computed yet. */
import { UPDATE_RULE } from '../../../build/generated/enums/update_rule.ts';
import { fail } from '../errors/errors.ts';
import {
  axesOf,
  type Axes,
  type LayoutChoice,
  type Sizes,
  matchSizes,
  readHeads,
  readLayout,
} from '../attention/options/layout.ts';
import { readOperand } from '../tensor/operands.ts';
import { checkBoolean, checkChoice, checkFinite, checkInteger } from '../errors/options.ts';
import { formatShape } from '../tensor/shapes.ts';
import { FEATURE_OPTIONS, readFeatures, type Features } from './features.ts';
import { readGates, type Gates } from './gates.ts';
import type { Input } from './rows.ts';
import type { LinearOptions, LinearRuleOptions, UpdateRule } from './types.ts';
import type { Instance } from '../runtime/instance.ts';
import { readKeyLengths } from '../attention/options/positions.ts';

/** The options of a rule, and of a call beside them. */
export const RULE_OPTIONS = [
  ...FEATURE_OPTIONS,
  'decay',
  'beta',
  'updateRule',
  'retention',
  'normalize',
  'scale',
  'eps',
  'qkNormalize',
  'chunkSize',
] as const satisfies readonly (keyof LinearRuleOptions)[];
export const CALL_OPTIONS = [
  ...RULE_OPTIONS,
  'causal',
  'keyLengths',
  'initialState',
  'returnState',
  'trace',
  'out',
  'layout',
  'heads',
  'kvHeads',
] as const satisfies readonly (keyof LinearOptions)[];

export interface LinearAttentionCall extends Gates {
  readonly q: Input;
  readonly k: Input;
  readonly v: Input;
  /** Whether rows of q and k are divided by their lengths first. */
  readonly unitRows: boolean;
  readonly choice: LayoutChoice;
  readonly axes: Axes;
  readonly sizes: Sizes;
  readonly features: Features;
  readonly rule: UpdateRule;
  readonly causal: boolean;
  readonly normalize: boolean;
  readonly queryScale: number;
  readonly keyScale: number;
  readonly outputScale: number;
  readonly eps: number;
  readonly keyLengths: Int32Array | null;
  readonly chunk: number;
}

/** `options` are known by name; `state` says whether the call has one, which 'softmax' has not; `known` are features read before. */
export function readLinearAttention(
  instance: Instance,
  fn: string,
  inputs: { readonly q: unknown; readonly k: unknown; readonly v: unknown },
  options: LinearOptions,
  state: boolean,
  known?: Features,
): LinearAttentionCall {
  const choice = readLayout(fn, options);
  const rule = readRule(fn, options);
  checkBoolean(fn, 'causal', options.causal);
  checkBoolean(fn, 'normalize', options.normalize);
  checkChoice(fn, 'qkNormalize', options.qkNormalize, ['l2']);
  const read = (name: 'q' | 'k' | 'v', heads: number): Input => {
    const operand = readOperand(instance, fn, name, inputs[name]);
    return { operand, heads: readHeads(fn, operand, choice, heads) };
  };
  const [q, k, v] = [read('q', choice.heads), read('k', choice.kvHeads), read('v', choice.kvHeads)];
  const operands = { q: q.operand, k: k.operand, v: v.operand };
  const axes = axesOf(q.operand, choice);
  const sizes = matchSizes(fn, operands, q.heads, k.heads, v.heads, axes.batch, choice);
  if (sizes.valueWidth === 0 && state)
    fail('shape', fn, `a state needs values of width 1 at least, got v ${formatShape(operands.v.shape)}`);
  const isRule = options.updateRule !== undefined || options.retention !== undefined;
  const features = known ?? readFeatures(instance, fn, options, isRule ? 'identity' : 'elu1', sizes.width);
  const causal = options.causal ?? isRule;
  if (isRule && !causal) fail('option', fn, `updateRule '${rule}' is causal, got causal: false`);
  if (features.name === 'softmax' && (causal || state))
    fail(
      'option',
      fn,
      `featureMap 'softmax' sees all keys at once, and does not go with ${causal ? 'causal or an updateRule' : 'a state'}`,
    );
  if (causal && sizes.queries !== sizes.keys)
    fail(
      'shape',
      fn,
      `causal linear attention needs as many queries as keys, got q ${formatShape(operands.q.shape)}, k ${formatShape(operands.k.shape)}`,
    );
  const normalize = features.name !== 'softmax' && (options.normalize ?? !isRule);
  const gatedCall = { choice, rank: q.operand.shape.length, sizes, features: features.count };
  return {
    q,
    k,
    v,
    unitRows: options.qkNormalize !== undefined,
    choice,
    axes,
    sizes,
    features,
    rule,
    causal,
    normalize,
    ...readScales(fn, options, features, sizes.width, isRule, normalize),
    eps: readEps(fn, options.eps),
    keyLengths: options.keyLengths === undefined ? null : readKeyLengths(fn, options.keyLengths, sizes),
    chunk: readChunk(fn, options.chunkSize),
    ...readGates(instance, fn, options, rule, gatedCall),
  };
}

export function readRule(fn: string, { updateRule, retention }: LinearRuleOptions): UpdateRule {
  checkChoice(fn, 'updateRule', updateRule, UPDATE_RULE);
  return updateRule ?? (retention === undefined ? 'linear' : 'gated');
}

/** A scale of q·k goes half to q and half to k; a negative one turns q round. */
function readScales(
  fn: string,
  { scale }: LinearOptions,
  features: Features,
  width: number,
  isRule: boolean,
  normalize: boolean,
): Pick<LinearAttentionCall, 'queryScale' | 'keyScale' | 'outputScale'> {
  if (scale !== undefined) checkFinite(fn, 'scale', scale);
  const root = 1 / Math.sqrt(width);
  if (features.scalesInside) {
    const half = Math.sqrt(Math.abs(scale ?? root));
    return { queryScale: (scale ?? root) < 0 ? -half : half, keyScale: half, outputScale: 1 };
  }
  const outputScale = normalize || features.name === 'softmax' ? 1 : (scale ?? (isRule ? root : 1));
  return { queryScale: 1, keyScale: 1, outputScale };
}

function readEps(fn: string, eps: unknown): number {
  if (eps === undefined) return 0;
  checkFinite(fn, 'eps', eps);
  if (eps < 0) fail('value', fn, `eps must not be negative, got ${eps}`);
  return eps;
}

function readChunk(fn: string, chunkSize: unknown): number {
  if (chunkSize === undefined) return 64;
  checkInteger(fn, 'chunkSize', chunkSize, 1, Infinity);
  return Math.min(chunkSize, 64);
}
