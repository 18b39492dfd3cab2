/** The option `attentions`: the layers whose weights are wanted. */
import { describe, fail } from '../errors/errors.ts';
import { checkInteger, isList } from '../errors/options.ts';

/** Empty where none are. `count`: the layers of the model. */
export function readAttentionLayers(fn: string, attentions: unknown, count: number): readonly number[] {
  if (attentions === undefined || attentions === false) return [];
  if (attentions === true) return Array.from({ length: count }, (_, layer) => layer);
  if (!isList(attentions))
    return fail('option', fn, `attentions must be true, false or a list of layers, got ${describe(attentions)}`);
  const layers = [...attentions];
  layers.forEach((layer, n) => checkInteger(fn, `attentions[${n}]`, layer, 0, count - 1));
  return [...new Set(layers as number[])];
}
