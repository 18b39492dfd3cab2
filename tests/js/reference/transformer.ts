/** transformer in double, a sequence at a time, from Vaswani et al. 2017, §3.1 to §3.5, post-norm, and its wrong variants by name. */
import { dot, plus, random, scaled, softmax, timesOuter, zeros, type Matrix, type Row } from './equations/rows.ts';

type Named = Record<string, unknown>;

export type Wrong =
  | 'positions restart'
  | 'decoder not causal'
  | 'not scaled'
  | 'embedding not scaled'
  | 'split-half positions'
  | 'source padding attended'
  | 'final norms left out';

export interface Sizes {
  readonly E: number;
  readonly F: number;
  readonly Vs: number;
  readonly Vt: number;
  readonly layers: number;
}

/** Random params by PyTorch's names, with final norms and a generator. */
export function transformerParams({ E, F, Vs, Vt, layers }: Sizes, seed = 1): Record<string, Matrix | Row> {
  const shapes: Record<string, readonly number[]> = { 'sourceEmbedding.weight': [Vs, E], 'targetEmbedding.weight': [Vt, E] };
  for (const stack of ['encoder', 'decoder']) {
    for (let l = 0; l < layers; l++) {
      const prefix = `${stack}.layers.${l}.`;
      for (const name of stack === 'encoder' ? ['self_attn'] : ['self_attn', 'multihead_attn'])
        Object.assign(shapes, {
          [`${prefix}${name}.in_proj_weight`]: [3 * E, E],
          [`${prefix}${name}.in_proj_bias`]: [3 * E],
          [`${prefix}${name}.out_proj.weight`]: [E, E],
          [`${prefix}${name}.out_proj.bias`]: [E],
        });
      const feedForward = { 'linear1.weight': [F, E], 'linear1.bias': [F], 'linear2.weight': [E, F], 'linear2.bias': [E] };
      for (const [name, shape] of Object.entries(feedForward)) shapes[prefix + name] = shape;
      for (const norm of stack === 'encoder' ? ['norm1', 'norm2'] : ['norm1', 'norm2', 'norm3'])
        Object.assign(shapes, { [`${prefix}${norm}.weight`]: [E], [`${prefix}${norm}.bias`]: [E] });
    }
    Object.assign(shapes, { [`${stack}.norm.weight`]: [E], [`${stack}.norm.bias`]: [E] });
  }
  Object.assign(shapes, { 'generator.weight': [Vt, E], 'generator.bias': [Vt] });
  return Object.fromEntries(
    Object.entries(shapes).map(([name, shape], n) => [name, random(shape as [number, number], seed + n)]),
  );
}

/** PE[p, 2i] = sin(p / 10000^(2i/E)), PE[p, 2i+1] = cos(the same). */
export function positionRow(p: number, E: number, wrong: Wrong | '' = ''): Row {
  const angle = (i: number): number => p / 10_000 ** ((2 * i) / E);
  const half = E / 2;
  if (wrong === 'split-half positions')
    return Array.from({ length: E }, (_, n) => (n < half ? Math.sin(angle(n)) : Math.cos(angle(n - half))));
  return Array.from({ length: E }, (_, n) => (n % 2 === 0 ? Math.sin(angle(n / 2)) : Math.cos(angle((n - 1) / 2))));
}

/** `state` is the source and the ids of each call so far: a continued call computes all of it again. */
export function reference(wrong: Wrong | '') {
  return (inputs: Named, params: Named, options: Named): Named => {
    const heads = options['heads'] as number;
    const P = (name: string): Matrix => params[name] as Matrix;
    const V = (name: string): Row => params[name] as unknown as Row;
    const E = P('targetEmbedding.weight')[0]!.length;
    const before = options['initialState'] as { source: unknown; chunks: number[][]; length: number } | undefined;
    const source = (before?.source ?? inputs['source']) as Matrix | Row;
    const chunks = [...(before?.chunks ?? []), inputs['target'] as number[]];
    const S = (options['sourceLengths'] as number | undefined) ?? source.length;

    const norm = (name: string, x: Row): Row => {
      const mean = x.reduce((sum, one) => sum + one, 0) / E;
      const variance = x.reduce((sum, one) => sum + (one - mean) ** 2, 0) / E;
      return x.map((one, n) => ((one - mean) / Math.sqrt(variance + 1e-5)) * V(`${name}.weight`)[n]! + V(`${name}.bias`)[n]!);
    };
    const final = (stack: string, X: Matrix): Matrix =>
      wrong === 'final norms left out' ? X : X.map((x) => norm(`${stack}.norm`, x));
    const linear = (name: string, x: Row): Row => plus(timesOuter(P(`${name}.weight`), x), V(`${name}.bias`));
    const feedForward = (layer: string, x: Row): Row =>
      linear(
        `${layer}linear2`,
        linear(`${layer}linear1`, x).map((one) => Math.max(0, one)),
      );
    const attend = (name: string, X: Matrix, M: Matrix, allowed: (i: number, j: number) => boolean) => {
      const width = E / heads;
      const scale = wrong === 'not scaled' ? 1 : 1 / Math.sqrt(width);
      const project = (part: number, rows: Matrix): Matrix =>
        rows.map((row) =>
          plus(
            timesOuter(P(`${name}.in_proj_weight`).slice(part * E, (part + 1) * E), row),
            V(`${name}.in_proj_bias`).slice(part * E, (part + 1) * E),
          ),
        );
      const [q, k, v] = [project(0, X), project(1, M), project(2, M)];
      const head = (row: Row, h: number): Row => row.slice(h * width, (h + 1) * width);
      const weights = Array.from({ length: heads }, (_, h) =>
        X.map((_, i) =>
          softmax(
            M.map((_, j) => scale * dot(head(q[i]!, h), head(k[j]!, h))),
            (j) => allowed(i, j),
          ),
        ),
      );
      const output = X.map((_, i) => {
        const mixed = weights.flatMap((rows, h) =>
          rows[i]!.reduce<Row>((sum, weight, j) => plus(sum, scaled(head(v[j]!, h), weight)), zeros(width)),
        );
        return linear(`${name}.out_proj`, mixed);
      });
      return { output, weights };
    };
    const embed = (ids: Row, table: Matrix): Matrix =>
      ids.map((id) => scaled(table[id]!, wrong === 'embedding not scaled' ? 1 : Math.sqrt(E)));
    const place = (X: Matrix, positions: readonly number[]): Matrix =>
      options['positions'] === 'none' ? X : X.map((x, t) => plus(x, positionRow(positions[t]!, E, wrong)));
    const countLayers = (stack: string): number =>
      Object.keys(params).filter((name) => name.startsWith(`${stack}.layers.`) && name.endsWith('.norm1.weight')).length;

    const isVectors = Array.isArray(source[0]);
    const isThere = (_: number, j: number): boolean => wrong === 'source padding attended' || j < S;
    const ids = source as Row;
    let X = place(isVectors ? (source as Matrix) : embed(ids, P('sourceEmbedding.weight')), [...source.keys()]);
    const encoderWeights: Matrix[][] = [];
    for (let l = 0; l < countLayers('encoder'); l++) {
      const layer = `encoder.layers.${l}.`;
      const { output, weights } = attend(`${layer}self_attn`, X, X, isThere);
      encoderWeights.push(weights);
      X = X.map((x, t) => norm(`${layer}norm1`, plus(x, output[t]!)));
      X = X.map((x) => norm(`${layer}norm2`, plus(x, feedForward(layer, x))));
    }
    const memory = final('encoder', X);

    const target = chunks.flat();
    const positions = wrong === 'positions restart' ? chunks.flatMap((chunk) => [...chunk.keys()]) : [...target.keys()];
    let Y = place(embed(target, P('targetEmbedding.weight')), positions);
    for (let l = 0; l < countLayers('decoder'); l++) {
      const layer = `decoder.layers.${l}.`;
      const own = attend(`${layer}self_attn`, Y, Y, (i, j) => j <= i || wrong === 'decoder not causal').output;
      Y = Y.map((y, t) => norm(`${layer}norm1`, plus(y, own[t]!)));
      const cross = attend(`${layer}multihead_attn`, Y, memory, isThere).output;
      Y = Y.map((y, t) => norm(`${layer}norm2`, plus(y, cross[t]!)));
      Y = Y.map((y) => norm(`${layer}norm3`, plus(y, feedForward(layer, y))));
    }
    const output = final('decoder', Y).slice(before?.length ?? 0);
    const logits = output.map((y) => linear('generator', y));
    const probability = logits.map((row) => softmax(row));
    const last = logits[logits.length - 1];
    const cut = (rows: Matrix): Matrix => rows.map((row, t) => (t < S ? row : zeros(row.length)));
    return {
      ...(!before && { memory: cut(memory), encoderWeights: encoderWeights.map((layer) => layer.map(cut)) }),
      ...{ output, logits, probability },
      next: last ? last.indexOf(Math.max(...last)) : -1,
      state: { source, chunks, length: target.length },
    };
  };
}
