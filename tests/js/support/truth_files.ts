/** Reads the reference cases of tests/golden (format attn-truth/1, described in tests/golden/FORMAT.md). */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface TruthTensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Exactly the stored values; float32 values are rounded to float32. */
  readonly data: Float64Array;
}

export interface Baseline {
  readonly max_abs_err: number;
  readonly ref_max_abs: number;
}

export interface TruthCase {
  readonly name: string;
  readonly kind: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, TruthTensor>>;
  readonly outputs: Readonly<Record<string, TruthTensor>>;
  /** The weights of mech cases, by dotted names. */
  readonly params?: Readonly<Record<string, TruthTensor>>;
  readonly baseline_f32?: Readonly<Record<string, Baseline>>;
}

interface StoredTensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data?: readonly (number | string)[];
  readonly base64?: string;
  readonly base64_as?: string;
}

function readTensor(stored: StoredTensor): TruthTensor {
  const size = stored.shape.reduce((product, n) => product * n, 1);
  let data: Float64Array;
  if (stored.base64 !== undefined) {
    const bytes = Uint8Array.from(Buffer.from(stored.base64, 'base64')).buffer;
    data = Float64Array.from(
      (stored.base64_as ?? stored.dtype) === 'float64' ? new Float64Array(bytes) : new Float32Array(bytes),
    );
  } else {
    data = Float64Array.from(stored.data ?? [], Number);
    if (stored.dtype === 'float32') data = Float64Array.from(Float32Array.from(data));
  }
  if (data.length !== size) throw new Error(`tensor has ${data.length} elements, shape [${stored.shape}]`);
  return { dtype: stored.dtype, shape: stored.shape, data };
}

function readTensors(stored: Record<string, StoredTensor>): Record<string, TruthTensor> {
  return Object.fromEntries(Object.entries(stored).map(([name, tensor]) => [name, readTensor(tensor)]));
}

function readCase(path: string): TruthCase {
  const stored = JSON.parse(readFileSync(path, 'utf8'));
  if (stored.format !== 'attn-truth/1') throw new Error(`unknown format in ${path}`);
  // Other kinds tell by `params` how their inputs were drawn.
  const params = stored.kind.startsWith('mech.') && { params: readTensors(stored.params ?? {}) };
  return { ...stored, inputs: readTensors(stored.inputs), outputs: readTensors(stored.outputs), ...params };
}

function ownFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const golden = join(folder, 'tests', 'golden');
    if (existsSync(join(golden, 'FORMAT.md'))) return golden;
    if (folder === dirname(folder)) throw new Error('tests/golden not found above the tests');
  }
}

/** FOVEA_GOLDEN names another folder of the same form; what this repository must hold is then not counted. */
const folder = process.env['FOVEA_GOLDEN'] ?? ownFolder();

/** Every case of a folder, by the names of the files. Files are found, never listed. */
export function allTruthCases(subfolder: 'torch' | 'seed' | 'mech'): TruthCase[] {
  const files = readdirSync(join(folder, subfolder))
    .filter((name) => name.endsWith('.json'))
    .sort();
  return files.map((name) => readCase(join(folder, subfolder, name)));
}

/** The truth files of one kind. */
export function truthCases(subfolder: 'torch' | 'seed', kind: string): TruthCase[] {
  return allTruthCases(subfolder).filter((one) => one.kind === kind);
}

/** The names that cases.json lists for a torch kind, or undefined when another folder is read. */
export function expectedNames(kind: string): string[] | undefined {
  if (process.env['FOVEA_GOLDEN'] !== undefined) return undefined;
  const list: { kind: string; name: string }[] = JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8')).cases;
  return list
    .filter((one) => `torch.${one.kind}` === kind)
    .map((one) => one.name)
    .sort();
}

/** The named tensor; a case without it is an error in the case. */
export function need(tensors: Readonly<Record<string, TruthTensor>>, name: string): TruthTensor {
  const tensor = tensors[name];
  if (tensor === undefined) throw new Error(`the case has no ${name}`);
  return tensor;
}

export function floats(tensor: TruthTensor): { data: Float32Array; shape: number[] } {
  return { data: Float32Array.from(tensor.data), shape: [...tensor.shape] };
}
