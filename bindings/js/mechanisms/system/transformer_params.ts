/** The arguments of a transformer: ids or vectors of the source, and layers by PyTorch's names, as many as there are. */
import type { Declaration } from './system.ts';

const ATTENTION = { in_proj_weight: '3E E', 'in_proj_bias?': '3E', 'out_proj.weight': 'E E', 'out_proj.bias?': 'E' };
const FEED_FORWARD = { 'linear1.weight': 'F E', 'linear1.bias': 'F', 'linear2.weight': 'E F', 'linear2.bias': 'E' };
const NORM = { weight: 'E', bias: 'E' };
const ENCODER_LAYER = {
  ...under('self_attn.', ATTENTION),
  ...FEED_FORWARD,
  ...under('norm1.', NORM),
  ...under('norm2.', NORM),
};
const DECODER_LAYER = { ...ENCODER_LAYER, ...under('multihead_attn.', ATTENTION), ...under('norm3.', NORM) };

/** The options of a transformer's form. */
export const FORM_OPTIONS = ['heads', 'normFirst', 'activation', 'layerNormEps', 'scaleEmbedding', 'positions'] as const;

/** The parts of a transformer that a call runs. */
export interface Run {
  /** Undefined where there is a memory already. */
  readonly source: 'ids' | 'vectors' | undefined;
  /** Whether the inputs have target and targets. */
  readonly hasTarget: boolean;
  readonly options: readonly string[];
}

export function declareTransformer(fn: string, { source, hasTarget, options }: Run): Declaration {
  return {
    fn,
    inputs: source === 'vectors' ? { source: 'S E' } : {},
    ids: { ...(source === 'ids' && { source: 'S' }), ...(hasTarget && { target: 'T', 'targets?': 'T' }) },
    numbered: (given) => {
      const hasTargetTable = given.includes('targetEmbedding.weight');
      const isOptional = hasTargetTable && source !== 'ids';
      const outputs = hasTargetTable ? 'Vt' : 'Vs';
      return {
        [`sourceEmbedding.weight${isOptional ? '?' : ''}`]: 'Vs E',
        'targetEmbedding.weight?': 'Vt E',
        ...layers('encoder', ENCODER_LAYER, given, source === undefined ? 0 : 1),
        ...layers('decoder', DECODER_LAYER, given, 1),
        'generator.weight?': `${outputs} E`,
        'generator.bias?': outputs,
      };
    },
    together: ['encoder', 'decoder'].map((stack) => [`${stack}.norm.weight`, `${stack}.norm.bias`]),
    options: [...FORM_OPTIONS, ...options],
  };
}

/** How many layers a stack has, by the names of its params. */
export function layerCount(stack: string, given: readonly string[]): number {
  const found = given.flatMap((name) => new RegExp(`^${stack}\\.layers\\.(\\d+)\\.`).exec(name)?.[1] ?? []);
  return new Set(found).size;
}

function layers(
  stack: string,
  layer: Readonly<Record<string, string>>,
  given: readonly string[],
  least: number,
): Record<string, string> {
  const count = Math.max(least, layerCount(stack, given));
  const all = Array.from({ length: count }, (_, l) => under(`${stack}.layers.${l}.`, layer));
  return Object.assign({ [`${stack}.norm.weight?`]: 'E', [`${stack}.norm.bias?`]: 'E' }, ...all) as Record<string, string>;
}

function under(prefix: string, names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(names).map(([name, axes]) => [prefix + name, axes]));
}
