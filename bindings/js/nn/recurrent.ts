/** Shared by RNN, GRU and LSTM: their weights and sizes. */
import type { Fovea } from '../fovea/fovea.ts';
import type { RecurrentOptions, RecurrentParams } from '../ops/index.ts';
import { checkBoolean, readOptions } from '../errors/options.ts';
import { Module, type SeedOption } from './module.ts';
import { readSize } from './sizes.ts';

export interface RecurrentModuleOptions extends SeedOption {
  readonly inputSize: number;
  readonly hiddenSize: number;
  /** Default 1. */
  readonly numLayers?: number | undefined;
  /** Default true. */
  readonly bias?: boolean | undefined;
  /** Default true, [B, T, I]; PyTorch's default is false, [T, B, I]. */
  readonly batchFirst?: boolean | undefined;
  /** Default false. */
  readonly bidirectional?: boolean | undefined;
}

export const RECURRENT_OPTIONS = [
  ...(['inputSize', 'hiddenSize', 'numLayers', 'bias', 'batchFirst', 'bidirectional'] as const),
  'seed',
] as const satisfies readonly (keyof RecurrentModuleOptions)[];

/** The initial state of a sequence, and its length. */
export type SequenceOptions = Pick<RecurrentOptions, 'initialState' | 'lengths'>;

export abstract class Recurrent extends Module {
  readonly #layout: 'btd' | 'tbd';

  /**
   * `projSize` 0: no projection.
   * @internal
   */
  constructor(fn: string, fovea: Fovea, gates: number, known: RecurrentModuleOptions, projSize = 0) {
    super(fn, fovea);
    for (const name of ['bias', 'batchFirst', 'bidirectional'] as const) checkBoolean(fn, name, known[name]);
    const input = readSize(fn, 'inputSize', known.inputSize);
    const hidden = readSize(fn, 'hiddenSize', known.hiddenSize);
    const layers = readSize(fn, 'numLayers', known.numLayers, 1);
    const state = projSize === 0 ? hidden : projSize;
    const directions = known.bidirectional ? ['', '_reverse'] : [''];
    this.#layout = (known.batchFirst ?? true) ? 'btd' : 'tbd';
    for (let layer = 0; layer < layers; layer++) {
      const width = layer === 0 ? input : directions.length * state;
      for (const direction of directions) {
        const end = `_l${layer}${direction}`;
        this.declare(`weight_ih${end}`, [gates * hidden, width]);
        this.declare(`weight_hh${end}`, [gates * hidden, state]);
        if (known.bias ?? true) {
          this.declare(`bias_ih${end}`, [gates * hidden], 'zeros');
          this.declare(`bias_hh${end}`, [gates * hidden], 'zeros');
        }
        if (projSize > 0) this.declare(`weight_hr${end}`, [projSize, hidden]);
      }
    }
    this.begin(fn, known.seed);
  }

  /**
   * The weights as the functions of fovea/ops take them.
   * @internal
   */
  params(): RecurrentParams {
    const fn = this.fn('forward');
    return Object.fromEntries([...this.own.keys()].map((name) => [name, this.weight(fn, name)]));
  }

  /** @internal */
  settings(options?: SequenceOptions): RecurrentOptions {
    return { ...readOptions(this.fn('forward'), options, ['initialState', 'lengths']), layout: this.#layout };
  }
}
