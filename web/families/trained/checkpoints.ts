import type { NDArray } from 'fovea';
import { readSafetensors } from 'fovea/files';

/** The trained weights that come with the page: public/trained/NAME.json and its checkpoints. */

export interface Figures {
  readonly file: string;
  readonly steps: number;
  /** Share of right decisions on held-out examples. */
  readonly accuracy: number;
  /** Mean of −ln P(right) on held-out examples. */
  readonly loss: number;
}

export interface Trained<Example> {
  /** The accuracy of guessing. */
  readonly chance: number;
  readonly vocabulary: readonly string[];
  readonly parameters: number;
  readonly seed: number;
  readonly checkpoints: readonly Figures[];
  /** Never trained on. */
  readonly examples: readonly Example[];
}

export interface Weights {
  /** The mechanism's arrays, by its names. */
  readonly params: Map<string, NDArray>;
  /** Arrays of the layers around it. */
  readonly network: Map<string, NDArray>;
}

export async function readTrained<Example>(name: string): Promise<Trained<Example>> {
  return (await fetched(`${name}.json`)).json() as Promise<Trained<Example>>;
}

export async function readWeights({ file }: Figures): Promise<Weights> {
  const { tensors } = await readSafetensors(await fetched(file));
  const all = tensors as Map<string, NDArray>;
  return {
    params: new Map([...all].filter(([name]) => !name.startsWith('network.'))),
    network: part(all, 'network.'),
  };
}

/** The arrays whose names begin with `prefix`, without it. */
export function part(tensors: ReadonlyMap<string, NDArray>, prefix: string): Map<string, NDArray> {
  const found = [...tensors].filter(([name]) => name.startsWith(prefix));
  return new Map(found.map(([name, tensor]) => [name.slice(prefix.length), tensor]));
}

async function fetched(file: string): Promise<Response> {
  const response = await fetch(`./trained/${file}`);
  if (!response.ok) throw new Error(`${file}: ${response.status} ${response.statusText}`);
  return response;
}
