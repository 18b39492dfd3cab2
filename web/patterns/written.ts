import type { Part } from './patterns.ts';
import { MOST_PARTS, part, PART_KINDS } from './patterns.ts';

/** Parts as a link has them: `local.1_not.causal`. */
export const writeParts = (parts: readonly Part[]): string => parts.map(writePart).join('_');

/** The readable parts, their numbers brought into their ranges. */
export const readParts = (text: string): readonly Part[] => text.split('_', MOST_PARTS).flatMap((one) => readPart(one) ?? []);

function writePart({ kind, values, not }: Part): string {
  return [...(not ? ['not'] : []), kind, ...values].join('.');
}

function readPart(text: string): Part | null {
  const [, not, name, numbers = ''] = /^(not\.)?([a-zA-Z]+)((?:\.\d{1,9})*)$/.exec(text) ?? [];
  const kind = PART_KINDS.find((candidate) => candidate === name);
  return kind ? part(kind, numbers.split('.').slice(1).map(Number), not !== undefined) : null;
}
