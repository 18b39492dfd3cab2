/** Dropped files, by what they are for; sizes are looked at before anything is read. */
import type { Dtype } from '../network/layer.ts';
import type { Inspected } from './plan.ts';

export type Complaint =
  | { readonly kind: 'unknown'; readonly name: string }
  /** Another form of the content was given: `give` is the file to take. */
  | { readonly kind: 'instead'; readonly name: string; readonly give: string }
  | { readonly kind: 'large'; readonly name: string; readonly bytes: number; readonly most: number }
  | { readonly kind: 'json'; readonly name: string }
  /** The text of the error that refused it. */
  | { readonly kind: 'refused'; readonly text: string };

export interface Sorted {
  readonly weights: readonly File[];
  readonly config?: File;
  readonly tokenizer?: File;
  readonly tokenizerConfig?: File;
  /** vocab.txt: what BERT's older models have in place of tokenizer.json. */
  readonly vocabulary?: File;
  readonly complaints: readonly Complaint[];
}

/** WebAssembly has 4 GB; what is computed needs room, too. */
export const MOST_BYTES = 3.2e9;
const MOST_JSON = 64e6;

export function sortFiles(files: readonly File[]): Sorted {
  const complaints: Complaint[] = [];
  const weights: File[] = [];
  const named: Partial<Record<Exclude<Kind, 'weights'>, File>> = {};
  for (const file of files) {
    const { name, size } = file;
    const kind = kindOf(name);
    const give = INSTEAD.find(([form]) => form.test(name))?.[1];
    if (kind === null) complaints.push(give === undefined ? { kind: 'unknown', name } : { kind: 'instead', name, give });
    else if (kind === 'weights') weights.push(file);
    else if (size > MOST_JSON) complaints.push({ kind: 'large', name, bytes: size, most: MOST_JSON });
    else named[kind] = file;
  }
  return { ...named, weights, complaints };
}

type Kind = 'weights' | 'config' | 'tokenizer' | 'tokenizerConfig' | 'vocabulary';

/** Files of models that are not read, and those that hold the same. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/^(vocab.*\.json|merges.*\.txt|.*\.(model|spm|bpe|tiktoken))$/i, 'tokenizer.json'],
  [/\.(bin|pth?|ckpt|h5|msgpack|onnx|gguf)$/i, 'model.safetensors'],
];

function kindOf(name: string): Kind | null {
  if (/\.safetensors$/i.test(name)) return 'weights';
  if (/tokenizer_config.*\.json$/i.test(name)) return 'tokenizerConfig';
  if (/tokenizer.*\.json$/i.test(name)) return 'tokenizer';
  if (/^vocab.*\.txt$/i.test(name)) return 'vocabulary';
  return /^config.*\.json$/i.test(name) ? 'config' : null;
}

/** The file is no object in JSON. */
export class NoJson extends Error {
  readonly file: string;

  constructor(file: string) {
    super(file);
    this.file = file;
  }
}

/** @throws NoJson */
export async function readJson(file: File): Promise<object> {
  const value = await file.text().then((text) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return null;
    }
  });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new NoJson(file.name);
  return value;
}

/** Bytes of the weights once they are open: in 8 bits a number takes one, but for tables and Wo. */
export function bytesNeeded({ plan, parameters }: Inspected, dtype: Dtype): number {
  if (plan === null || dtype === 'float32') return 4 * parameters + (plan ? 4 * extra(plan) : 0);
  const { layers, width, heads, kvHeads, headDim, between, family } = plan;
  const feed = (family === 'llama' ? 3 : 2) * width * between;
  const inLayers = layers * (width * (2 * heads + 2 * kvHeads) * headDim + feed);
  return 4 * (parameters - inLayers) + inLayers + 4 * extra(plan);
}

/** Wo is held a second time, by its heads. */
const extra = ({ layers, width, heads, headDim }: NonNullable<Inspected['plan']>): number => layers * width * heads * headDim;
