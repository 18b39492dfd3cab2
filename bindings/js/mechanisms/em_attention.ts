/** Expectation-maximization attention: pixels attend to a few bases, which are fitted to them in the call. */
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { add, divide, matmul, multiply, rmsNorm, softmax, sum, transpose } from '../ops/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import { activate, affine } from './system/layers.ts';
import { booleanOption, integerOption, numberOption } from './system/option_values.ts';
import type { ParamInput } from './system/params.ts';
import { runSystem, type Declaration } from './system/system.ts';

const DECLARATION = {
  fn: 'emAttention',
  inputs: { X: 'N C' },
  params: { mu: "K C'", 'W1?': "C C'", 'b1?': "C'", 'W2?': "C' C", 'b2?': 'C' },
  options: ['iterations', 'lambda', 'normalize', 'eps', 'residual', 'activation'],
} as const satisfies Declaration;

export interface EmAttentionInputs<A extends ArrayInput = ArrayInput> {
  /** [N, C] or [B, N, C]: pixels, or tokens. */
  readonly X: A;
}

export interface EmAttentionOptions {
  /** At least 1; default 3. */
  readonly iterations?: number | undefined;
  /** Multiplies the scores; default 1. */
  readonly lambda?: number | undefined;
  /** Whether the bases have length 1 after each iteration; default 'l2'. */
  readonly normalize?: 'l2' | 'none' | undefined;
  /** Added to what is divided by: above 0, at least 1e-45, the smallest number of float32; default 1e-6. */
  readonly eps?: number | undefined;
  /** Whether X is added to the result; default true. */
  readonly residual?: boolean | undefined;
  /** Default 'none'; 'relu' as in the authors' code. */
  readonly activation?: 'none' | 'relu' | undefined;
  /** Whether to return every named intermediate. */
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. */
export interface EmAttentionResult<A> {
  /** [B, N, K]: the weights, how much of each pixel is of each basis. */
  Z: A;
  /** [B, K, C']: the bases at the end. */
  mu: A;
  /** [B, N, C']. */
  reconstruction: A;
  /** [B, N, C]. */
  output: A;
  trace?: TraceStage[];
}

/**
 * Expectation-maximization attention: attention to K bases, each of them the mean of what attends to it.
 *
 *     X' = X W1 + b1, then for each iteration   Z = softmax_k(λ X' μᵀ),   μ_k = Σ_n Z_nk X'_n / (eps + Σ_n Z_nk),   μ_k / (eps + ‖μ_k‖)
 *     R = Z μ,   output = act(X + act(R) W2 + b2)
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `X`.
 * @param params mu [K, C'], the bases to begin with, for every batch entry; optional W1 [C, C'], b1 [C'], W2 [C', C], b2 [C]: without W1
 *   X' = X, without W2 R takes the place of act(R) W2 + b2, and C' = C.
 * @param options `iterations`, `lambda`, `normalize`, `eps`, `residual`, `activation`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Z is that of the last E step, and R mixes the bases of the M step after it. The moving average of the bases is training. Source: Li,
 * Zhong, Wu, Yang, Lin, Liu 2019, arXiv:1907.13426 §3; eps and relu from the authors' code.
 * @example
 * import { emAttention } from 'fovea/mechanisms';
 * const X = [[0, 1], [0, 2], [5, 0]];
 * const options = { normalize: 'none', lambda: 9, residual: false } as const;
 * toNested(emAttention(fovea, { X }, { mu: [[0, 1], [1, 0]] }, options).mu); // [[0, 1.5], [5, 0]]
 */
export function emAttention<A extends ArrayInput>(
  fovea: Fovea,
  inputs: EmAttentionInputs<A>,
  params: ParamInput,
  options?: EmAttentionOptions,
): EmAttentionResult<ResultArray<A>> {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const [batch, K, C, inner] = [system.batch, system.size('K'), system.size('C'), system.size("C'")];
    const iterations = integerOption(system, 'iterations', 1, 2 ** 20, 3);
    const [lambda, eps] = [numberOption(system, 'lambda', 1), numberOption(system, 'eps', 1e-6)];
    if (Math.fround(eps) <= 0) fail('value', system.fn, `eps must be above 0 in float32, got ${eps}`);
    const residual = booleanOption(system, 'residual', true);
    const normalize = system.choice('normalize', ['l2', 'none']);
    const activation = system.choice('activation', ['none', 'relu']);
    const { W1, b1, W2, b2 } = system.params;
    for (const [matrix, bias] of [
      ['W1', 'b1'],
      ['W2', 'b2'],
    ] as const)
      if (!system.has(matrix) && system.has(bias)) fail('value', system.fn, `params must have ${matrix}, as they have ${bias}`);
    if ((W1 === undefined || W2 === undefined) && inner !== C)
      fail('shape', system.fn, `mu must be [K, C] = [${K}, ${C}] without both W1 and W2, got [${K}, ${inner}]`);

    const X = system.input('X');
    const features = W1 === undefined ? X : affine(fovea, X, W1, b1);
    let mu = multiply(fovea, system.params['mu']!, fovea.tensor(new Float32Array(batch).fill(1), [batch, 1, 1]));
    let Z!: Tensor;
    for (let n = 0; n < iterations; n++) {
      Z = softmax(fovea, multiply(fovea, matmul(fovea, features, transpose(fovea, mu)), lambda));
      const mass = sum(fovea, Z, { axis: 1 }).reshape([batch, K, 1]);
      mu = divide(fovea, matmul(fovea, transpose(fovea, Z), features), add(fovea, mass, eps));
      if (normalize === 'l2') mu = divide(fovea, mu, add(fovea, lengthsOf(fovea, mu), eps));
    }
    system.record('Z', "\\operatorname{softmax}_k(\\lambda X' \\mu^\\top)", ['token', 'base'], Z);
    system.record('mu', "\\textstyle\\sum_n Z_{nk} X'_n / \\sum_n Z_{nk}", ['base', 'feature'], mu);
    const R = system.record('reconstruction', 'Z \\mu', ['token', 'feature'], matmul(fovea, Z, mu));
    const Y = W2 === undefined ? R : affine(fovea, activate(fovea, activation, R), W2, b2);
    const output = residual ? activate(fovea, activation, add(fovea, X, Y)) : Y === R ? R.clone() : Y;
    const sign = activation === 'none' ? '' : '\\operatorname{relu}';
    system.record('output', residual ? `${sign}(X + Y)` : 'Y', ['token', 'feature'], output);
    return { Z, mu, reconstruction: R, output };
  }) as unknown as EmAttentionResult<ResultArray<A>>;
}

/** ‖x‖ of each row, [..., 1]: x·x / (‖x‖ / √width) / √width. */
function lengthsOf(fovea: Fovea, x: Tensor): Tensor {
  const width = x.shape[x.shape.length - 1]!;
  const units = rmsNorm(fovea, x, { eps: TINY });
  const sums = sum(fovea, multiply(fovea, x, units)).reshape([...x.shape.slice(0, -1), 1]);
  return divide(fovea, sums, Math.sqrt(width));
}

/** Keeps a row of zeros from being divided by 0; nothing beside the square of any number that counts beside eps. */
const TINY = 1e-36;
