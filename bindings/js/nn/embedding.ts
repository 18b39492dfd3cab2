/** `Embedding`: a row of a table for each id. */
import type { Fovea } from '../fovea/fovea.ts';
import { embedding, linear } from '../ops/index.ts';
import { readOptions } from '../errors/options.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { IntegerInput } from '../tensor/integer_arrays.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { Module, type SeedOption } from './module.ts';
import { readSize } from './sizes.ts';

export interface EmbeddingOptions extends SeedOption {
  readonly numEmbeddings: number;
  readonly embeddingDim: number;
}

/**
 * `torch.nn.Embedding`. Weights: `weight` [numEmbeddings, embeddingDim].
 *
 * @example
 * import { Embedding } from 'fovea/nn';
 * const layer = new Embedding(fovea, { numEmbeddings: 3, embeddingDim: 2 });
 * layer.loadStateDict({ weight: [[1, 2], [3, 4], [5, 6]] });
 * const x = layer.forward([2, 0]);
 * toNested(x.toArray()); // [[5, 6], [1, 2]]
 * toNested(layer.logits([[1, 0]])); // [[1, 3, 5]]
 * x.dispose();
 * layer.dispose();
 */
export class Embedding extends Module {
  /** A table of embeddings: weights come from `loadStateDict`, or are drawn where `options.seed` is given. */
  constructor(fovea: Fovea, options: EmbeddingOptions) {
    const fn = 'Embedding';
    super(fn, fovea);
    const known = readOptions(fn, options, ['numEmbeddings', 'embeddingDim', 'seed']);
    const rows = readSize(fn, 'numEmbeddings', known.numEmbeddings);
    this.declareMatrix('weight', [rows, readSize(fn, 'embeddingDim', known.embeddingDim)]);
    this.begin(fn, known.seed);
  }

  /**
   * The rows of the table that the ids name.
   *
   * @param ids integers from 0 to numEmbeddings - 1, of any shape.
   * @returns a Tensor [...the shape of ids, embeddingDim]; the caller disposes it.
   * @throws AttentionError `shape` | `value` | `disposed` | `memory` | `internal`.
   */
  forward(ids: IntegerInput): Tensor {
    const fn = this.fn('forward');
    return embedding(this.fovea, ids, this.matrix(fn, 'weight'));
  }

  /**
   * x·weightᵀ: the output layer of a model whose output is tied to its embedding (Press, Wolf 2017, arXiv:1608.05859).
   *
   * @param x [..., embeddingDim].
   * @returns [..., numEmbeddings].
   * @throws AttentionError `shape` | `value` | `disposed` | `memory` | `internal`.
   */
  logits<X extends ArrayInput>(x: X): ResultArray<X> {
    const fn = this.fn('logits');
    return linear(this.fovea, x, this.matrix(fn, 'weight'));
  }
}
