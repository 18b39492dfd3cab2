/** Layers one after another. */
import type { Fovea, Tensor } from 'fovea';
import { Layer, type Dtype, type LayerParts, type LayerShape } from './layer.ts';
import type { ChangedHead, HeadChange, LayerPass } from './types.ts';

export class Network {
  readonly #layers: Layer[] = [];
  readonly #fovea: Fovea;

  constructor(fovea: Fovea) {
    this.#fovea = fovea;
  }

  add(shape: LayerShape, parts: LayerParts, dtype: Dtype): void {
    this.#layers.push(new Layer(this.#fovea, shape, parts, dtype));
  }

  /** x [T, E] through all layers. Tensors are the caller's scope's. */
  run(x: Tensor, changed: readonly ChangedHead[] = []): Tensor {
    return this.#layers.reduce((y, layer, n) => layer.forward(y, changesOf(changed, n)), x);
  }

  /** `run`, with what each layer's heads do. */
  look(x: Tensor, changed: readonly ChangedHead[] = []): { y: Tensor; layers: LayerPass[] } {
    const layers: LayerPass[] = [];
    const y = this.#layers.reduce((input, layer, n) => {
      const { y, pass } = layer.forward(input, changesOf(changed, n), true);
      layers.push(pass);
      return y;
    }, x);
    return { y, layers };
  }

  dispose(): void {
    for (const layer of this.#layers) layer.dispose();
  }
}

function changesOf(changed: readonly ChangedHead[], layer: number): ReadonlyMap<number, HeadChange> {
  return new Map(changed.filter((one) => one.layer === layer).map(({ head, change }) => [head, change]));
}
