/**
 * Encoders by their equations. Norms behind the sums (BERT, RoBERTa, MPNet, DistilBERT, Jina, Nomic):
 *   x = norm(embeddings);   h = norm(x + Wo·attention(x));   x = norm(h + feedForward(h))
 * Norms before the halves (ModernBERT), without the first layer's first:
 *   h = x + Wo·attention(norm(x));   x = h + feedForward(norm(h));   at last norm(x)
 * feedForward(x) = W2·gelu(W1 x), gated W2·(up(x) ⊙ activation(gate(x))).
 */
import {
  columns,
  frequenciesOf,
  headsOf,
  numberOf,
  type Attended,
  type AttentionRules,
  type Config,
  type ModelParts,
  type Row,
  type Rows,
} from './parts.ts';

export interface TextIds {
  readonly ids: readonly number[];
  /** The kind of each token; default 0. */
  readonly types?: readonly number[];
}

export interface Encoded {
  readonly states: Rows;
  /** [H, T, T] of each layer. */
  readonly attentions: readonly Row[];
}

type Family = (parts: ModelParts, config: Config, text: TextIds, prefix: string) => Encoded;

export function encode(parts: ModelParts, config: Config, text: TextIds): Encoded {
  const family = FAMILIES[config.model_type]!;
  return family(parts, config, text, prefixOf(config));
}

/** Models with a head have the encoder's weights under a name of their own. */
export function prefixOf(config: Config): string {
  const [architecture] = config['architectures'] as readonly string[];
  return /Model$/.test(architecture!) ? '' : PREFIXES[config.model_type]!;
}

const PREFIXES: Readonly<Record<string, string>> = {
  ...{ bert: 'bert.', roberta: 'roberta.', 'xlm-roberta': 'roberta.', camembert: 'roberta.', mpnet: 'mpnet.' },
  ...{ distilbert: 'distilbert.', modernbert: 'model.', nomic_bert: 'bert.' },
};

/** The names of a layer's weights where families differ. */
interface LayerNames {
  readonly query: string;
  readonly key: string;
  readonly value: string;
  readonly out: string;
  readonly attentionNorm: string;
  readonly outputNorm: string;
}

const BERT: LayerNames = {
  ...{ query: 'attention.self.query', key: 'attention.self.key', value: 'attention.self.value' },
  ...{ out: 'attention.output.dense', attentionNorm: 'attention.output.LayerNorm', outputNorm: 'output.LayerNorm' },
};
const MPNET: LayerNames = {
  ...{ query: 'attention.attn.q', key: 'attention.attn.k', value: 'attention.attn.v', out: 'attention.attn.o' },
  ...{ attentionNorm: 'attention.LayerNorm', outputNorm: 'output.LayerNorm' },
};
const JINA: LayerNames = { ...BERT, outputNorm: 'mlp.layernorm' };
const DISTILBERT: LayerNames = {
  ...{ query: 'attention.q_lin', key: 'attention.k_lin', value: 'attention.v_lin', out: 'attention.out_lin' },
  ...{ attentionNorm: 'sa_layer_norm', outputNorm: 'output_layer_norm' },
};

/** The sum of the words, positions and kinds that a family has, normed. */
function embed(
  parts: ModelParts,
  { ids, types }: TextIds,
  prefix: string,
  first: number | null,
  norm: string,
  eps: number,
): Rows {
  let x: Rows = ids.map((id) => parts.row(`${prefix}embeddings.word_embeddings.weight`, id));
  if (first !== null)
    x = parts.sum(
      x,
      ids.map((_, t) => parts.row(`${prefix}embeddings.position_embeddings.weight`, first + t)),
    );
  const kinds = `${prefix}embeddings.token_type_embeddings.weight`;
  if (parts.has(kinds))
    x = parts.sum(
      x,
      ids.map((_, t) => parts.row(kinds, types?.[t] ?? 0)),
    );
  return parts.layerNorm(x, `${prefix}${norm}`, eps);
}

interface PostNorm {
  readonly layers: number;
  readonly heads: number;
  readonly eps: number;
  readonly path: string;
  readonly names: LayerNames;
  readonly rules?: Omit<AttentionRules, 'scale'>;
  readonly feedForward: (x: Rows, layer: string) => Rows;
}

function postNormLayers(
  parts: ModelParts,
  start: Rows,
  { layers, heads, eps, path, names, rules, feedForward }: PostNorm,
): Encoded {
  let x = start;
  const attentions: Row[] = [];
  const scale = Math.sqrt(x[0]!.length / heads) ** -1;
  for (let n = 0; n < layers; n++) {
    const layer = `${path}${n}.`;
    const [q, k, v] = [names.query, names.key, names.value].map((name) => headsOf(parts.linear(x, layer + name), heads));
    const { rows, weights } = parts.attention(q!, k!, v!, { scale, ...rules });
    attentions.push(weights);
    const h = parts.layerNorm(parts.sum(x, parts.linear(rows, layer + names.out)), layer + names.attentionNorm, eps);
    x = parts.layerNorm(parts.sum(h, feedForward(h, layer)), layer + names.outputNorm, eps);
  }
  return { states: x, attentions };
}

function bertLike(
  parts: ModelParts,
  config: Config,
  text: TextIds,
  prefix: string,
  first: number | null,
  own: Partial<PostNorm>,
): Encoded {
  const eps = numberOf(config, 'layer_norm_eps');
  const x = embed(parts, text, prefix, first, 'embeddings.LayerNorm', eps);
  const feedForward = (h: Rows, layer: string): Rows =>
    parts.linear(
      parts.activate(parts.linear(h, `${layer}intermediate.dense`), config['hidden_act'] as string),
      `${layer}output.dense`,
    );
  return postNormLayers(parts, x, {
    ...{ layers: numberOf(config, 'num_hidden_layers'), heads: numberOf(config, 'num_attention_heads'), eps },
    ...{ path: `${prefix}encoder.layer.`, names: BERT, feedForward },
    ...own,
  });
}

const bert: Family = (parts, config, text, prefix) => {
  if (config['position_embedding_type'] !== 'alibi') return bertLike(parts, config, text, prefix, 0, {});
  const slopes = alibiSlopes(numberOf(config, 'num_attention_heads'));
  const between = numberOf(config, 'intermediate_size');
  return bertLike(parts, config, text, prefix, null, {
    names: JINA,
    rules: { bias: (h, i, j) => -slopes[h]! * Math.abs(i - j) },
    feedForward: (h, layer) => {
      const wide = parts.linear(h, `${layer}mlp.gated_layers`);
      const gate = parts.activate(columns(wide, 0, between), 'gelu');
      return parts.linear(parts.product(gate, columns(wide, between, 2 * between)), `${layer}mlp.wo`);
    },
  });
};

const roberta: Family = (parts, config, text, prefix) =>
  bertLike(parts, config, text, prefix, numberOf(config, 'pad_token_id') + 1, {});

const mpnet: Family = (parts, config, text, prefix) => {
  const { data, shape } = parts.values(`${prefix}encoder.relative_attention_bias.weight`);
  return bertLike(parts, config, text, prefix, 2, {
    names: MPNET,
    rules: { bias: (h, i, j) => data[bucketOf(j - i) * shape[1]! + h]! },
  });
};

const distilbert: Family = (parts, config, text, prefix) => {
  const eps = 1e-12;
  const x = embed(parts, text, prefix, 0, 'embeddings.LayerNorm', eps);
  return postNormLayers(parts, x, {
    ...{ layers: numberOf(config, 'n_layers'), heads: numberOf(config, 'n_heads'), eps },
    ...{ path: `${prefix}transformer.layer.`, names: DISTILBERT },
    feedForward: (h, layer) =>
      parts.linear(parts.activate(parts.linear(h, `${layer}ffn.lin1`), config['activation'] as string), `${layer}ffn.lin2`),
  });
};

const nomic: Family = (parts, config, text, prefix) => {
  const [width, heads, eps] = [numberOf(config, 'n_embd'), numberOf(config, 'n_head'), numberOf(config, 'layer_norm_epsilon')];
  const headWidth = width / heads;
  const rotated = 2 * Math.floor((numberOf(config, 'rotary_emb_fraction') * headWidth) / 2);
  const frequencies = frequenciesOf(numberOf(config, 'rotary_emb_base'), rotated);
  const interleaved = config['rotary_emb_interleaved'] as boolean;
  let x = embed(parts, text, prefix, null, 'emb_ln', eps);
  const attentions: Row[] = [];
  for (let n = 0; n < numberOf(config, 'n_layer'); n++) {
    const layer = `${prefix}encoder.layers.${n}.`;
    const { rows, weights } = fused(parts, parts.linear(x, `${layer}attn.Wqkv`), heads, frequencies, {}, interleaved);
    attentions.push(weights);
    const h = parts.layerNorm(parts.sum(x, parts.linear(rows, `${layer}attn.out_proj`)), `${layer}norm1`, eps);
    const gated = parts.product(
      parts.linear(h, `${layer}mlp.fc11`),
      parts.activate(parts.linear(h, `${layer}mlp.fc12`), 'silu'),
    );
    x = parts.layerNorm(parts.sum(h, parts.linear(gated, `${layer}mlp.fc2`)), `${layer}norm2`, eps);
  }
  return { states: x, attentions };
};

const modernbert: Family = (parts, config, { ids }, prefix) => {
  const [width, heads, eps] = [
    numberOf(config, 'hidden_size'),
    numberOf(config, 'num_attention_heads'),
    numberOf(config, 'norm_eps'),
  ];
  const between = numberOf(config, 'intermediate_size');
  const reach = Math.floor(numberOf(config, 'local_attention') / 2);
  let x: Rows = ids.map((id) => parts.row(`${prefix}embeddings.tok_embeddings.weight`, id));
  x = parts.layerNorm(x, `${prefix}embeddings.norm`, eps);
  const attentions: Row[] = [];
  for (let n = 0; n < numberOf(config, 'num_hidden_layers'); n++) {
    const layer = `${prefix}layers.${n}.`;
    const isGlobal = n % numberOf(config, 'global_attn_every_n_layers') === 0;
    const base = numberOf(config, isGlobal ? 'global_rope_theta' : 'local_rope_theta');
    const rules = isGlobal ? {} : { allowed: (i: number, j: number) => Math.abs(i - j) <= reach };
    const normed = n === 0 ? x : parts.layerNorm(x, `${layer}attn_norm`, eps);
    const { rows, weights } = fused(
      parts,
      parts.linear(normed, `${layer}attn.Wqkv`),
      heads,
      frequenciesOf(base, width / heads),
      rules,
    );
    attentions.push(weights);
    const h = parts.sum(x, parts.linear(rows, `${layer}attn.Wo`));
    const wide = parts.linear(parts.layerNorm(h, `${layer}mlp_norm`, eps), `${layer}mlp.Wi`);
    const gate = parts.activate(columns(wide, 0, between), 'gelu');
    x = parts.sum(h, parts.linear(parts.product(gate, columns(wide, between, 2 * between)), `${layer}mlp.Wo`));
  }
  return { states: parts.layerNorm(x, `${prefix}final_norm`, eps), attentions };
};

/** Attention of rows [q, k, v] with rotary positions. */
function fused(
  parts: ModelParts,
  qkv: Rows,
  heads: number,
  frequencies: readonly number[],
  rules: Omit<AttentionRules, 'scale'>,
  interleaved = false,
): Attended {
  const width = qkv[0]!.length / 3;
  const [q, k, v] = [0, 1, 2].map((n) => headsOf(columns(qkv, n * width, (n + 1) * width), heads));
  const turn = (one: typeof q): NonNullable<typeof q> => parts.rotate(one!, frequencies, interleaved);
  return parts.attention(turn(q), turn(k), v!, { scale: Math.sqrt(width / heads) ** -1, ...rules });
}

/** ALiBi's slopes: of n = 2^k heads 2^(-8h/n) for h = 1 … n; the heads beyond n take every other slope of 2n (Press et al. 2022). */
export function alibiSlopes(heads: number): number[] {
  const n = 2 ** Math.floor(Math.log2(heads));
  return Array.from({ length: heads }, (_, h) =>
    h < n ? 2 ** ((-8 * (h + 1)) / n) : 2 ** ((-8 * (2 * (h - n) + 1)) / (2 * n)),
  );
}

/**
 * T5's bucket of a distance among 32, two-way, up to 128: 16 and more for keys behind the query; distances below 8 have one each,
 * others 8 + ⌊8 · log(d/8) / log(16)⌋ = 8 + ⌊log2((d/8)²)⌋, at most 15.
 */
export function bucketOf(distance: number): number {
  const side = distance > 0 ? 16 : 0;
  const d = Math.abs(distance);
  if (d < 8) return side + d;
  let step = 0;
  while (step < 7 && d * d >= 64 * 2 ** (step + 1)) step++;
  return side + 8 + step;
}

const FAMILIES: Readonly<Record<string, Family>> = {
  ...{ bert, roberta, 'xlm-roberta': roberta, camembert: roberta, mpnet, distilbert, modernbert, nomic_bert: nomic },
};

/** The logits of the head of classes, of the first token's state or of the mean of all. */
export function classLogits(parts: ModelParts, config: Config, { states }: Encoded): Row {
  const isMean = config['classifier_pooling'] === 'mean';
  const mean = Float64Array.from(states[0]!, (_, i) => states.reduce((sum, row) => sum + row[i]!, 0) / states.length);
  const x: Rows = [isMean ? mean : states[0]!];
  switch (config.model_type) {
    case 'bert':
    case 'nomic_bert':
      return parts.linear(parts.activate(parts.linear(x, `${prefixOf(config)}pooler.dense`), 'tanh'), 'classifier')[0]!;
    case 'distilbert':
      return parts.linear(parts.activate(parts.linear(x, 'pre_classifier'), 'relu'), 'classifier')[0]!;
    case 'modernbert':
      return parts.linear(modernHead(parts, config, x), 'classifier')[0]!;
    default:
      return parts.linear(parts.activate(parts.linear(x, 'classifier.dense'), 'tanh'), 'classifier.out_proj')[0]!;
  }
}

/** The logits of the head of tags for each token. */
export function tagLogits(parts: ModelParts, config: Config, { states }: Encoded): Rows {
  return parts.linear(config.model_type === 'modernbert' ? modernHead(parts, config, states) : states, 'classifier');
}

function modernHead(parts: ModelParts, config: Config, x: Rows): Rows {
  return parts.layerNorm(parts.activate(parts.linear(x, 'head.dense'), 'gelu'), 'head.norm', numberOf(config, 'norm_eps'));
}
