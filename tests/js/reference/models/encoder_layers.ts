/**
 * Encoder layers of fovea/nn by their equations, for one sequence x [T, E], under the names of their weights:
 *   post-norm: h = norm1(x + attention(x)),   y = norm2(h + feedForward(h));   pre-norm: h = x + attention(norm1(x)),   y = h + feedForward(norm2(h))
 *   attention(x)   = Wo·heads + bo; queries and keys are rotated by their positions; token i sees j with i - left ≤ j ≤ i + right
 *   feedForward(x) = W2·activation(W1·x + b1) + b2, gated W2·(up ⊙ activation(gate)) + b2 where W1·x + b1 are up, then gate
 * Where no norm stands behind the last layer there is no `norm.weight`.
 */
import { columns, headsOf, type ModelParts, type Row, type Rows } from './parts.ts';

export interface EncoderSettings {
  readonly layers: number;
  readonly heads: number;
  readonly activation: string;
  readonly gated: boolean;
  readonly norm: 'layer' | 'rms';
  readonly eps: number;
  readonly normFirst: boolean;
  /** [left, right] of each layer; null = all tokens, -1 = all on that side. */
  readonly windows: readonly (readonly [number, number] | null)[];
  readonly rope: { readonly frequencies: readonly number[]; readonly interleaved: boolean } | null;
}

/** The states between the layers: x, then the output of each; the last behind the final norm. */
export function encoderStates(parts: ModelParts, settings: EncoderSettings, x: Rows): readonly Rows[] {
  const states = [x];
  for (let n = 0; n < settings.layers; n++) states.push(layerOf(parts, settings, n, states[n]!));
  if (parts.has('norm.weight')) states.push(normOf(parts, settings, states.pop()!, 'norm'));
  return states;
}

function layerOf(parts: ModelParts, settings: EncoderSettings, n: number, x: Rows): Rows {
  const layer = `layers.${n}.`;
  const norm = (rows: Rows, name: string): Rows => normOf(parts, settings, rows, layer + name);
  if (settings.normFirst) {
    const h = parts.sum(x, attentionOf(parts, settings, n, norm(x, 'norm1')));
    return parts.sum(h, feedForwardOf(parts, settings, layer, norm(h, 'norm2')));
  }
  const h = norm(parts.sum(x, attentionOf(parts, settings, n, x)), 'norm1');
  return norm(parts.sum(h, feedForwardOf(parts, settings, layer, h)), 'norm2');
}

function normOf(parts: ModelParts, { norm, eps }: EncoderSettings, x: Rows, name: string): Rows {
  return norm === 'rms' ? parts.rmsNorm(x, name, eps) : parts.layerNorm(x, name, eps);
}

function attentionOf(parts: ModelParts, { heads, windows, rope }: EncoderSettings, n: number, x: Rows): Rows {
  const width = x[0]!.length;
  const qkv = parts.linear(x, `layers.${n}.self_attn.in_proj`);
  const [q, k, v] = [0, 1, 2].map((part) => headsOf(columns(qkv, part * width, (part + 1) * width), heads));
  const turned = [q!, k!].map((all) => (rope === null ? all : parts.rotate(all, rope.frequencies, rope.interleaved)));
  const [left, right] = (windows[n] ?? [-1, -1]).map((side) => (side < 0 ? Infinity : side));
  const { rows } = parts.attention(turned[0]!, turned[1]!, v!, {
    scale: Math.sqrt(width / heads) ** -1,
    allowed: (i, j) => i - j <= left! && j - i <= right!,
  });
  return parts.linear(rows, `layers.${n}.self_attn.out_proj`);
}

function feedForwardOf(parts: ModelParts, { activation, gated }: EncoderSettings, layer: string, x: Rows): Rows {
  const between = parts.linear(x, `${layer}linear1`);
  if (!gated) return parts.linear(parts.activate(between, activation), `${layer}linear2`);
  const half = between[0]!.length / 2;
  const [up, gate] = [columns(between, 0, half), columns(between, half, 2 * half)];
  return parts.linear(parts.product(up, parts.activate(gate, activation)), `${layer}linear2`);
}

/** Numbers [T, E] as rows. */
export function rowsFrom(data: ArrayLike<number>, width: number): Rows {
  return Array.from({ length: data.length / width }, (_, t): Row =>
    Float64Array.from({ length: width }, (__, i) => data[t * width + i]!),
  );
}
