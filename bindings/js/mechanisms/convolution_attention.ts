/** Attention by position alone, with a head for each tap of a kernel: a convolution. */
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { concat, matmul, multiply, transpose } from '../ops/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import { numberOption } from './system/option_values.ts';
import type { ParamInput } from './system/params.ts';
import { zeros } from './system/steps.ts';
import { runSystem, type Declaration } from './system/system.ts';

const DECLARATION = {
  fn: 'convolutionAttention',
  inputs: { image: 'height width C' },
  params: { W: "kh kw C C'", 'b?': "C'" },
  options: ['alpha'],
} as const satisfies Declaration;

export interface ConvolutionAttentionInputs<A extends ArrayInput = ArrayInput> {
  /** [height, width, C] or [B, height, width, C]. */
  readonly image: A;
}

export interface ConvolutionAttentionOptions {
  /** How sharply a head attends to its one position; default 50. */
  readonly alpha?: number | undefined;
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the image has none. Nk = (height + kh - 1)·(width + kw - 1) keys. */
export interface ConvolutionAttentionResult<A> {
  /** [B, height, width, C']. */
  output: A;
  /** [B, height, width, C']: what a large alpha comes to. */
  convolution: A;
  /** [B, kh·kw, height·width, Nk]. */
  weights: A;
  trace?: TraceStage[];
}

/**
 * Self-attention that is a convolution: the head of tap (a, c) attends to the pixel at Δ = (a - ⌊kh/2⌋, c - ⌊kw/2⌋) from its own.
 *
 *     score_h(q, k) = -alpha·‖(k - q) - Δ_h‖²,   weights_h = softmax over all keys: the pixels, with a border of zeros
 *     output_q = Σ_h (weights_h X̃)_q W[a, c] + b
 *     convolution[y, x] = Σ_{a,c} image[y + a - ⌊kh/2⌋, x + c - ⌊kw/2⌋] W[a, c] + b, zeros outside
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `image`.
 * @param params W [kh, kw, C, C'], kh and kw odd; optional b [C'].
 * @param options `alpha`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: Cordonnier, Loukas, Jaggi 2020, arXiv:1911.03584, theorem 1 and its quadratic encoding.
 */
export function convolutionAttention<A extends ArrayInput>(
  fovea: Fovea,
  inputs: ConvolutionAttentionInputs<A>,
  params: ParamInput,
  options?: ConvolutionAttentionOptions,
): ConvolutionAttentionResult<ResultArray<A>> {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const { batch, params: p } = system;
    const [height, width, C] = [system.size('height'), system.size('width'), system.size('C')];
    const [kh, kw, out] = [system.size('kh'), system.size('kw'), system.size("C'")];
    if (kh % 2 === 0 || kw % 2 === 0) fail('shape', system.fn, `W must have odd kh and kw, got ${kh} and ${kw}`);
    const alpha = numberOption(system, 'alpha', 50);
    const [down, across] = [(kh - 1) / 2, (kw - 1) / 2];
    const [taps, pixels] = [kh * kw, height * width];
    const [high, wide] = [height + kh - 1, width + kw - 1];

    const bordered = border(fovea, border(fovea, system.input('image'), 1, down), 2, across);
    const X = bordered.reshape([batch, 1, high * wide, C]);
    const distances = fovea.tensor(squaredDistances(height, width, kh, kw), [taps, pixels, high * wide]);
    // The score is of positions alone: queries and keys are 0.
    const attended = fovea.attention(zeros(fovea, [batch, taps, pixels, 1]), zeros(fovea, [batch, 1, high * wide, 1]), X, {
      mask: multiply(fovea, distances, -alpha),
      returnWeights: true,
    });
    const weights = system.record(
      'weights',
      '\\operatorname{softmax}_k(-\\alpha \\lVert (k - q) - \\Delta_h \\rVert^2)',
      ['head', 'query', 'key'],
      attended.weights,
    );
    const W = p['W']!.reshape([taps * C, out]);
    const project = (seen: Tensor): Tensor =>
      system.sum([matmul(fovea, seen.reshape([batch, pixels, taps * C]), W)], p['b']).reshape([batch, height, width, out]);
    const output = project(transpose(fovea, attended.output, [0, 2, 1, 3]));
    const shifted = Array.from({ length: taps }, (_, h) => {
      const [a, c] = [Math.floor(h / kw), h % kw];
      return bordered.slice(1, a, a + height).slice(2, c, c + width);
    });
    const convolution = project(concat(fovea, shifted as [Tensor, ...Tensor[]]));
    system.record('output', '\\textstyle\\sum_h A_h \\tilde X W_h + b', ['row', 'column', 'feature'], output);
    system.record('convolution', 'I * W + b', ['row', 'column', 'feature'], convolution);
    return { output, convolution, weights };
  }) as unknown as ConvolutionAttentionResult<ResultArray<A>>;
}

/** An image with so many rows or columns of zeros on both sides. */
function border(fovea: Fovea, image: Tensor, axis: 1 | 2, size: number): Tensor {
  const side = zeros(
    fovea,
    image.shape.map((length, at) => (at === axis ? size : length)),
  );
  return concat(fovea, [side, image, side], { axis });
}

/** ‖(k - q) - Δ_h‖² for each head, query and key: integers. A key's place counts from the border's corner, so that k - Δ_h = k - (a, c). */
function squaredDistances(height: number, width: number, kh: number, kw: number): Float32Array {
  const [high, wide] = [height + kh - 1, width + kw - 1];
  const distances = new Float32Array(kh * kw * height * width * high * wide);
  let at = 0;
  for (let h = 0; h < kh * kw; h++) {
    for (let q = 0; q < height * width; q++) {
      const [y, x] = [Math.floor(q / width) + Math.floor(h / kw), (q % width) + (h % kw)];
      for (let k = 0; k < high * wide; k++) {
        const [down, across] = [Math.floor(k / wide) - y, (k % wide) - x];
        distances[at++] = down * down + across * across;
      }
    }
  }
  return distances;
}
