/** A visitor's model at work, in fovea's modules: opened layer by layer, so that a page can say how far it has come. */
import type { Fovea, Tensor } from 'fovea';
import { readSafetensors, type FileTensor } from 'fovea/files';
import { LayerNorm, RMSNorm } from 'fovea/nn';
import { add, concat, embedding, linear, patches, softmax } from 'fovea/ops';
import type { Dtype, LayerParts, LayerShape, Part, Weights } from '../network/layer.ts';
import { Network } from '../network/network.ts';
import type { ChangedHead, LayerPass } from '../network/types.ts';
import type { Header } from './checkpoint.ts';
import type { Plan, Source } from './family.ts';
import { FAMILIES } from './plan.ts';

/** Which file has a tensor: large models come in several. */
export interface Located extends Header {
  readonly file: Blob;
  /** The file's name: norms of old files have old names. */
  readonly name: string;
}

export interface Output {
  readonly layers: readonly LayerPass[];
  /** A decoder's P(next token) after the last one [V]. */
  readonly next: Float32Array | null;
}

interface Norm {
  forward(x: Tensor): Tensor;
  dispose(): void;
}

/** Names and shapes of the tensors of all files. @throws Error where one is no safetensors file. */
export async function readHeaders(files: readonly Blob[]): Promise<Map<string, Located>> {
  const found = new Map<string, Located>();
  for (const file of files)
    await readSafetensors(file, {
      filter: (name, { shape, dtype }) => (found.set(name, { file, name, shape, dtype }), false),
    });
  return found;
}

export class OwnModel {
  readonly plan: Plan;
  readonly #fovea: Fovea;
  readonly #nameOf: (name: string) => Located | undefined;
  readonly #dtype: Dtype;
  readonly #network: Network;
  /** Tables, the first or last norm, the head. */
  readonly #tensors = new Map<string, Tensor>();
  #norm: Norm | null = null;

  constructor(fovea: Fovea, plan: Plan, nameOf: (name: string) => Located | undefined, dtype: Dtype) {
    this.plan = plan;
    this.#fovea = fovea;
    this.#nameOf = nameOf;
    this.#dtype = dtype;
    this.#network = new Network(fovea);
  }

  /** Loads the weights around the layers. */
  async loadEnds(): Promise<void> {
    const { family, prefix } = this.plan;
    const start = prefix.replace(/(encoder\.layer|h|layers)\.$/, '');
    const keep = async (key: string, name: string): Promise<void> => {
      if (this.#nameOf(name)) this.#tensors.set(key, this.#fovea.tensor(await this.#read(name)));
    };
    const norm = async (name: string): Promise<void> => {
      this.#norm = this.#makeNorm(await this.#part({ weight: [`${name}.weight`], bias: [`${name}.bias`] }));
    };
    if (family === 'bert') {
      await keep('words', `${start}embeddings.word_embeddings.weight`);
      await keep('positions', `${start}embeddings.position_embeddings.weight`);
      await keep('types', `${start}embeddings.token_type_embeddings.weight`);
      await norm(`${start}embeddings.LayerNorm`);
    } else if (family === 'vit') {
      const filters = await this.#read(`${start}embeddings.patch_embeddings.projection.weight`);
      this.#tensors.set('filters', this.#fovea.tensor(channelsLast(filters)));
      await keep('filterBias', `${start}embeddings.patch_embeddings.projection.bias`);
      await keep('class', `${start}embeddings.cls_token`);
      await keep('positions', `${start}embeddings.position_embeddings`);
    } else {
      await keep('words', family === 'gpt2' ? `${start}wte.weight` : `${start}embed_tokens.weight`);
      await keep('positions', `${start}wpe.weight`);
      await keep('head', 'lm_head.weight');
      await norm(family === 'gpt2' ? `${start}ln_f` : `${start}norm`);
    }
  }

  async loadLayer(n: number): Promise<void> {
    const { plan } = this;
    const sources = FAMILIES[plan.family].layer(plan, n, (name) => this.#nameOf(name) !== undefined);
    const parts: Partial<Record<keyof LayerParts, Part>> = {};
    for (const [name, source] of Object.entries(sources) as [keyof LayerParts, Source][])
      parts[name] = await this.#part(source);
    const decodes = plan.family === 'gpt2' || plan.family === 'llama';
    const shape: LayerShape = {
      ...{ heads: plan.heads, kvHeads: plan.kvHeads, headDim: plan.headDim, eps: plan.eps, activation: plan.activation },
      ...{ causal: decodes, order: plan.family === 'bert' ? 'post' : 'pre', norm: plan.family === 'llama' ? 'rms' : 'layer' },
      rope: plan.rope,
    };
    this.#network.add(shape, parts as unknown as LayerParts, this.#dtype);
  }

  /** @param ids of tokens below `plan.vocabulary`, at most `plan.positions` */
  runTokens(ids: readonly number[], changed: readonly ChangedHead[] = []): Output {
    const fovea = this.#fovea;
    const { family, firstPosition } = this.plan;
    return fovea.scope(() => {
      const words = this.#tensors.get('words')!;
      let x = embedding(fovea, [...ids], words);
      const positions = this.#tensors.get('positions');
      if (positions) x = add(fovea, x, positions.slice(0, firstPosition, firstPosition + ids.length));
      const types = this.#tensors.get('types');
      if (types) x = add(fovea, x, types.slice(0, 0, 1));
      if (family === 'bert') return { layers: this.#network.look(this.#norm!.forward(x), changed).layers, next: null };
      const { y, layers } = this.#network.look(x, changed);
      const last = this.#norm!.forward(y.slice(0, ids.length - 1).clone());
      const logits = linear(fovea, last, this.#tensors.get('head') ?? words);
      return { layers, next: softmax(fovea, logits).toArray().data };
    });
  }

  /** @param image [side, side, channels], side = grid · size of a patch */
  runImage(image: Weights, changed: readonly ChangedHead[] = []): Output {
    const fovea = this.#fovea;
    const { patches: cut, width } = this.plan;
    return fovea.scope(() => {
      const cells = patches(fovea, fovea.tensor(image), { size: cut!.size });
      const projected = linear(fovea, cells, this.#tensors.get('filters')!, this.#tensors.get('filterBias'));
      const all = concat(fovea, [this.#tensors.get('class')!.reshape([1, width]), projected], { axis: 0 });
      const x = add(fovea, all, this.#tensors.get('positions')!.reshape([cut!.grid ** 2 + 1, width]));
      return { layers: this.#network.look(x, changed).layers, next: null };
    });
  }

  dispose(): void {
    for (const one of [this.#network, this.#norm, ...this.#tensors.values()]) one?.dispose();
  }

  async #read(name: string): Promise<Weights> {
    const located = this.#nameOf(name)!;
    const { tensors } = await readSafetensors(located.file, { names: [located.name] });
    const { data, shape } = tensors.get(located.name) as FileTensor;
    return { data: data instanceof Float32Array ? data : Float32Array.from(data as ArrayLike<number>), shape };
  }

  async #part({ weight, bias, turned = false }: Source): Promise<Part> {
    const all = async (names: readonly string[]): Promise<Weights> =>
      joined(await Promise.all(names.map((name) => this.#read(name))));
    const matrix = await all(weight);
    const own = turned ? transposed(matrix) : matrix;
    return bias?.every((name) => this.#nameOf(name)) ? { weight: own, bias: await all(bias) } : { weight: own };
  }

  #makeNorm({ weight, bias }: Part): Norm {
    const [normalizedShape, { eps, family }] = [weight.shape[0]!, this.plan];
    const module =
      family === 'llama'
        ? new RMSNorm(this.#fovea, { normalizedShape, eps })
        : new LayerNorm(this.#fovea, { normalizedShape, eps, bias: bias !== undefined });
    module.loadStateDict(bias && family !== 'llama' ? { weight, bias } : { weight });
    return module as Norm;
  }
}

/** One after another along the first axis. */
function joined(parts: readonly Weights[]): Weights {
  if (parts.length === 1) return parts[0]!;
  const data = new Float32Array(parts.reduce((sum, part) => sum + part.data.length, 0));
  parts.reduce((at, part) => (data.set(part.data, at), at + part.data.length), 0);
  return { data, shape: [parts.reduce((sum, { shape }) => sum + shape[0]!, 0), ...parts[0]!.shape.slice(1)] };
}

function transposed({ data, shape }: Weights): Weights {
  const [rows = 0, columns = 0] = shape;
  if (shape.length !== 2) return { data, shape };
  const turned = new Float32Array(data.length);
  for (let i = 0; i < rows; ++i) for (let j = 0; j < columns; ++j) turned[j * rows + i] = data[i * columns + j]!;
  return { data: turned, shape: [columns, rows] };
}

/** Filters [E, C, P, P] as rows [E, P·P·C], the order in which patches are flattened. */
function channelsLast({ data, shape }: Weights): Weights {
  const [width, channels, rows, columns] = shape as [number, number, number, number];
  const turned = new Float32Array(data.length);
  let at = 0;
  for (let e = 0; e < width; ++e)
    for (let r = 0; r < rows; ++r)
      for (let c = 0; c < columns; ++c)
        for (let k = 0; k < channels; ++k) turned[at++] = data[((e * channels + k) * rows + r) * columns + c]!;
  return { data: turned, shape: [width, rows * columns * channels] };
}
