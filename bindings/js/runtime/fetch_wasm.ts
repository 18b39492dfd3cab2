/** Fetching the wasm file: streamed where the server names its type, explained where something else came. */
import { messageOf } from '../errors/errors.ts';
import { policyRemedy } from '../errors/served.ts';
import { compileBytes, notFound } from './wasm_bytes.ts';

export async function fetchModule(url: string | URL): Promise<WebAssembly.Module> {
  const where = String(url);
  if (typeof fetch !== 'function') notFound(where, 'there is no fetch');
  let response: Response;
  try {
    response = await fetch(url);
  } catch (error) {
    return notFound(where, `the request failed (${messageOf(error)})${policyRemedy(where)}`, error);
  }
  if (!response.ok) notFound(where, `the server answered ${response.status} ${response.statusText}`.trimEnd());
  try {
    return await WebAssembly.compileStreaming(response.clone());
  } catch {
    // The engine has no streaming, the server names another type, or the file is a wrong one: the bytes tell.
  }
  let bytes: ArrayBuffer;
  try {
    bytes = await response.arrayBuffer();
  } catch (error) {
    return notFound(where, `the answer broke off (${messageOf(error)})`, error);
  }
  return compileBytes(bytes, where);
}
