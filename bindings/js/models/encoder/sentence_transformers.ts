/** The settings of sentence-transformers beside a model: how to pool, dense layers, unit length, prompts, and the limit of tokens. */
import { describe, fail } from '../../errors/errors.ts';
import { isList, isPlainObject } from '../../errors/options.ts';
import { ModelConfig } from '../config.ts';
import { isFileName, readJson, type Folder } from '../folder/folder.ts';
import type { Pooling } from '../types/index.ts';
import type { DenseSpec } from './dense.ts';

export interface SentenceSettings {
  readonly pooling: Pooling;
  readonly poolingFrom: 'folder' | 'default';
  /** In order; empty where there are none. */
  readonly dense: readonly DenseSpec[];
  readonly normalize: boolean;
  readonly prompts: Readonly<Record<string, string>>;
  /** Null where the folder does not limit them. */
  readonly maxTokens: number | null;
}

const POOLING_FLAGS: readonly (readonly [flag: string, mode: string, pooling: Pooling])[] = [
  ['pooling_mode_cls_token', 'cls', 'cls'],
  ['pooling_mode_mean_tokens', 'mean', 'mean'],
  ['pooling_mode_max_tokens', 'max', 'max'],
  ['pooling_mode_mean_sqrt_len_tokens', 'mean_sqrt_len_tokens', 'meanSqrtLength'],
  ['pooling_mode_weightedmean_tokens', 'weightedmean', 'weightedMean'],
  ['pooling_mode_lasttoken', 'lasttoken', 'lastToken'],
];

export async function readSentenceSettings(fn: string, folder: Folder): Promise<SentenceSettings> {
  const [modules, limits, texts] = [
    await readJson(fn, folder, 'modules.json'),
    configOf(fn, 'sentence_bert_config.json', await readJson(fn, folder, 'sentence_bert_config.json')),
    configOf(fn, 'config_sentence_transformers.json', await readJson(fn, folder, 'config_sentence_transformers.json')),
  ];
  const maxTokens = limits.value('max_seq_length') === undefined ? null : limits.natural('max_seq_length');
  const prompts = Object.fromEntries(
    Object.entries((texts.value('prompts') ?? {}) as Record<string, unknown>).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
  const shared = { prompts, maxTokens, dense: [] };
  if (modules === undefined) return { pooling: 'mean', poolingFrom: 'default', normalize: true, ...shared };
  if (!isList(modules)) return fail('value', fn, `modules.json must be a list, got ${describe(modules)}`);
  let settings: SentenceSettings = { pooling: 'mean', poolingFrom: 'default', normalize: false, ...shared };
  for (const one of modules) {
    const module = configOf(fn, 'modules.json', one);
    const type = module.text('type').replace(/^.*\./, '');
    if (type === 'Pooling') {
      const path = `${pathOf(module)}/config.json`;
      const pooling = poolingOf(fn, path, configOf(fn, path, await readJson(fn, folder, path)));
      settings = { ...settings, pooling, poolingFrom: 'folder' };
    } else if (type === 'Dense') {
      const path = pathOf(module);
      const file = `${path}/config.json`;
      const layer = denseOf(path, configOf(fn, file, await readJson(fn, folder, file)));
      settings = { ...settings, dense: [...settings.dense, layer] };
    } else if (type === 'Normalize') settings = { ...settings, normalize: true };
    else if (type !== 'Transformer')
      fail(
        'value',
        fn,
        `modules.json: the module ${describe(module.text('type'))} is not supported; Transformer, Pooling, Dense and Normalize are`,
      );
  }
  return settings;
}

/** The folder of a module: one of the model's, never one elsewhere. */
function pathOf(module: ModelConfig): string {
  const path = module.text('path');
  return isFileName(path) ? path : module.wrong('path', 'a folder of the model', path);
}

function configOf(fn: string, file: string, value: unknown): ModelConfig {
  if (value !== undefined && !isPlainObject(value)) fail('value', fn, `${file} must be an object, got ${describe(value)}`);
  return new ModelConfig(fn, (value ?? {}) as Record<string, unknown>, file);
}

function poolingOf(fn: string, file: string, config: ModelConfig): Pooling {
  const mode = config.value('pooling_mode');
  const chosen = POOLING_FLAGS.filter(([flag, name]) => (mode === undefined ? config.flag(flag, false) : mode === name));
  if (chosen.length !== 1)
    return fail(
      'value',
      fn,
      `${file} must choose one pooling, got ${chosen.map(([flag]) => flag).join(', ') || describe(mode)}`,
    );
  return chosen[0]![2];
}

function denseOf(path: string, config: ModelConfig): DenseSpec {
  const name = config.text('activation_function', 'torch.nn.modules.linear.Identity').replace(/^.*\./, '');
  const activation = { Identity: null, Tanh: 'tanh', ReLU: 'relu', GELU: 'gelu', Sigmoid: 'sigmoid' } as const;
  if (!Object.hasOwn(activation, name))
    config.wrong('activation_function', `one of ${Object.keys(activation).join(', ')}`, name);
  return {
    ...{ path, inFeatures: config.natural('in_features'), outFeatures: config.natural('out_features') },
    ...{ bias: config.flag('bias', true), activation: activation[name as keyof typeof activation] },
  };
}
