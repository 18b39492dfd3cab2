/**
 * Universal Sentence Encoder lite (Cer et al. 2018, arXiv:1803.11175) from the file that scripts/make_sentence_model.mjs writes: two pre-norm
 * layers over 2·embedding + sinusoids, the mean of the tokens, tanh(W·mean + b), length 1.
 */
import type { Fovea, Tensor } from 'fovea';
import { readSafetensors, type FileTensor } from 'fovea/files';
import { Linear } from 'fovea/nn';
import { add, embedding, linear, multiply, sum } from 'fovea/ops';
import { sinusoidalPositions } from 'fovea/position';
import type { Dtype, Part, Weights } from '../network/layer.ts';
import { Network } from '../network/network.ts';
import type { ChangedHead, ForwardPass } from '../network/types.ts';
import { makePieces, type Pieces } from './pieces.ts';

/** The file's text "config". */
interface Config {
  readonly layers: readonly { readonly heads: number; readonly eps: number; readonly shortcut: boolean }[];
  readonly maxTokens: number;
  readonly samples: readonly string[];
}

/** Embeddings in float32 of sentences, which stand in the file: the unrounded model's. */
export interface Samples {
  readonly texts: readonly string[];
  /** [n, E] */
  readonly embeddings: Weights;
}

export class SentenceEncoder {
  readonly samples: Samples;
  readonly heads: readonly number[];
  readonly #fovea: Fovea;
  readonly #pieces: Pieces;
  readonly #network: Network;
  readonly #table: Tensor;
  readonly #last: Linear;
  readonly #maxTokens: number;

  /** @throws Error where the file is not the one that the build has made. */
  static async open(fovea: Fovea, bytes: Uint8Array, dtype: Dtype = 'int8'): Promise<SentenceEncoder> {
    const { tensors, metadata } = await readSafetensors(bytes, { as: 'stored' });
    return new SentenceEncoder(fovea, new Stored(tensors), JSON.parse(metadata.get('config') ?? '') as Config, dtype);
  }

  private constructor(fovea: Fovea, stored: Stored, { layers, maxTokens, samples }: Config, dtype: Dtype) {
    this.#fovea = fovea;
    this.#maxTokens = maxTokens;
    this.#pieces = makePieces(new TextDecoder().decode(stored.bytes('pieces')).split('\n'), stored.array('scores').data);
    this.#table = fovea.tensor(stored.array('embedding'));
    this.#network = new Network(fovea);
    this.heads = layers.map(({ heads }) => heads);
    layers.forEach(({ heads, eps, shortcut }, n) => {
      const part = (name: string): Part => stored.part(`layers.${n}.${name}`);
      const parts = {
        ...{
          norm1: part('norm1'),
          qkv: part('qkv'),
          out: part('out'),
          norm2: part('norm2'),
          up: part('up'),
          down: part('down'),
        },
        ...(shortcut ? { shortcut: part('shortcut') } : {}),
      };
      const headDim = parts.out.weight.shape[1]! / heads;
      const shape = {
        ...{ heads, kvHeads: heads, headDim, causal: false, eps },
        ...({ order: 'pre', norm: 'layer', activation: 'relu' } as const),
      };
      this.#network.add(shape, parts, dtype);
    });
    const last = stored.part('last');
    const [outFeatures, inFeatures] = last.weight.shape as [number, number];
    this.#last = new Linear(fovea, { inFeatures, outFeatures, activation: 'tanh' });
    this.#last.loadStateDict({ weight: last.weight, bias: last.bias! }, { dtype });
    this.samples = { texts: samples, embeddings: stored.array('samples') };
  }

  /** Pieces of the text, at most as many as the model takes. */
  pieces(text: string): { ids: number[]; tokens: string[] } {
    const { ids, tokens } = this.#pieces(text);
    return { ids: ids.slice(0, this.#maxTokens), tokens: tokens.slice(0, this.#maxTokens) };
  }

  /** [n, E], rows of length 1. A text without pieces is an error. */
  embed(texts: readonly string[], changed: readonly ChangedHead[] = []): Weights {
    const rows = texts.map((text) => this.embedIds(this.pieces(text).ids, changed));
    const width = rows[0]?.length ?? 0;
    const data = new Float32Array(rows.length * width);
    rows.forEach((row, n) => data.set(row, n * width));
    return { data, shape: [rows.length, width] };
  }

  embedIds(ids: readonly number[], changed: readonly ChangedHead[] = []): Float32Array {
    return this.#fovea.scope(() => this.#pool(this.#network.run(this.#input(ids), changed)));
  }

  look(text: string, changed: readonly ChangedHead[] = []): ForwardPass {
    const { ids, tokens } = this.pieces(text);
    const layers = this.#fovea.scope(() => this.#network.look(this.#input(ids), changed).layers);
    return { tokens, heads: this.heads[0]!, layers };
  }

  /** [n, n]: cosines of all pairs. */
  similarities(embeddings: Weights): Float32Array {
    return linear(this.#fovea, embeddings, embeddings).data;
  }

  dispose(): void {
    for (const one of [this.#network, this.#table, this.#last]) one.dispose();
  }

  #input(ids: readonly number[]): Tensor {
    const fovea = this.#fovea;
    const rows = embedding(fovea, [...ids], this.#table);
    const positions = sinusoidalPositions(fovea, { tokens: ids.length, width: this.#table.shape[1]!, form: 'tensor2tensor' });
    return add(fovea, multiply(fovea, rows, 2), positions);
  }

  #pool(x: Tensor): Float32Array {
    const fovea = this.#fovea;
    const [tokens, width] = x.shape as [number, number];
    const mean = multiply(fovea, sum(fovea, x, { axis: 0 }), 1 / tokens);
    const y = this.#last.forward(mean.reshape([1, width])).toArray();
    const [square] = linear(fovea, y, y).data;
    return multiply(fovea, y, 1 / Math.sqrt(square!)).data;
  }
}

/** The file's arrays. A matrix in 8 bits stands beside its scales, one for each row: W[o, i] = scale[o] · q[o, i]. */
class Stored {
  readonly #tensors: ReadonlyMap<string, FileTensor<'stored'>>;

  constructor(tensors: ReadonlyMap<string, FileTensor<'stored'>>) {
    this.#tensors = tensors;
  }

  bytes(name: string): Uint8Array {
    return this.#get(name).data as Uint8Array;
  }

  array(name: string): Weights {
    const { data, shape } = this.#get(name);
    if (!(data instanceof Int8Array)) return { data: data as Float32Array, shape };
    const [rows, columns] = shape as [number, number];
    const scales = this.#get(`${name}.scale`).data as Float32Array;
    const floats = new Float32Array(data.length);
    for (let r = 0; r < rows; ++r)
      for (let c = 0; c < columns; ++c) floats[r * columns + c] = scales[r]! * data[r * columns + c]!;
    return { data: floats, shape };
  }

  part(name: string): Part {
    return { weight: this.array(`${name}.weight`), bias: this.array(`${name}.bias`) };
  }

  #get(name: string): FileTensor<'stored'> {
    const tensor = this.#tensors.get(name);
    if (!tensor) throw new Error(`the file has no "${name}"`);
    return tensor;
  }
}
