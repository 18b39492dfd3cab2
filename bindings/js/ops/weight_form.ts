/** How packed weights are stored, and how products round what they are multiplied by. */
import { WEIGHT_FORMAT } from '../../../build/generated/enums/weight_format.ts';
import { fail } from '../errors/errors.ts';
import { checkChoice } from '../errors/options.ts';

export type WeightDtype = 'float32' | 'int8';
export type InputPrecision = 'fast' | 'precise';

/** @internal */
export interface WeightForm {
  readonly dtype: WeightDtype;
  /** Null for float32, whose inputs stay as they are. */
  readonly inputs: InputPrecision | null;
}

/** @internal */
export const FLOAT32: WeightForm = { dtype: 'float32', inputs: null };

/** The number in the core's WeightFormat. @internal */
export function formatOf({ dtype, inputs }: WeightForm): number {
  if (dtype === 'float32') return WEIGHT_FORMAT.indexOf('panels');
  return WEIGHT_FORMAT.indexOf(inputs === 'precise' ? 'int8Precise' : 'int8');
}

/** The options `dtype` and `inputs`, read. @internal */
export function readWeightForm(fn: string, dtype: unknown = 'float32', inputs?: unknown): WeightForm {
  checkChoice(fn, 'dtype', dtype as WeightDtype, ['float32', 'int8']);
  checkChoice(fn, 'inputs', inputs as InputPrecision | undefined, ['fast', 'precise']);
  if (dtype === 'int8') return { dtype, inputs: (inputs as InputPrecision | undefined) ?? 'fast' };
  if (inputs !== undefined)
    fail('option', fn, `inputs is for dtype: 'int8', got inputs '${inputs as string}', dtype 'float32'`);
  return FLOAT32;
}
