/**
 * Folders of models as Hugging Face writes them, with seeded weights and sizes that are ragged on purpose: a width of 12 in 3 heads of 4 or of 24
 * in 12 heads of 2, heads that are wider than their share, an odd feed-forward, vocabularies of 40 and 13, windows shorter than the texts.
 */
import { writeSafetensors, type WriteSafetensorsOptions } from 'fovea/files';
import type { Config } from '../reference/models/parts.ts';
import { prefixOf } from '../reference/models/encoders.ts';
import type { Values } from './transformer_reference.ts';
import { TestRandom } from './truth_random.ts';

export type FolderDtype = 'F32' | 'F16' | 'BF16';

export interface ModelRecipe {
  readonly config: Config;
  /** Default F32; the weights are numbers of it. */
  readonly dtype?: FolderDtype;
  /** How many files the weights are in; default 1, which has no index. */
  readonly parts?: number;
  readonly seed?: number;
}

export interface TestModel {
  readonly config: Config;
  /** Under the file's names. */
  readonly weights: ReadonlyMap<string, Values>;
  readonly files: Map<string, Uint8Array>;
}

type Shapes = readonly (readonly [name: string, ...shape: number[]])[];

export function testModel({ config, dtype = 'F32', parts = 1, seed = 1 }: ModelRecipe): TestModel {
  const random = new TestRandom(seed);
  const weights = new Map(
    shapesOf(config).map(([name, ...shape]) => {
      const { data } = random.normals(shape, deviationOf(name, shape));
      const center = isNorm(name) && name.endsWith('.weight') && !config.model_type.startsWith('gemma') ? 1 : 0;
      return [name, { data: data.map((x) => roundTo(dtype, x + center)), shape }] as const;
    }),
  );
  const files = new Map([['config.json', jsonFile(config)]]);
  addWeights(files, weights, dtype, parts);
  return { config, weights, files };
}

export const jsonFile = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** model.safetensors; or its parts, to which the weights are dealt in turn, and the index. */
export function addWeights(
  files: Map<string, Uint8Array>,
  weights: ReadonlyMap<string, Values>,
  dtype: FolderDtype = 'F32',
  parts = 1,
): void {
  const options: WriteSafetensorsOptions = { dtype, metadata: { format: 'pt' } };
  const stored = [...weights] as [string, { data: Float32Array; shape: number[] }][];
  if (parts === 1) return void files.set('model.safetensors', writeSafetensors(new Map(stored), options));
  const nameOf = (part: number): string => `model-0000${part + 1}-of-0000${parts}.safetensors`;
  for (let part = 0; part < parts; part++)
    files.set(nameOf(part), writeSafetensors(new Map(stored.filter((_, n) => n % parts === part)), options));
  const weight_map = Object.fromEntries(stored.map(([name], n) => [name, nameOf(n % parts)]));
  files.set('model.safetensors.index.json', jsonFile({ metadata: { total_size: 1 }, weight_map }));
}

/** The number of the dtype that is nearest, ties to even. */
export function roundTo(dtype: FolderDtype, x: number): number {
  if (dtype === 'F32' || x === 0) return Math.fround(x);
  const bits = dtype === 'F16' ? 11 : 8;
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(x))), dtype === 'F16' ? -14 : -126);
  const unit = 2 ** (exponent - bits + 1);
  const steps = x / unit;
  const down = Math.floor(steps);
  const isUp = steps - down > 0.5 || (steps - down === 0.5 && down % 2 !== 0);
  return (down + (isUp ? 1 : 0)) * unit;
}

const isNorm = (name: string): boolean => /norm|emb_ln|ln_|LayerNorm/i.test(name);

/** Products keep the size of what they are given. */
function deviationOf(name: string, shape: readonly number[]): number {
  if (shape.length === 1) return 0.25;
  if (/relative_attention_bias/.test(name)) return 1;
  return /embed|wte|wpe|tok_/.test(name) ? 1 : shape[/c_attn|c_proj|c_fc/.test(name) ? 0 : 1]! ** -0.5;
}

/** The names and shapes of all weights. */
function shapesOf(config: Config): Shapes {
  const of = SHAPES[config.model_type];
  if (of === undefined) throw new Error(`no shapes of ${config.model_type}`);
  return of(config);
}

const sizes = (config: Config, ...keys: string[]): number[] => keys.map((key) => config[key] as number);
const matrix = (name: string, out: number, inner: number): Shapes => [[`${name}.weight`, out, inner]];
const biased = (name: string, out: number, inner: number): Shapes => [
  [`${name}.weight`, out, inner],
  [`${name}.bias`, out],
];
const norm = (name: string, width: number): Shapes => [
  [`${name}.weight`, width],
  [`${name}.bias`, width],
];
const layersOf = (count: number, shapes: (n: number) => Shapes): Shapes =>
  Array.from({ length: count }, (_, n) => shapes(n)).flat();

const HEAD_PATHS = {
  attention: 'attention.self.',
  query: 'query',
  key: 'key',
  value: 'value',
  out: 'attention.output.dense',
} as const;
const MPNET_PATHS = { attention: 'attention.attn.', query: 'q', key: 'k', value: 'v', out: 'attention.attn.o' } as const;

function bertShapes(config: Config): Shapes {
  const [width, layers, between, positions, vocabulary] = sizes(
    config,
    ...['hidden_size', 'num_hidden_layers', 'intermediate_size', 'max_position_embeddings', 'vocab_size'],
  ) as [number, number, number, number, number];
  const prefix = prefixOf(config);
  const isJina = config['position_embedding_type'] === 'alibi';
  const isMpnet = config.model_type === 'mpnet';
  const { attention, out, ...projections } = isMpnet ? MPNET_PATHS : HEAD_PATHS;
  const feedForward = (layer: string): Shapes =>
    isJina
      ? [
          ...matrix(`${layer}mlp.gated_layers`, 2 * between, width),
          ...biased(`${layer}mlp.wo`, width, between),
          ...norm(`${layer}mlp.layernorm`, width),
        ]
      : [
          ...biased(`${layer}intermediate.dense`, between, width),
          ...biased(`${layer}output.dense`, width, between),
          ...norm(`${layer}output.LayerNorm`, width),
        ];
  return [
    ...matrix(`${prefix}embeddings.word_embeddings`, vocabulary, width),
    ...(isJina ? [] : matrix(`${prefix}embeddings.position_embeddings`, positions, width)),
    ...(isMpnet ? [] : matrix(`${prefix}embeddings.token_type_embeddings`, config['type_vocab_size'] as number, width)),
    ...norm(`${prefix}embeddings.LayerNorm`, width),
    ...(isMpnet ? matrix(`${prefix}encoder.relative_attention_bias`, 32, config['num_attention_heads'] as number) : []),
    ...layersOf(layers, (n) => {
      const layer = `${prefix}encoder.layer.${n}.`;
      return [
        ...Object.values(projections).flatMap((name) => biased(`${layer}${attention}${name}`, width, width)),
        ...biased(layer + out, width, width),
        ...norm(`${layer}attention.${isMpnet ? '' : 'output.'}LayerNorm`, width),
        ...feedForward(layer),
      ];
    }),
    ...headShapes(config, prefix, width),
  ];
}

/** The head that the architecture names. RoBERTa's files may have a pooler that its head does not use. */
function headShapes(config: Config, prefix: string, width: number): Shapes {
  const [architecture] = config['architectures'] as readonly string[];
  const classes = Object.keys((config['id2label'] as object | undefined) ?? {}).length;
  if (/ForTokenClassification$/.test(architecture!)) return biased('classifier', classes, width);
  if (!/ForSequenceClassification$/.test(architecture!)) return [];
  if (config.model_type === 'bert' || config.model_type === 'nomic_bert')
    return [...biased(`${prefix}pooler.dense`, width, width), ...biased('classifier', classes, width)];
  if (config.model_type === 'distilbert')
    return [...biased('pre_classifier', width, width), ...biased('classifier', classes, width)];
  return [
    ...biased(`${prefix}pooler.dense`, width, width),
    ...biased('classifier.dense', width, width),
    ...biased('classifier.out_proj', classes, width),
  ];
}

function distilbertShapes(config: Config): Shapes {
  const [width, layers, between, positions, vocabulary] = sizes(
    config,
    ...['dim', 'n_layers', 'hidden_dim', 'max_position_embeddings', 'vocab_size'],
  ) as [number, number, number, number, number];
  const prefix = prefixOf(config);
  return [
    ...matrix(`${prefix}embeddings.word_embeddings`, vocabulary, width),
    ...matrix(`${prefix}embeddings.position_embeddings`, positions, width),
    ...norm(`${prefix}embeddings.LayerNorm`, width),
    ...layersOf(layers, (n) => {
      const layer = `${prefix}transformer.layer.${n}.`;
      return [
        ...['q', 'k', 'v', 'out'].flatMap((name) => biased(`${layer}attention.${name}_lin`, width, width)),
        ...norm(`${layer}sa_layer_norm`, width),
        ...biased(`${layer}ffn.lin1`, between, width),
        ...biased(`${layer}ffn.lin2`, width, between),
        ...norm(`${layer}output_layer_norm`, width),
      ];
    }),
    ...headShapes(config, prefix, width),
  ];
}

function modernbertShapes(config: Config): Shapes {
  const [width, layers, between, vocabulary] = sizes(
    config,
    ...['hidden_size', 'num_hidden_layers', 'intermediate_size', 'vocab_size'],
  ) as [number, number, number, number];
  const prefix = prefixOf(config);
  const product = config['mlp_bias'] === true ? biased : matrix;
  const [architecture] = config['architectures'] as readonly string[];
  const classes = Object.keys((config['id2label'] as object | undefined) ?? {}).length;
  return [
    ...matrix(`${prefix}embeddings.tok_embeddings`, vocabulary, width),
    [`${prefix}embeddings.norm.weight`, width],
    ...layersOf(layers, (n) => {
      const layer = `${prefix}layers.${n}.`;
      return [
        ...(n === 0 ? [] : ([[`${layer}attn_norm.weight`, width]] as const)),
        ...matrix(`${layer}attn.Wqkv`, 3 * width, width),
        ...matrix(`${layer}attn.Wo`, width, width),
        [`${layer}mlp_norm.weight`, width],
        ...product(`${layer}mlp.Wi`, 2 * between, width),
        ...product(`${layer}mlp.Wo`, width, between),
      ];
    }),
    [`${prefix}final_norm.weight`, width],
    ...(/Model$/.test(architecture!)
      ? []
      : [...matrix('head.dense', width, width), ['head.norm.weight', width] as const, ...biased('classifier', classes, width)]),
  ];
}

function nomicShapes(config: Config): Shapes {
  const [width, layers, between, vocabulary] = sizes(config, 'n_embd', 'n_layer', 'n_inner', 'vocab_size') as [
    number,
    number,
    number,
    number,
  ];
  const prefix = prefixOf(config);
  return [
    ...matrix(`${prefix}embeddings.word_embeddings`, vocabulary, width),
    ...matrix(`${prefix}embeddings.token_type_embeddings`, 2, width),
    ...norm(`${prefix}emb_ln`, width),
    ...layersOf(layers, (n) => {
      const layer = `${prefix}encoder.layers.${n}.`;
      return [
        ...matrix(`${layer}attn.Wqkv`, 3 * width, width),
        ...matrix(`${layer}attn.out_proj`, width, width),
        ...norm(`${layer}norm1`, width),
        ...matrix(`${layer}mlp.fc11`, between, width),
        ...matrix(`${layer}mlp.fc12`, between, width),
        ...matrix(`${layer}mlp.fc2`, width, between),
        ...norm(`${layer}norm2`, width),
      ];
    }),
    ...headShapes(config, prefix, width),
  ];
}

function gpt2Shapes(config: Config): Shapes {
  const [width, layers, positions, vocabulary] = sizes(config, 'n_embd', 'n_layer', 'n_positions', 'vocab_size') as [
    number,
    number,
    number,
    number,
  ];
  const inOut = (name: string, inner: number, out: number): Shapes => [
    [`${name}.weight`, inner, out],
    [`${name}.bias`, out],
  ];
  const between = (config['n_inner'] as number | undefined) ?? 4 * width;
  return [
    ...matrix('transformer.wte', vocabulary, width),
    ...matrix('transformer.wpe', positions, width),
    ...layersOf(layers, (n) => {
      const layer = `transformer.h.${n}.`;
      return [
        ...norm(`${layer}ln_1`, width),
        ...inOut(`${layer}attn.c_attn`, width, 3 * width),
        ...inOut(`${layer}attn.c_proj`, width, width),
        ...norm(`${layer}ln_2`, width),
        ...inOut(`${layer}mlp.c_fc`, width, between),
        ...inOut(`${layer}mlp.c_proj`, between, width),
      ];
    }),
    ...norm('transformer.ln_f', width),
  ];
}

function llamaShapes(config: Config): Shapes {
  const [width, layers, between, heads, kvHeads, vocabulary] = sizes(
    config,
    ...['hidden_size', 'num_hidden_layers', 'intermediate_size', 'num_attention_heads', 'num_key_value_heads', 'vocab_size'],
  ) as [number, number, number, number, number, number];
  const headWidth = (config['head_dim'] as number | undefined) ?? width / heads;
  const project = config.model_type === 'qwen2' ? biased : matrix;
  const isNormed = ['qwen3', 'gemma3_text'].includes(config.model_type);
  const isAround = ['gemma2', 'gemma3_text'].includes(config.model_type);
  const norms = [
    'input_layernorm',
    'post_attention_layernorm',
    ...(isAround ? ['pre_feedforward_layernorm', 'post_feedforward_layernorm'] : []),
  ];
  return [
    ...matrix('model.embed_tokens', vocabulary, width),
    ...layersOf(layers, (n) => {
      const layer = `model.layers.${n}.`;
      return [
        ...project(`${layer}self_attn.q_proj`, heads * headWidth, width),
        ...project(`${layer}self_attn.k_proj`, kvHeads * headWidth, width),
        ...project(`${layer}self_attn.v_proj`, kvHeads * headWidth, width),
        ...matrix(`${layer}self_attn.o_proj`, width, heads * headWidth),
        ...(isNormed ? ['q_norm', 'k_norm'].map((name) => [`${layer}self_attn.${name}.weight`, headWidth] as const) : []),
        ...matrix(`${layer}mlp.gate_proj`, between, width),
        ...matrix(`${layer}mlp.up_proj`, between, width),
        ...matrix(`${layer}mlp.down_proj`, width, between),
        ...norms.map((name) => [`${layer}${name}.weight`, width] as const),
      ];
    }),
    ['model.norm.weight', width],
    ...(config['tie_word_embeddings'] === true ? [] : matrix('lm_head', vocabulary, width)),
  ];
}

const SHAPES: Readonly<Record<string, (config: Config) => Shapes>> = {
  ...{ bert: bertShapes, roberta: bertShapes, 'xlm-roberta': bertShapes, camembert: bertShapes, mpnet: bertShapes },
  ...{ distilbert: distilbertShapes, modernbert: modernbertShapes, nomic_bert: nomicShapes },
  ...{ gpt2: gpt2Shapes, llama: llamaShapes, mistral: llamaShapes, qwen2: llamaShapes, qwen3: llamaShapes },
  ...{ gemma: llamaShapes, gemma2: llamaShapes, gemma3_text: llamaShapes },
};
