/** The parameters of `combine`. */
import type { OutTargets } from '../../call/out_targets.ts';
import type { ArrayInput } from '../../tensor/array_input.ts';
import type { NDArray } from '../../tensor/array_types.ts';
import type { AttentionOptions } from './options.ts';

/** The result of attention over some of the keys. */
export interface CombinePart<A extends ArrayInput = ArrayInput> {
  readonly output: A;
  /** Required: `returnLse: true` asks attention for it. */
  readonly lse?: ArrayInput | undefined;
}

export interface CombineOptions extends Pick<AttentionOptions, 'sinks' | 'layout' | 'heads'> {
  readonly out?: Omit<OutTargets, 'weights'> | undefined;
}

export interface CombineResult<A = NDArray> {
  output: A;
  lse: A;
}
