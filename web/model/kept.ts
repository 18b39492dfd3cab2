/** Choices of the trained model's page as a link or a file holds them: anybody may have written these, so each is checked. */

import { isRecord } from '../keep/codec.ts';
import type { Json } from '../shell/kept.svelte.ts';
import type { ChangedHead, HeadChange } from './network/types.ts';

export interface HeadPlace {
  readonly layer: number;
  readonly head: number;
}

/** Characters of the sentences together. */
export const LONGEST_TEXT = 4000;
/** Tokens that a window or top-k may name: more than a sentence has. */
const MOST_TOKENS = 1024;
const MOST_LAYERS = 64;
const MOST_HEADS = 64;

const isWithin = (value: Json | undefined, from: number, to: number): value is number =>
  Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to;

export const readText = (json: Json): string | undefined =>
  typeof json === 'string' && json.length <= LONGEST_TEXT ? json : undefined;

export function readHead(json: Json | undefined): HeadPlace | undefined {
  if (!isRecord(json)) return undefined;
  const { layer, head } = json;
  return isWithin(layer, 0, MOST_LAYERS - 1) && isWithin(head, 0, MOST_HEADS - 1) ? { layer, head } : undefined;
}

/** Each head is named once. */
export function readChanged(json: Json): readonly ChangedHead[] | undefined {
  if (!Array.isArray(json) || json.length > MOST_LAYERS * MOST_HEADS) return undefined;
  const changed = (json as readonly Json[]).map((one): ChangedHead | undefined => {
    const [place, change] = [readHead(one), isRecord(one) ? readChange(one['change']) : undefined];
    return place && change && { ...place, change };
  });
  const heads = new Set(changed.map((one) => one && `${one.layer},${one.head}`));
  return heads.size === changed.length && changed.every((one) => one !== undefined) ? changed : undefined;
}

function readChange(json: Json | undefined): HeadChange | undefined {
  if (!isRecord(json)) return undefined;
  const { kind, reach, k } = json;
  if (kind === 'off' || kind === 'linear') return { kind };
  if (kind === 'window') return isWithin(reach, 0, MOST_TOKENS) ? { kind, reach } : undefined;
  return kind === 'topK' && isWithin(k, 1, MOST_TOKENS) ? { kind, k } : undefined;
}
