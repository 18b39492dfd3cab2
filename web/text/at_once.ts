import { innerWidth } from 'svelte/reactivity/window';
import { TOKEN_LIMIT } from './tokens.ts';

/** Tokens drawn at once on a phone: in a wider matrix a finger meets several cells. */
const PHONE_TOKENS = 24;
/** Screens that are narrower are a phone's, in CSS pixels. */
const PHONE_WIDTH = 600;

/** Tokens of a text that are drawn at once on this screen; follows its width. */
export function tokensAtOnce(): number {
  return (innerWidth.current ?? PHONE_WIDTH) < PHONE_WIDTH ? PHONE_TOKENS : TOKEN_LIMIT;
}
