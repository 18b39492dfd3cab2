/** Bytes as text: in files as base64, in links as base64url, without the signs that an address escapes. */

/** Arguments of one call of String.fromCharCode. */
const PIECE = 0x8000;

export function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(text);
}

/** Undefined for what is no base64. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

export const base64UrlOf = (bytes: Uint8Array): string =>
  base64Of(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

export const bytesOfUrl = (base64url: string): Uint8Array<ArrayBuffer> | undefined =>
  bytesOf(base64url.replaceAll('-', '+').replaceAll('_', '/'));
