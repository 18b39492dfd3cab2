/// <reference lib="esnext.disposable" preserve="true" />
/** The base class of all modules: named weights in wasm memory, and modules inside. */
import { fail } from '../errors/errors.ts';
import { readOptions } from '../errors/options.ts';
import { disposeByUsing, nameClass } from '../errors/inspect.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { instanceOf } from '../runtime/instances.ts';
import { sizeOf, type Shape } from '../tensor/shapes.ts';
import { isTensor, type Tensor } from '../tensor/tensor.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { NDArray } from '../tensor/array_types.ts';
import { drawWeights } from './initial.ts';
import type { PackedWeights } from '../ops/packed_weights.ts';
import type { Packing, Parameter } from './parameter.ts';
import { checkPrefix, loadWeights, type LoadOptions, type StateDict } from './state_dict.ts';
import type { Instance } from '../runtime/instance.ts';

export interface SeedOption {
  /**
   * An integer from 0 to 2^53 - 1: the module begins with random weights. Matrices are normal with variance 1 / fan-in, biases 0,
   * the weights of norms 1; a matrix of more than 1 GiB is a `memory` error. Left out, it has no weights until they are loaded, and
   * `forward` is a `value` error.
   */
  readonly seed?: number | undefined;
}

/**
 * A layer with weights. They are Tensors: counted by `fovea.memory()`, freed by `dispose()`, by `fovea.dispose()`, and at the end
 * of the `fovea.scope` in which they were loaded, unless the scope returns the module.
 */
export abstract class Module {
  static {
    nameClass(Module.prototype, 'Module', (module) => `${module.#name} { ${module.parameters} parameters }`);
    disposeByUsing(Module.prototype);
  }

  /** @internal */
  readonly fovea: Fovea;
  /** @internal What a scope that returns the module finds in it. */
  readonly own = new Map<string, Parameter>();
  /** @internal */
  readonly inner: (readonly [name: string, module: Module])[] = [];
  readonly #name: string;
  readonly #instance: Instance;
  #disposed = false;

  /** @internal */
  constructor(fn: string, fovea: Fovea) {
    this.#name = fn;
    this.#instance = instanceOf(fn, fovea);
    this.fovea = fovea;
  }

  /** How many numbers its weights are. */
  get parameters(): number {
    let count = 0;
    for (const { shape } of this.named().values()) count += sizeOf(shape);
    return count;
  }

  /** Whether `dispose` was called. */
  get disposed(): boolean {
    return this.#disposed;
  }

  /**
   * Takes its weights out of arrays by name. Either all are taken, or none and the module stays as it was.
   *
   * @param weights a Map or an object: what `readSafetensors` of fovea/files gives as `tensors`. Arrays are copied.
   * @param options `prefix`: what stands before this module's names, 'encoder.'; names without it are not looked at. `strict:
   *   false` leaves names out that are not this module's; those that are missing are an error all the same. `rename`: the names as
   *   this module has them, where a model has others.
   * @throws AttentionError `value` that lists every name missing or not known; `shape` that lists every wrong one; `option`;
   *   `disposed`; `memory`.
   */
  loadStateDict(weights: StateDict, options?: LoadOptions): void {
    loadWeights(this.fn('loadStateDict'), this, weights, options);
  }

  /**
   * Copies of its weights by name.
   *
   * @throws AttentionError `value` where there are none yet; `disposed`.
   */
  stateDict(options?: Pick<LoadOptions, 'prefix'>): Map<string, NDArray> {
    const fn = this.fn('stateDict');
    const { prefix = '' } = readOptions(fn, options, ['prefix']);
    checkPrefix(fn, prefix);
    const result = new Map<string, NDArray>();
    for (const [name, parameter] of this.named(prefix)) result.set(name, loaded(fn, name, parameter).toArray());
    return result;
  }

  /** Frees the weights, those of the modules inside too. May be called again. */
  dispose(): void {
    this.#disposed = true;
    for (const parameter of this.own.values()) parameter.value?.dispose();
    for (const [, module] of this.inner) module.dispose();
  }

  /**
   * `Class.method`, as messages name it, of a module that may still be used.
   * @internal
   */
  fn(method: string): string {
    const fn = `${this.#name}.${method}`;
    this.checkUsable(fn);
    return fn;
  }

  /**
   * Throws where the module may no longer be used; `fn` is what messages name.
   * @internal
   */
  checkUsable(fn: string): void {
    this.instance.engine.check(fn);
    if (this.#disposed) fail('disposed', fn, 'the module has been disposed');
  }

  /** @internal */
  get instance(): Instance {
    return this.#instance;
  }

  /**
   * All parameters, in the order of PyTorch's state dict.
   * @internal
   */
  named(prefix = ''): Map<string, Parameter> {
    const found = new Map([...this.own].map(([name, parameter]) => [prefix + name, parameter]));
    for (const [name, module] of this.inner)
      for (const [within, parameter] of module.named(name === '' ? prefix : `${prefix}${name}.`)) found.set(within, parameter);
    return found;
  }

  /** @internal */
  declare(name: string, shape: Shape, start: Parameter['start'] = 'normals'): void {
    this.own.set(name, { shape, start, packing: null, value: null });
  }

  /**
   * Declares a matrix that products multiply by, which is kept packed.
   * @internal
   */
  declareMatrix(name: string, shape: Shape, packing: Packing = { layout: 'outIn', parts: null }): void {
    this.own.set(name, { shape, start: 'normals', packing, value: null });
  }

  /** @internal */
  adopt<M extends Module>(name: string, module: M): M {
    this.inner.push([name, module]);
    return module;
  }

  /**
   * The last step of a constructor.
   * @internal
   */
  begin(fn: string, seed: number | undefined): void {
    if (seed !== undefined) drawWeights(fn, this, seed);
  }

  /**
   * A weight that is a Tensor; undefined where the module has none of that name.
   * @internal
   */
  weight(fn: string, name: string): Tensor | undefined {
    const parameter = this.own.get(name);
    return parameter && (loaded(fn, name, parameter) as Tensor);
  }

  /**
   * A matrix of `declareMatrix`.
   * @internal
   */
  matrix(fn: string, name: string): PackedWeights {
    return loaded(fn, name, this.own.get(name)!) as PackedWeights;
  }

  /**
   * Computes with Tensors: what `body` makes on the way is freed. A plain x becomes one, and the result a plain array.
   * @internal
   */
  compute<X extends ArrayInput>(x: X, body: (x: Tensor) => Tensor): ResultArray<X> {
    const { fovea } = this;
    const result = fovea.scope(() => {
      if (isTensor(x)) return body(x);
      const y = body(fovea.tensor(x));
      return this.instance.recorder === null ? y.toArray() : y;
    });
    return result as ResultArray<X>;
  }
}

export interface Module {
  /** Calls `dispose()`, for `using`; present where the engine has Symbol.dispose. */
  [Symbol.dispose](): void;
}

function loaded(fn: string, name: string, { value }: Parameter): Tensor | PackedWeights {
  return value ?? fail('value', fn, `has no weights yet, got none for ${name}: call loadStateDict, or pass a seed`);
}
