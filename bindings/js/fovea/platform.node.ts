/** Node: the wasm file is read from the disk. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../errors/errors.ts';
import { fetchModule } from '../runtime/fetch_wasm.ts';
import type { Platform } from './load.ts';
import { compileBytes, notFound } from '../runtime/wasm_bytes.ts';

export const nodePlatform: Platform = {
  compileAsset(tier) {
    const url =
      tier === 'relaxed' ? new URL('./fovea-relaxed.wasm', import.meta.url) : new URL('./fovea-simd128.wasm', import.meta.url);
    return readModule(url);
  },
  compileUrl(url) {
    // 'C:\\x.wasm' parses as a URL too, with a protocol of one letter.
    const text = String(url);
    const parsed = URL.canParse(text) && !/^[a-z]:[\\/]/i.test(text) ? new URL(text) : null;
    if (parsed !== null && parsed.protocol !== 'file:') return fetchModule(parsed);
    return readModule(parsed ?? text);
  },
  importThreads: () => import('../runtime/threads.node.ts'),
};

async function readModule(file: string | URL): Promise<WebAssembly.Module> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    // node:fs gets a path: bundlers for servers exchange URL for a class of their own, which it does not take.
    bytes = await readFile(typeof file === 'string' ? file : fileURLToPath(file.href));
  } catch (error) {
    return notFound(String(file), `${messageOf(error)}${forNext(file)}`, error);
  }
  return compileBytes(bytes, String(file));
}

/** Next with webpack gives server code the address that its pages have for the file. */
function forNext(file: string | URL): string {
  return String(file).includes('/_next/') ? "; set serverExternalPackages: ['fovea'] in next.config" : '';
}
