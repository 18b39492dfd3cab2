/** The weights of a visitor's file by their names and shapes alone: what a model wants of them, what is missing, and what nobody reads. */

export interface Header {
  readonly shape: readonly number[];
  readonly dtype: string;
}

/** Something to say about a file, in place. Errors keep the model from being opened. */
export type Note =
  | { readonly kind: 'missing'; readonly names: readonly string[] }
  | { readonly kind: 'shape'; readonly name: string; readonly wanted: readonly number[]; readonly got: readonly number[] }
  | { readonly kind: 'type'; readonly name: string; readonly dtype: string }
  | { readonly kind: 'config'; readonly key: string; readonly value: string }
  | { readonly kind: 'assumed'; readonly key: string; readonly value: string }
  | { readonly kind: 'ignored'; readonly key: string; readonly value: string }
  | { readonly kind: 'unused'; readonly names: readonly string[] };

export const isError = ({ kind }: Note): boolean => ['missing', 'shape', 'type', 'config'].includes(kind);

/** Norms of files from TensorFlow keep their old names. */
const OLD: readonly (readonly [RegExp, string])[] = [
  [/LayerNorm\.weight$/, 'LayerNorm.gamma'],
  [/LayerNorm\.bias$/, 'LayerNorm.beta'],
];
const READ = ['F32', 'F16', 'BF16', 'F64'];

export class Checkpoint {
  readonly headers: ReadonlyMap<string, Header>;
  readonly #used = new Set<string>();
  readonly #missing = new Set<string>();
  readonly #notes: Note[] = [];

  constructor(headers: ReadonlyMap<string, Header>) {
    this.headers = headers;
  }

  /** The file's name of it, or undefined where it has none. */
  nameOf(name: string): string | undefined {
    const old = OLD.map(([from, to]) => name.replace(from, to)).find((candidate) => candidate !== name);
    return this.headers.has(name) ? name : old !== undefined && this.headers.has(old) ? old : undefined;
  }

  has(name: string): boolean {
    return this.nameOf(name) !== undefined;
  }

  /** Notes a weight that is missing or of another shape; −1 stands for any length. Its shape, or undefined. */
  want(name: string, wanted: readonly number[]): readonly number[] | undefined {
    const own = this.nameOf(name);
    const header = own === undefined ? undefined : this.headers.get(own);
    if (own === undefined || header === undefined) {
      this.#missing.add(name);
      return undefined;
    }
    this.#used.add(own);
    const { shape, dtype } = header;
    const fits =
      shape.length === wanted.length && shape.every((length, n) => length > 0 && (wanted[n] === -1 || wanted[n] === length));
    if (!READ.includes(dtype)) this.note({ kind: 'type', name: own, dtype });
    else if (!fits) this.note({ kind: 'shape', name: own, wanted, got: shape });
    return fits ? shape : undefined;
  }

  /** Reads like `want` where the file has it. */
  maybe(name: string, wanted: readonly number[]): boolean {
    if (!this.has(name)) return false;
    this.want(name, wanted);
    return true;
  }

  /** Weights that need not be read: masks that lie in old files. */
  skip(name: string): void {
    const own = this.nameOf(name);
    if (own !== undefined) this.#used.add(own);
  }

  note(note: Note): void {
    this.#notes.push(note);
  }

  /** How many layers follow one another under names that begin so, from 0 on. */
  countLayers(before: string): number {
    let count = 0;
    const starts = new Set(
      [...this.headers.keys()]
        .filter((name) => name.startsWith(before))
        .map((name) => name.slice(before.length).split('.', 1)[0]),
    );
    while (starts.has(String(count))) ++count;
    return count;
  }

  notes(): Note[] {
    const unused = [...this.headers.keys()].filter((name) => !this.#used.has(name));
    return [
      ...(this.#missing.size > 0 ? [{ kind: 'missing', names: [...this.#missing] } as const] : []),
      ...this.#notes,
      ...(unused.length > 0 ? [{ kind: 'unused', names: unused } as const] : []),
    ];
  }
}
