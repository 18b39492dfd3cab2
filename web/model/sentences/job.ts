/**
 * Runs in a worker, by `serve`: the sentence encoder lives there between calls. Every number of the page `#/model` is made here,
 * by the package.
 */
import type { Fovea } from 'fovea';
import type { ChangedHead, ForwardPass } from '../network/types.ts';
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

/** The effect of rounding to 8 bits on the samples, whose float32 embeddings stand in the file. */
export interface Rounding {
  readonly texts: readonly string[];
  /** Cosines of each sample's embedding here with that in float32. */
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

let encoder: SentenceEncoder | null = null;

export const functions = {
  async open(fovea: Fovea, bytes: Uint8Array): Promise<Opened> {
    encoder?.dispose();
    encoder = null;
    encoder = await SentenceEncoder.open(fovea, bytes);
    return { heads: encoder.heads, samples: encoder.samples.texts };
  },
  /** Which texts have pieces: the others have no embedding. */
  readable: (_: Fovea, texts: readonly string[]): boolean[] => texts.map((text) => encoder!.pieces(text).ids.length > 0),
  compare(_: Fovea, { texts, changed }: { texts: readonly string[]; changed: readonly ChangedHead[] }): Compared {
    const trained = encoder!.similarities(encoder!.embed(texts));
    return { trained, similarities: changed.length === 0 ? trained : encoder!.similarities(encoder!.embed(texts, changed)) };
  },
  look: (_: Fovea, { text, changed }: { text: string; changed: readonly ChangedHead[] }): ForwardPass =>
    encoder!.look(text, changed),
  ablate(_: Fovea, [one, other]: readonly [string, string]): Ablated {
    const pair = (changed: readonly ChangedHead[]): number => encoder!.similarities(encoder!.embed([one, other], changed))[1]!;
    const off = { kind: 'off' } as const;
    const without = encoder!.heads.map((heads, layer) =>
      Array.from({ length: heads }, (_, head) => pair([{ layer, head, change: off }])),
    );
    return { all: pair([]), without };
  },
  rounding(): Rounding {
    const { texts, embeddings } = encoder!.samples;
    const own = encoder!.embed(texts);
    const width = own.shape[1]!;
    const row = ({ data }: { data: Float32Array }, n: number): Float32Array => data.subarray(n * width, (n + 1) * width);
    const cosines = Float32Array.from(texts, (_, n) => row(own, n).reduce((sum, x, d) => sum + x * row(embeddings, n)[d]!, 0));
    return { texts, cosines, exact: encoder!.similarities(embeddings), rounded: encoder!.similarities(own) };
  },
};
