/** The weights of an encoder's layer. */
import type { Fovea } from '../fovea/fovea.ts';
import type { LayerConfig } from './layer_config.ts';
import { declareLayer } from './layer_weights.ts';
import { Module } from './module.ts';

/** In 8 bits with fast inputs, products of up to this many rows round their inputs to 15 bits, those of more to 7. */
export const FEW_ROWS = 4;

export class EncoderLayer extends Module {
  readonly config: LayerConfig;

  constructor(fovea: Fovea, config: LayerConfig) {
    super('EncoderLayer', fovea);
    this.config = config;
    declareLayer(this, config);
  }

  /** Whether products of up to FEW_ROWS rows of a call round their input to 15 bits, those of more to 7. */
  roundsByRows(fn: string): boolean {
    return this.matrix(fn, 'linear1.weight').inputs === 'fast';
  }
}
