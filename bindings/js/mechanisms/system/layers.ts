/** Layers by their papers' letters: matrices are [in, out]. */
import type { Fovea } from '../../fovea/fovea.ts';
import { add, elu, gru, lstm, matmul, relu, tanh } from '../../ops/index.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { Lengths } from './lengths.ts';
import type { System } from './system.ts';

/** x·W + b. */
export function affine(fovea: Fovea, x: Tensor, W: Tensor, b?: Tensor): Tensor {
  const product = matmul(fovea, x, W);
  return b === undefined ? product : add(fovea, product, b);
}

/** The outputs of recurrent layers [B, T, D], whose params are a state dict under `prefix`; 0 in the padding. */
export function recurrent(system: System, layer: 'lstm' | 'gru', x: Tensor, prefix: string, lengths: Lengths): Tensor {
  const run = layer === 'lstm' ? lstm : gru;
  return run(system.fovea, x, system.group(prefix) as never, { lengths: lengths.list }).output;
}

const ACTIVATIONS = { elu, relu, tanh };

/** The function that an option names; 'none' gives the array itself. */
export function activate(fovea: Fovea, name: keyof typeof ACTIVATIONS | 'none', x: Tensor): Tensor {
  return name === 'none' ? x : ACTIVATIONS[name](fovea, x);
}

/**
 * A stack of layers W1, b1, W2, b2, … for a declaration, as many as are named, at least one unless it is optional.
 *
 * @param output the letter of the last layer's width.
 */
export function stackParams(
  given: readonly string[],
  prefix: string,
  input: string,
  output: string,
  isOptional = false,
): Record<string, string> {
  const numbers = given.map((name) =>
    Number(name.startsWith(prefix) && /^[Wb]([1-9]\d{0,3})$/.exec(name.slice(prefix.length))?.[1]),
  );
  const count = Math.max(isOptional ? 0 : 1, ...numbers.filter((number) => number > 0));
  const width = (n: number): string => (n === 0 ? input : n === count ? output : `${prefix}${n}`);
  const entries = Array.from({ length: count }, (_, n) => [
    [`${prefix}W${n + 1}`, `${width(n)} ${width(n + 1)}`],
    [`${prefix}b${n + 1}`, width(n + 1)],
  ]);
  return Object.fromEntries(entries.flat()) as Record<string, string>;
}

/** The layers of a stack one after another, relu after each; after the last only where `endsLinear` is false. */
export function runStack(system: System, prefix: string, x: Tensor, endsLinear = false): Tensor {
  const { fovea } = system;
  const own = system.group(prefix);
  const count = Object.keys(own).length / 2;
  let h = x;
  for (let n = 1; n <= count; n++) {
    const y = affine(fovea, h, own[`W${n}`]!, own[`b${n}`]);
    h = endsLinear && n === count ? y : relu(fovea, y);
  }
  return h;
}
