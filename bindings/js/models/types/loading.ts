/** Where a model comes from, and how it is loaded. */
import type { HostSignal, HostUrl } from '../../errors/host_types.ts';
import type { FileSource } from '../../files/types.ts';

/**
 * Where the files of a model are: the URL of a folder; in Node, its path; the Files that a visitor has chosen, as
 * `<input type="file" webkitdirectory>` gives them; or sources by their names in the folder, 'config.json' and '1_Pooling/config.json'.
 */
export type ModelFolder = string | HostUrl | readonly File[] | ReadonlyMap<string, FileSource>;

/** The methods that a model calls of a tokenizer: `@huggingface/tokenizers` has it, and so may your own. */
export interface TokenizerLike {
  /** The ids of a text, or of a pair, and the kind of each token where it tells kinds apart. */
  encode(
    text: string,
    options?: { text_pair?: string | null; add_special_tokens?: boolean; return_token_type_ids?: boolean | null },
  ): { readonly ids: readonly number[]; readonly token_type_ids?: readonly number[] };

  /** The text of ids. */
  decode(ids: number[], options?: { skip_special_tokens?: boolean }): string;

  /** The token of an id, as attention weights and tags name it. */
  id_to_token?(id: number): string | undefined;
}

export interface LoadProgress {
  readonly file: string;
  /** 'download': bytes arrive; 'pack': they become weights. */
  readonly phase: 'download' | 'pack';
  /** Bytes of the file. */
  readonly loaded: number;
  /** Null where the server does not tell. */
  readonly total: number | null;
}

export interface LoadModelOptions {
  /** 'int8' keeps the matrices in 8 bits, a quarter of their memory: `quantize` of fovea/ops tells how, and the error. Default 'float32'. */
  readonly dtype?: 'float32' | 'int8' | undefined;
  /**
   * With `dtype: 'int8'`: 'precise' rounds what the matrices are multiplied by to 14 bits, so that the rounding of the weights is all that
   * counts, in about twice the time of 'fast' for many tokens. Default 'fast'.
   */
  readonly inputs?: 'fast' | 'precise' | undefined;
  /** Keys in place of those of config.json. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** In place of the folder's tokenizer.json; null: the model takes ids alone, and no tokenizer is loaded. */
  readonly tokenizer?: TokenizerLike | null | undefined;
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
  /** Aborting rejects with the signal's reason; memory that was taken is given back. */
  readonly signal?: HostSignal | undefined;
  /** In place of the global fetch: for credentials, headers, or a cache of your own. */
  readonly fetch?: typeof fetch | undefined;
}
