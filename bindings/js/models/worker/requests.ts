/** The requests that a connection's side of fovea/models makes of the worker's. */
import type { FileSource } from '../../files/types.ts';
import type {
  ContextOptions,
  GeneratedToken,
  GenerateOptions,
  GenerationEnd,
  LoadModelOptions,
  LoadProgress,
  Prompt,
} from '../types/index.ts';

/** A folder as it is sent: a Map as its entries. */
export type SentFolder = string | readonly File[] | readonly (readonly [string, FileSource])[];

/** The methods of an encoder and of a decoder that are asked by name. */
export const CALLED = ['embed', 'states', 'classify', 'tag', 'rank', 'logits'] as const;
export type Called = (typeof CALLED)[number];

export type ModelRequest =
  | {
      readonly type: 'load';
      readonly kind: 'encoder' | 'decoder';
      readonly folder: SentFolder;
      readonly options: Omit<LoadModelOptions, 'signal' | 'onProgress' | 'fetch'>;
    }
  | { readonly type: 'call'; readonly model: number; readonly method: Called; readonly args: readonly unknown[] }
  | { readonly type: 'context'; readonly model: number; readonly options: ContextOptions }
  | {
      readonly type: 'generate';
      readonly model: number;
      readonly prompt: Prompt;
      readonly options: Omit<GenerateOptions, 'signal'>;
    }
  | { readonly type: 'dispose'; readonly model: number };

/** Messages while a request is under way. `length` is that of the context, 0 without one. */
export type ModelMessage =
  | { readonly progress: LoadProgress }
  | { readonly token: GeneratedToken; readonly promptTokens: number; readonly length: number };

/** The answer to `load`. */
export interface Opened {
  readonly model: number;
  readonly info: unknown;
}

/** The answer to `generate`. */
export interface Ended {
  readonly end: GenerationEnd;
}
