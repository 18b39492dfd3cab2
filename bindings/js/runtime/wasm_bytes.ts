/** From bytes to a compiled module: what came in place of wasm is told apart, with the remedy. */
import { fail, messageOf } from '../errors/errors.ts';
import { viteRemedy } from '../errors/served.ts';

/** Where bytes came from: an address, or null for the option wasmBinary. */
export type Where = string | null;

function remedy(where: Where): string {
  if (where === null) return "pass the bytes of the package's dist/fovea-*.wasm";
  const first = viteRemedy(where) ?? "serve the package's dist/fovea-*.wasm there";
  return `${first}, pass wasmUrl, wasmBinary or wasmModule to load(), or import from 'fovea/inline'`;
}

/** An address as messages show it: one of data may be as long as the file. */
function shown(where: Where): string {
  if (where === null) return 'wasmBinary';
  return where.length > 200 ? `${where.slice(0, 200)}…` : where;
}

/** Compiles the bytes that came from `where`. */
export async function compileBytes(bytes: BufferSource, where: Where): Promise<WebAssembly.Module> {
  const { buffer = bytes as ArrayBuffer, byteOffset } = bytes as Partial<ArrayBufferView<ArrayBuffer>>;
  const { byteLength } = bytes;
  checkMagic(new Uint8Array(buffer, byteOffset, byteLength), where);
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    return compileFailed(error, where, byteLength);
  }
}

/** Throws the `load` error of a file that could not be fetched or read. */
export function notFound(where: Where, why: string, cause?: unknown): never {
  fail('load', 'load', `no WebAssembly file ${where === null ? 'in' : 'at'} ${shown(where)}: ${why}; ${remedy(where)}`, cause);
}

function compileFailed(error: unknown, where: Where, bytes: number): never {
  const message = messageOf(error);
  const what = /unsafe-eval|content security policy/i.test(message)
    ? "this page's Content Security Policy forbids WebAssembly; add 'wasm-unsafe-eval' to its script-src"
    : /code generation/i.test(message)
      ? "this host compiles no WebAssembly at run time; pass wasmModule to load() of 'fovea/core'"
      : `${shown(where)} (${bytes} bytes) does not compile: it is truncated, damaged, or needs what this engine lacks; ${remedy(where)}`;
  fail('load', 'load', `${what} (${message})`, error);
}

function checkMagic(bytes: Uint8Array, where: Where): void {
  const magic = [0, 0x61, 0x73, 0x6d]; // \0asm
  if (magic.every((byte, index) => bytes[index] === byte)) return;
  const start = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart();
  if (bytes.length === 0) notFound(where, 'it is empty');
  if (start.startsWith('<')) notFound(where, `an HTML page came in its place (${JSON.stringify(start.slice(0, 24))})`);
  notFound(where, `its ${bytes.length} bytes are not wasm: ${JSON.stringify(start.slice(0, 16))}`);
}
