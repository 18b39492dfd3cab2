/** Self-attention over the pixels or patches of an image. */
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { add, matmul, multiply, patches, transpose } from '../ops/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { TraceStage } from '../trace/stages.ts';
import { booleanOption, integerOption } from './system/option_values.ts';
import type { ParamInput } from './system/params.ts';
import { runSystem, type Declaration } from './system/system.ts';

const DECLARATION = {
  fn: 'imageSelfAttention',
  inputs: { image: 'height width C' },
  params: {
    ...{ 'E?': 's²C D', 'positions?': 'N D', Wq: 'D heads·dk', Wk: 'D heads·dk', Wv: 'D heads·dv' },
    ...{ 'Wo?': 'heads·dv out', 'gamma?': '' },
  },
  options: ['patch', 'heads', 'scale', 'residual'],
} as const satisfies Declaration;

export interface ImageSelfAttentionInputs<A extends ArrayInput = ArrayInput> {
  /** [height, width, C] or [B, height, width, C]. */
  readonly image: A;
}

export interface ImageSelfAttentionOptions {
  /** s, the height and width of a patch; default 1, a token for each pixel. */
  readonly patch?: number | undefined;
  /** Default 1. */
  readonly heads?: number | undefined;
  /** Default 1/√dk; Non-local networks and SAGAN have 1. */
  readonly scale?: number | undefined;
  /** Adds the tokens to what attention gives; default false. */
  readonly residual?: boolean | undefined;
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the image has none. N = (height / s)·(width / s). */
export interface ImageSelfAttentionResult<A> {
  /** [B, N, D]: X. */
  tokens: A;
  /** [B, heads, N, N]. */
  weights: A;
  /** [B, N, s²·C']: O. */
  outputTokens: A;
  /** [B, height, width, C']. */
  output: A;
  trace?: TraceStage[];
}

/**
 * Self-attention over an image: patches of s × s pixels are tokens, row by row; what attention gives goes back to their places.
 *
 *     X = patches(image) E + positions
 *     O = concat over heads of softmax(scale·X Wq (X Wk)ᵀ) X Wv, times Wo and gamma;   O := X + O with residual
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `image`.
 * @param params Wq, Wk [D, heads·dk], Wv [D, heads·dv]; optional E [s²·C, D], positions [N, D], Wo [heads·dv, s²·C'], gamma [].
 * @param options `patch`, `heads`, `scale`, `residual`, `trace`.
 * @throws AttentionError `shape` (also where s does not divide height and width) | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: Wang et al. 2018 (Non-local), arXiv:1711.07971; Zhang et al. 2019 (SAGAN: gamma·o + x), arXiv:1805.08318; Dosovitskiy et
 * al. 2021 (ViT), arXiv:2010.11929 eq. 1, without the class token.
 */
export function imageSelfAttention<A extends ArrayInput>(
  fovea: Fovea,
  inputs: ImageSelfAttentionInputs<A>,
  params: ParamInput,
  options?: ImageSelfAttentionOptions,
): ImageSelfAttentionResult<ResultArray<A>> {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const { fn, batch, params: p } = system;
    const [image, height, width] = [system.input('image'), system.size('height'), system.size('width')];
    const s = integerOption(system, 'patch', 1, 2 ** 15, 1);
    const heads = integerOption(system, 'heads', 1, 2 ** 20, 1);
    const hasResidual = booleanOption(system, 'residual');
    const pixels = patches(fovea, image, { size: s });
    const [, N, wide] = pixels.shape as [number, number, number];
    const D = system.size('D');
    const from = p['E'] ? system.size('s²C') : D;
    if (from !== wide) fail('shape', fn, `${p['E'] ? 'E' : 'Wq'} must have s²·C = ${wide} rows, got ${from}`);
    if (p['positions'] && system.size('N') !== N)
      fail('shape', fn, `positions must be [N, D] = [${N}, ${D}], got ${system.size('N')} rows`);
    const out = system.size(p['Wo'] ? 'out' : 'heads·dv');
    if (out % (s * s) !== 0)
      fail('shape', fn, `the width of ${p['Wo'] ? 'Wo' : 'Wv'} must be s²·C' with s² = ${s * s}, got ${out}`);
    if (hasResidual && out !== D) fail('shape', fn, `residual needs an output as wide as the tokens, ${D}, got ${out}`);

    const projected = p['E'] ? matmul(fovea, pixels, p['E']) : pixels;
    const X = system.record(
      'tokens',
      '\\operatorname{patches}(I) E + P',
      ['token', 'feature'],
      p['positions'] ? add(fovea, projected, p['positions']) : projected,
    );
    const { Wq, Wk, Wv, Wo } = p as Record<'Wq' | 'Wk' | 'Wv' | 'Wo', (typeof p)[string]>;
    const scale = system.options['scale'] as number | undefined;
    const attended = fovea.selfAttention(X, { Wq: Wq!, Wk: Wk!, Wv: Wv!, Wo }, { heads, scale, returnWeights: true });
    const weights = system.record(
      'weights',
      '\\operatorname{softmax}(s\\, X W_q (X W_k)^\\top)',
      ['head', 'query', 'key'],
      attended.weights,
    );
    const gated = p['gamma'] ? multiply(fovea, attended.output, p['gamma']) : attended.output;
    const O = system.record(
      'outputTokens',
      hasResidual ? 'X + \\gamma A X W_v W_o' : '\\gamma A X W_v W_o',
      ['token', 'feature'],
      hasResidual ? add(fovea, X, gated) : gated,
    );
    const placed = transpose(fovea, O.reshape([batch, height / s, width / s, s, s, out / (s * s)]), [0, 1, 3, 2, 4, 5]);
    const output = placed.reshape([batch, height, width, out / (s * s)]);
    system.record('output', 'O \\text{ in its places}', ['row', 'column', 'feature'], output);
    return { tokens: X, weights, outputTokens: O, output };
  }) as unknown as ImageSelfAttentionResult<ResultArray<A>>;
}
