/** Finds and reads the cases of a folder (format attn-truth/1, described in tests/golden/FORMAT.md). */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The .json files under folder/onnx and folder/ort, in order of their paths; null where neither folder exists. */
export function findCases(folder) {
  const parts = ['onnx', 'ort'].filter((part) => existsSync(join(folder, part)));
  if (parts.length === 0) return null;
  return parts.flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true })
      .filter((path) => path.endsWith('.json'))
      .map((path) => join(folder, part, path))
      .sort(),
  );
}

export function readCase(path) {
  const stored = JSON.parse(readFileSync(path, 'utf8'));
  if (stored.format !== 'attn-truth/1') throw new Error(`unknown format in ${path}`);
  return { ...stored, inputs: readTensors(stored.inputs), outputs: readTensors(stored.outputs) };
}

function readTensors(stored) {
  return Object.fromEntries(Object.entries(stored).map(([name, tensor]) => [name, readTensor(tensor)]));
}

/** { dtype, shape, data: Float64Array } with exactly the stored values; float32 values are rounded to float32. */
export function readTensor(stored) {
  const size = stored.shape.reduce((product, n) => product * n, 1);
  let data;
  if (stored.base64 !== undefined) {
    const bytes = Uint8Array.from(Buffer.from(stored.base64, 'base64')).buffer;
    data = Float64Array.from(
      (stored.base64_as ?? stored.dtype) === 'float64' ? new Float64Array(bytes) : new Float32Array(bytes),
    );
  } else {
    data = Float64Array.from(stored.data, Number);
    if (stored.dtype === 'float32') data = Float64Array.from(Float32Array.from(data));
  }
  if (data.length !== size) throw new Error(`tensor has ${data.length} elements, shape [${stored.shape}]`);
  return { dtype: stored.dtype, shape: stored.shape, data };
}
