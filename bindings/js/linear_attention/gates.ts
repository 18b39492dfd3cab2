/** The gates of the state: decay, retention and beta, read and placed. */
import { typedArrayKind, typedArrayLength } from '../tensor/typed_arrays.ts';
import { describe, fail } from '../errors/errors.ts';
import { readHeads, type HeadsShape, type LayoutChoice, type Sizes } from '../attention/options/layout.ts';
import { readOperand, type Operand } from '../tensor/operands.ts';
import { checkFinite, isList, readEntries } from '../errors/options.ts';
import { formatShape } from '../tensor/shapes.ts';
import { logarithms } from './logarithms.ts';
import type { LinearRuleOptions, UpdateRule } from './types.ts';
import type { Instance } from '../runtime/instance.ts';

/** One number for every key, or `width` of them. */
export interface Gate extends Pick<HeadsShape, 'batchStride' | 'headStride' | 'tokenStride' | 'width'> {
  readonly operand: Operand;
}

export interface Gates {
  readonly decay: Gate | null;
  readonly beta: Gate | null;
}

/** The sizes that the gates must match. */
export interface GatedCall {
  readonly choice: LayoutChoice;
  /** Axes of q. */
  readonly rank: number;
  readonly sizes: Sizes;
  readonly features: number;
}

export function readGates(
  instance: Instance,
  fn: string,
  { decay, retention, beta }: LinearRuleOptions,
  rule: UpdateRule,
  call: GatedCall,
): Gates {
  const gated = rule === 'gated' || rule === 'gatedDelta';
  const delta = rule === 'delta' || rule === 'gatedDelta';
  if (decay !== undefined && retention !== undefined)
    fail('option', fn, 'decay and retention are the same thing in two forms: pass one of them, got both');
  for (const [name, given, takes] of [
    ['decay', decay, gated],
    ['retention', retention, gated],
    ['beta', beta, delta],
  ] as const) {
    const rules = name === 'beta' ? "'delta' or 'gatedDelta'" : "'gated' or 'gatedDelta'";
    if (given !== undefined && !takes) fail('option', fn, `${name} goes with updateRule ${rules}, got '${rule}'`);
  }
  if (gated && decay === undefined && retention === undefined)
    fail('option', fn, `updateRule '${rule}' needs decay or retention, got neither`);
  if (delta && beta === undefined) fail('option', fn, `updateRule '${rule}' needs beta, got none`);
  return {
    decay: !gated
      ? null
      : retention === undefined
        ? readGate(instance, fn, 'decay', decay, call)
        : readRetention(instance, fn, retention, call.sizes.kvHeads),
    beta: delta ? readGate(instance, fn, 'beta', beta, call) : null,
  };
}

function readRetention(instance: Instance, fn: string, retention: unknown, kvHeads: number): Gate {
  const perHead = isList(retention) || typedArrayKind(retention)?.startsWith('Float') === true;
  const list = perHead ? (retention as ArrayLike<unknown>) : [retention];
  const length = typedArrayKind(list) === undefined ? list.length : typedArrayLength(list);
  if (perHead && length !== kvHeads)
    fail('shape', fn, `retention must be one number, or one per key/value head, ${kvHeads}, got ${length}`);
  const numbers = readEntries(fn, 'retention', list, (gamma, h) => {
    if (typeof gamma === 'number' && Math.fround(gamma) > 0 && gamma <= 1) return gamma;
    return fail('value', fn, `${perHead ? `retention[${h}]` : 'retention'} must be in (0, 1], got ${describe(gamma)}`);
  });
  return constant('retention', logarithms(instance, fn, Float32Array.from(numbers)));
}

/** A gate that all tokens share: one number, or one per head. */
function constant(name: string, data: Float32Array): Gate {
  const operand: Operand = {
    name,
    shape: [data.length],
    strides: [1],
    address: null,
    owner: null,
    data,
    kind: 'Float32Array',
    occupies: null,
    format: 0,
  };
  return { operand, batchStride: 0, headStride: data.length === 1 ? 0 : 1, tokenStride: 0, width: 1 };
}

function readGate(instance: Instance, fn: string, name: 'decay' | 'beta', input: unknown, call: GatedCall): Gate {
  if (typeof input === 'number') {
    checkFinite(fn, name, input);
    return constant(name, Float32Array.of(input));
  }
  const { choice, rank, sizes, features } = call;
  const operand = readOperand(instance, fn, name, input);
  const bad = Array.prototype.findIndex.call(operand.data, (x: number) => !Number.isFinite(x));
  if (bad >= 0) fail('value', fn, `${name} must hold finite numbers, got ${operand.data[bad]} at ${bad}`);
  const packed = choice.layout === 'packed';
  const perHead = packed ? operand.shape.at(-1) === sizes.kvHeads : operand.shape.length === rank - 1;
  if (operand.shape.length !== (packed || !perHead ? rank : rank - 1) || (name === 'beta' && !perHead)) refuse();
  const widened: Operand =
    perHead && !packed ? { ...operand, shape: [...operand.shape, 1], strides: [...operand.strides, 1] } : operand;
  const { batch, heads, tokens, width, batchStride, headStride, tokenStride } = readHeads(fn, widened, choice, sizes.kvHeads);
  if (heads !== sizes.kvHeads || tokens !== sizes.keys || (batch !== 1 && batch !== sizes.batch)) refuse();
  if (width !== 1 && width !== features) refuse();
  return { operand, batchStride: batch === 1 ? 0 : batchStride, headStride: heads === 1 ? 0 : headStride, tokenStride, width };

  function refuse(): never {
    const { batch, kvHeads, keys } = sizes;
    const width = name === 'beta' ? '' : `, or that with ${features} features`;
    const where = `batch ${batch} or 1, ${kvHeads} key/value heads, ${keys} tokens`;
    return fail(
      'shape',
      fn,
      `${name} must be a number, or have the axes of k but its width (${where})${width}, got ${formatShape(operand.shape)}`,
    );
  }
}
