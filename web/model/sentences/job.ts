/**
 * Runs in a worker, by `run` of fovea/worker: the sentence encoder lives there between calls. Every number of the page `#/model` is made here,
 * by the package.
 */
import type { Fovea } from 'fovea';
import type { ChangedHead, Seen } from '../network/types.ts';
import { SentenceEncoder } from './encoder.ts';

export interface Opened {
  readonly heads: readonly number[];
  readonly samples: readonly string[];
}

/** Sentences beside one another; [n, n] numbers are row by row. */
export interface Compared {
  /** Cosines with the heads as they are changed, and as they were trained. */
  readonly similarities: Float32Array;
  readonly trained: Float32Array;
}

/** What rounding to 8 bits does to the samples, whose float32 embeddings stand in the file. */
export interface Rounding {
  readonly texts: readonly string[];
  /** Of each sample, its embedding here with that in float32. */
  readonly cosines: Float32Array;
  /** [n, n]: similarities in float32 and here. */
  readonly exact: Float32Array;
  readonly rounded: Float32Array;
}

/** A pair's similarity with one head switched off after the other, by layer and head; `all` with none off. */
export interface Ablated {
  readonly all: number;
  readonly without: readonly (readonly number[])[];
}

export interface Requests {
  open(bytes: Uint8Array): Promise<Opened>;
  /** Which texts have pieces: the others have no embedding. */
  readable(texts: readonly string[]): boolean[];
  compare(texts: readonly string[], changed: readonly ChangedHead[]): Compared;
  look(text: string, changed: readonly ChangedHead[]): Seen;
  ablate(one: string, other: string): Ablated;
  rounding(): Rounding;
}

let encoder: SentenceEncoder | null = null;

export default function answer(fovea: Fovea, name: keyof Requests, ...args: unknown[]): unknown {
  return name === 'open' ? open(fovea, args[0] as Uint8Array) : (requests[name] as (...args: unknown[]) => unknown)(...args);
}

async function open(fovea: Fovea, bytes: Uint8Array): Promise<Opened> {
  encoder?.dispose();
  encoder = null;
  encoder = await SentenceEncoder.open(fovea, bytes);
  return { heads: encoder.heads, samples: encoder.samples.texts };
}

const requests: Omit<Requests, 'open'> = {
  readable: (texts) => texts.map((text) => encoder!.pieces(text).ids.length > 0),
  compare(texts, changed) {
    const trained = encoder!.similarities(encoder!.embed(texts));
    return { trained, similarities: changed.length === 0 ? trained : encoder!.similarities(encoder!.embed(texts, changed)) };
  },
  look: (text, changed) => encoder!.look(text, changed),
  ablate(one, other) {
    const pair = (changed: readonly ChangedHead[]): number => encoder!.similarities(encoder!.embed([one, other], changed))[1]!;
    const off = { kind: 'off' } as const;
    const without = encoder!.heads.map((heads, layer) =>
      Array.from({ length: heads }, (_, head) => pair([{ layer, head, change: off }])),
    );
    return { all: pair([]), without };
  },
  rounding() {
    const { texts, embeddings } = encoder!.samples;
    const own = encoder!.embed(texts);
    const width = own.shape[1]!;
    const row = ({ data }: { data: Float32Array }, n: number): Float32Array => data.subarray(n * width, (n + 1) * width);
    const cosines = Float32Array.from(texts, (_, n) => row(own, n).reduce((sum, x, d) => sum + x * row(embeddings, n)[d]!, 0));
    return { texts, cosines, exact: encoder!.similarities(embeddings), rounded: encoder!.similarities(own) };
  },
};
