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
  /** Its path in the folder: 'config.json', '1_Pooling/config.json'. */
  readonly file: string;
  /** 'download': bytes arrive, from the server or from the cache; 'pack': they become weights. */
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
  /**
   * 'auto': where the engine has the Cache API, as pages and workers of secure contexts do, the files of an http or https folder are kept in parts of 16 MiB,
   * in the cache named 'fovea-models', under their URL and the ETag or Last-Modified that the server tells; a file without either is not kept. Each load asks the
   * server whether a file is still the same, reads what is kept of it, and downloads the rest; a changed file is downloaded whole. Where the quota is used
   * up or the cache fails, loading goes on without it. 'none': the cache is neither read nor written. Default 'auto'.
   */
  readonly cache?: 'auto' | 'none' | undefined;
  /**
   * The SHA-256 of files, by their paths in the folder: `{ 'model.safetensors': 'sha256-…' }`, in base64, as the `integrity` of a script. Every file that is
   * named is checked, also one that comes from the cache; one of another digest is a `load` error that tells both, and no model is given.
   */
  readonly integrity?: Readonly<Record<string, string>> | undefined;
}
