/** The families that are known, by the model_type of config.json. */
import { describe, fail } from '../../errors/errors.ts';
import type { Instance } from '../../runtime/instance.ts';
import type { ModelConfig } from '../config.ts';
import { bert, mpnet, roberta } from './bert.ts';
import { distilbert } from './distilbert.ts';
import type { DecoderFamily, DecoderSpec, EncoderFamily, EncoderSpec } from './family.ts';
import { gpt2 } from './gpt2.ts';
import { gemma, gemma2, gemma3, llama, mistral, qwen2, qwen3 } from './llama.ts';
import { modernbert } from './modernbert.ts';
import { nomicBert } from './nomic_bert.ts';

const ENCODERS: Readonly<Record<string, EncoderFamily>> = {
  ...{ bert, roberta, 'xlm-roberta': roberta, camembert: roberta, mpnet, distilbert, modernbert, nomic_bert: nomicBert },
};

const DECODERS: Readonly<Record<string, DecoderFamily>> = {
  ...{ gpt2, llama, mistral, qwen2, qwen3, gemma, gemma2, gemma3_text: gemma3 },
};

export function encoderSpec(config: ModelConfig, instance: Instance): EncoderSpec {
  return familyOf(config, ENCODERS, DECODERS, 'loadDecoder')(config, instance);
}

export function decoderSpec(config: ModelConfig): DecoderSpec {
  return familyOf(config, DECODERS, ENCODERS, 'loadEncoder')(config);
}

function familyOf<F>(
  config: ModelConfig,
  known: Readonly<Record<string, F>>,
  others: Readonly<Record<string, unknown>>,
  loader: string,
): F {
  const type = config.value('model_type');
  if (typeof type === 'string' && Object.hasOwn(known, type)) return known[type]!;
  const remedy = typeof type === 'string' && Object.hasOwn(others, type) ? `; ${loader} reads it` : '';
  return fail(
    'value',
    config.fn,
    `config.json: model_type must be one of ${Object.keys(known).join(', ')}, got ${describe(type)}${remedy}`,
  );
}
