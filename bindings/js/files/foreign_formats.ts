/** Files of other formats, by how they begin: what came in place of the one that was wanted, and how to get that. */
import { AttentionError, fail } from '../errors/errors.ts';
import type { BinaryFile } from './binary_file.ts';

/** The most bytes that tell a format. */
const MOST_MAGIC = 64;

/** The function that reads a format of the package's own. */
type OwnReader = 'readNpy' | 'readSafetensors';

/** Beginnings, each byte a character, and what is said of the file; of the package's own formats, the function that reads them. */
const FORMATS: readonly (readonly [start: RegExp, what: string, reader?: OwnReader])[] = [
  [/^\x93NUMPY/, 'an npy file: use readNpy', 'readNpy'],
  [/^GGUF/, 'a GGUF file, as llama.cpp has: take the safetensors of the model'],
  [/^[^]{6}\0\0\{/, 'a safetensors file: use readSafetensors', 'readSafetensors'],
  // ir_version, then any field of a ModelProto.
  [
    /^\x08[\x01-\x20][\x12\x1a\x22\x2a\x32\x3a\x42]/,
    'an ONNX model: take the safetensors of the model, or write its initializers with numpy.save',
  ],
  [
    /^PK\x03\x04/,
    'a zip, as torch.save writes .pt and numpy.savez .npz: write it with safetensors.torch.save_file, or each array with numpy.save',
  ],
  [/^\x80[\x02-\x05]/, 'a pickle, as torch.save wrote: write it with safetensors.torch.save_file'],
  [/^\x89HDF\r\n/, 'an HDF5 file, as Keras writes .h5: write its weights with safetensors.numpy.save_file'],
  [/^[^]{4}TFL3/, 'a model of TensorFlow Lite: write its weights with safetensors.numpy.save_file'],
  [/^\x1f\x8b/, "compressed by gzip: decompress it, as with new DecompressionStream('gzip')"],
  [/^version https:\/\/git-lfs/, 'a pointer of Git LFS in place of the file: fetch it with git lfs pull'],
  [/^\s*[{[]\s*["\d{[]/, 'a text in JSON'],
];

/** The result of `read`, of the format that `own` reads. Where the file is not as its format says, but begins as one of another, the error names that. */
export async function orForeign<R>(file: BinaryFile, own: OwnReader, read: () => Promise<R>): Promise<R> {
  try {
    return await read();
  } catch (error) {
    const first = await file.read(0, Math.min(file.size, MOST_MAGIC)).catch(() => null);
    if (first !== null && error instanceof AttentionError && error.code === 'value') refuseForeign(file, first, own);
    throw error;
  }
}

function refuseForeign(file: BinaryFile, first: Uint8Array, own: OwnReader): void {
  const start = String.fromCharCode(...first);
  const text = start.replace(/^\xef\xbb\xbf/, '').trimStart();
  if (/^<[!?a-z]/i.test(text))
    fail(
      'load',
      file.fn,
      `${file.name} cannot be read: an HTML page came in its place (${JSON.stringify(text.slice(0, 24))}), as servers answer for files they do not have`,
    );
  const [, what, reader] = FORMATS.find(([magic]) => magic.test(start)) ?? [];
  if (what !== undefined && reader !== own) file.bad(`it is ${what}`);
}
