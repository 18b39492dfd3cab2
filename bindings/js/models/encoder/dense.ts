/** The dense layers that a folder of sentence-transformers has behind the pooling. */
import type { Fovea } from '../../fovea/fovea.ts';
import { Module } from '../../nn/module.ts';
import { linear } from '../../ops/products.ts';
import type { ActivationName } from '../../ops/activations.ts';
import type { NDArray } from '../../tensor/array_types.ts';

export interface DenseSpec {
  /** The layer's folder within the model's. */
  readonly path: string;
  readonly inFeatures: number;
  readonly outFeatures: number;
  readonly bias: boolean;
  /** Null: none. */
  readonly activation: ActivationName | null;
}

export class DenseLayer extends Module {
  readonly spec: DenseSpec;

  constructor(fovea: Fovea, spec: DenseSpec) {
    super('DenseLayer', fovea);
    this.spec = spec;
    this.declareMatrix('linear.weight', [spec.outFeatures, spec.inFeatures]);
    if (spec.bias) this.declare('linear.bias', [spec.outFeatures], 'zeros');
  }

  /** @param x [rows, inFeatures] */
  apply(x: NDArray): NDArray {
    const fn = this.fn('apply');
    const { activation } = this.spec;
    return linear(this.fovea, x, this.matrix(fn, 'linear.weight'), this.weight(fn, 'linear.bias'), {
      activation: activation ?? undefined,
    });
  }
}
