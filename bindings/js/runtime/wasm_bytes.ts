/** From bytes to a compiled module: what came in place of wasm is told apart, with the remedy. */
import { fail, messageOf } from '../errors/errors.ts';

/** Vite's development server bundles a page's dependencies, and leaves the files beside them behind. */
const isBundledByVite = (where: string): boolean => /vite\b.*\/deps\//.test(where);

function remedy(where: string): string {
  const first = isBundledByVite(where)
    ? "set optimizeDeps: { exclude: ['fovea'] } in vite.config"
    : "serve the package's dist/fovea-*.wasm there";
  return `${first}, pass wasmUrl, wasmBinary or wasmModule to load(), or import from 'fovea/inline'`;
}

/** Compiles the bytes that came from `where`. */
export async function compileBytes(bytes: BufferSource, where: string): Promise<WebAssembly.Module> {
  const { buffer = bytes as ArrayBuffer, byteOffset, byteLength } = bytes as Partial<ArrayBufferView<ArrayBuffer>>;
  checkMagic(new Uint8Array(buffer, byteOffset, byteLength), where);
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    return compileFailed(error, `${where} (${byteLength} bytes)`);
  }
}

/** Throws the `load` error of a file that could not be fetched or read. */
export function notFound(where: string, why: string, cause?: unknown): never {
  fail('load', 'load', `no WebAssembly file at ${where}: ${why}; ${remedy(where)}`, cause);
}

export function compileFailed(error: unknown, where: string): never {
  const message = messageOf(error);
  const what = /unsafe-eval|content security policy/i.test(message)
    ? "this page's Content Security Policy forbids WebAssembly; add 'wasm-unsafe-eval' to its script-src"
    : /code generation/i.test(message)
      ? "this host compiles no WebAssembly at run time; pass wasmModule to load() of 'fovea/core'"
      : `${where} does not compile: it is truncated, damaged, or needs what this engine lacks; ${remedy(where)}`;
  fail('load', 'load', `${what} (${message})`, error);
}

function checkMagic(bytes: Uint8Array, where: string): void {
  const magic = [0, 0x61, 0x73, 0x6d]; // \0asm
  if (magic.every((byte, index) => bytes[index] === byte)) return;
  const start = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart();
  if (bytes.length === 0) notFound(where, 'it is empty');
  if (start.startsWith('<')) notFound(where, `an HTML page came in its place (${JSON.stringify(start.slice(0, 24))})`);
  notFound(where, `its ${bytes.length} bytes are not wasm: ${JSON.stringify(start.slice(0, 16))}`);
}
