/** Runs in a worker, by `serve`: a visitor's model lives there between calls, as does its tokenizer. */
import { Tokenizer } from '@huggingface/tokenizers';
import type { Fovea } from 'fovea';
import type { Dtype, Weights } from '../network/layer.ts';
import type { ChangedHead, ForwardPass } from '../network/types.ts';
import { Checkpoint } from './checkpoint.ts';
import type { Config } from './config.ts';
import { OwnModel, readHeaders, type Located } from './model.ts';
import { inspect, type Inspected } from './plan.ts';

export interface Candidate {
  readonly id: number;
  readonly text: string;
  readonly probability: number;
}
/** The reason why a text was not read. */
export type Refusal =
  | { readonly kind: 'empty' }
  | { readonly kind: 'ids'; readonly text: string }
  | { readonly kind: 'vocabulary'; readonly token: string; readonly id: number; readonly vocabulary: number };

export interface Read {
  readonly refusal: Refusal | null;
  readonly pass: ForwardPass | null;
  /** How many tokens the text has in all. */
  readonly total: number;
  readonly next: readonly Candidate[];
}

const CANDIDATES = 10;
let tensors = new Map<string, Located>();
let inspected: Inspected | null = null;
let model: OwnModel | null = null;
let tokenizer: Tokenizer | null = null;

export const functions = {
  async inspect(_: Fovea, { files, config }: { files: readonly Blob[]; config: Config | null }): Promise<Inspected> {
    model?.dispose();
    model = null;
    tensors = await readHeaders(files);
    return (inspected = inspect(tensors, config));
  },
  /** @throws Error where the tokenizer is not understood. null takes it away: texts are ids then. */
  tokenizer(_: Fovea, { json, config }: { json: unknown; config: unknown }): void {
    tokenizer = null;
    if (json === null) return;
    tokenizer = new Tokenizer(json as object, (config ?? {}) as object);
    tokenizer.encode('a');
  },
  async start(fovea: Fovea, dtype: Dtype): Promise<void> {
    model?.dispose();
    model = null;
    const checkpoint = new Checkpoint(tensors);
    const made = new OwnModel(fovea, inspected!.plan!, (name) => tensors.get(checkpoint.nameOf(name) ?? ''), dtype);
    await made.loadEnds();
    model = made;
  },
  layer: (_: Fovea, n: number): Promise<void> => model!.loadLayer(n),
  read(_: Fovea, { text, most, changed }: { text: string; most: number; changed: readonly ChangedHead[] }): Read {
    const { refusal, ids, tokens } = tokensOf(text, model!.plan.vocabulary!);
    const total = ids.length;
    const count = Math.min(most, model!.plan.positions ?? most);
    if (refusal !== null || total === 0) return { refusal: refusal ?? { kind: 'empty' }, pass: null, total, next: [] };
    const { layers, next } = model!.runTokens(ids.slice(0, count), changed);
    return { refusal, pass: { tokens: tokens.slice(0, count), heads: model!.plan.heads, layers }, total, next: best(next) };
  },
  /** The text with one token more. */
  append(_: Fovea, { text, id }: { text: string; id: number }): string {
    if (tokenizer === null) return `${text.trimEnd()} ${id}`;
    // Byte-level tokens carry their space, others get it where a whole text is decoded.
    const { ids } = tokenizer.encode(text, { add_special_tokens: false });
    return tokenizer.decode([...ids, id], { skip_special_tokens: false, clean_up_tokenization_spaces: false });
  },
  see(_: Fovea, { image, changed }: { image: Weights; changed: readonly ChangedHead[] }): ForwardPass {
    const { heads, patches } = model!.plan;
    const { layers } = model!.runImage(image, changed);
    const cells = Array.from(
      { length: patches!.grid ** 2 },
      (_, n) => `${Math.floor(n / patches!.grid) + 1}, ${(n % patches!.grid) + 1}`,
    );
    return { tokens: ['[CLS]', ...cells], heads, layers };
  },
};

/** With a tokenizer the tokens of a text, without one the ids that it lists. */
function tokensOf(text: string, vocabulary: number): { refusal: Refusal | null; ids: number[]; tokens: string[] } {
  if (tokenizer === null) {
    const words = text.split(/[\s,]+/).filter((word) => word !== '');
    const wrong = words.find((word) => !/^\d{1,7}$/.test(word) || Number(word) >= vocabulary);
    if (wrong !== undefined) return { refusal: { kind: 'ids', text: wrong.slice(0, 40) }, ids: [], tokens: [] };
    return { refusal: null, ids: words.map(Number), tokens: words };
  }
  const { ids, tokens } = tokenizer.encode(text);
  const at = ids.findIndex((id: number) => !(id >= 0 && id < vocabulary));
  if (at < 0) return { refusal: null, ids, tokens };
  return { refusal: { kind: 'vocabulary', token: String(tokens[at]), id: Number(ids[at]), vocabulary }, ids: [], tokens: [] };
}

function best(next: Float32Array | null): Candidate[] {
  if (next === null) return [];
  const order = Array.from(next.keys()).sort((a, b) => next[b]! - next[a]! || a - b);
  return order.slice(0, CANDIDATES).map((id) => ({ id, text: textOf(id), probability: next[id]! }));
}

function textOf(id: number): string {
  if (tokenizer === null) return String(id);
  const text = tokenizer.decode([id], { skip_special_tokens: false, clean_up_tokenization_spaces: false });
  return text !== '' ? text : (tokenizer.id_to_token(id) ?? String(id));
}
