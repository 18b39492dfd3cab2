/** Layers of encoders as the families have them, and their heads. */
import type { LayerConfig, LayerMatrix } from '../../nn/layer_config.ts';
import type { ModelConfig } from '../config.ts';
import type { HeadSpec } from './family.ts';

const ALL: readonly LayerMatrix[] = ['self_attn.in_proj_', 'self_attn.out_proj.', 'linear1.', 'linear2.'];

type Sizes = Pick<LayerConfig, 'dModel' | 'heads' | 'between' | 'activation' | 'eps'>;

/** BERT's layer, all of whose matrices and norms have biases, with what differs. */
export function encoderLayer(config: ModelConfig, sizes: Sizes, differs: Partial<LayerConfig> = {}): LayerConfig {
  const { dModel, heads } = sizes;
  if (dModel % heads !== 0) config.wrong('num_attention_heads', `a divisor of the width ${dModel}`, heads);
  return {
    ...{
      ...sizes,
      kvHeads: heads,
      headDim: dModel / heads,
      gated: false,
      norm: 'layer',
      normPlace: 'behindSum',
      attentionNorm: true,
    },
    ...{ biased: new Set(ALL), normBias: true, qkNorm: false, rope: null, attention: { causal: false }, inOut: false },
    seed: undefined,
    ...differs,
  };
}

/** The matrices that have a bias. */
export function biasedMatrices(given: {
  readonly attention: boolean;
  readonly linear1: boolean;
  readonly linear2: boolean;
}): Set<LayerMatrix> {
  return new Set(
    ALL.filter((name) => (name === 'linear1.' ? given.linear1 : name === 'linear2.' ? given.linear2 : given.attention)),
  );
}

type Task = 'model' | 'classes' | 'tags';

/** The task that the model's class names. A model of masked words is its encoder. */
export function taskOf(config: ModelConfig): { architecture: string; task: Task } {
  const name = config.architecture() ?? '';
  if (/ForSequenceClassification$/.test(name)) return { architecture: name, task: 'classes' };
  if (/ForTokenClassification$/.test(name)) return { architecture: name, task: 'tags' };
  if (/(Model|ForMaskedLM|ForPreTraining)$|^$/.test(name)) return { architecture: name, task: 'model' };
  return config.wrong('architectures', 'a model, or one for the classes of sequences or tokens', name);
}

/** A head whose dense layer is there for classes of a whole text, not for tags. */
export function headOf(
  config: ModelConfig,
  task: Task,
  dense: HeadSpec['dense'],
  of: 'first' | 'mean' = 'first',
): HeadSpec | null {
  if (task === 'model') return null;
  const labels = config.labels();
  return task === 'classes' ? { of, labels, dense, bias: true } : { of: 'tokens', labels, dense: null, bias: true };
}
