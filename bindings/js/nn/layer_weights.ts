/** The weights of a layer of an encoder or a decoder: declared by name and shape, and read by a call. */
import type { LayerConfig, LayerMatrix } from './layer_config.ts';
import { readOperand } from '../tensor/operands.ts';
import { readWeight } from '../tensor/weights.ts';
import { qkvWidth, type Weights } from './layer_room.ts';
import type { Module } from './module.ts';

/** In the order of PyTorch's state dict. */
export function declareLayer(module: Module, config: LayerConfig): void {
  const { dModel, heads, headDim, between, gated, qkNorm, normPlace, attentionNorm } = config;
  declareProduct(module, 'self_attn.in_proj_', config, dModel, qkvWidth(config));
  if (qkNorm) for (const name of ['q_norm', 'k_norm']) module.declare(`self_attn.${name}.weight`, [headDim], 'ones');
  declareProduct(module, 'self_attn.out_proj.', config, heads * headDim, dModel);
  declareProduct(module, 'linear1.', config, dModel, gated ? 2 * between : between);
  declareProduct(module, 'linear2.', config, between, dModel);
  if (attentionNorm) declareNorm(module, 'norm1', config);
  declareNorm(module, 'norm2', config);
  if (normPlace === 'around') for (const n of [1, 2]) declareNorm(module, `post_norm${n}`, config);
}

export function declareNorm(module: Module, name: string, { dModel, normBias }: LayerConfig): void {
  module.declare(`${name}.weight`, [dModel], 'ones');
  if (normBias) module.declare(`${name}.bias`, [dModel], 'zeros');
}

function declareProduct(module: Module, name: LayerMatrix, config: LayerConfig, inner: number, outer: number): void {
  const { inOut, biased } = config;
  const layout = inOut ? 'inOut' : 'outIn';
  module.declareMatrix(`${name}weight`, inOut ? [inner, outer] : [outer, inner], { layout, parts: null });
  if (biased.has(name)) module.declare(`${name}bias`, [outer], 'zeros');
}

/** The weights of a module by name, as a call reads them. */
export function weightsOf(module: Module, fn: string): Weights {
  return (name) => {
    const layout = module.own.get(name)?.packing?.layout;
    if (layout !== undefined) return readWeight(module.instance, fn, name, module.matrix(fn, name), layout);
    const tensor = module.weight(fn, name);
    return tensor === undefined ? null : readOperand(module.instance, fn, name, tensor);
  };
}
