import { limits, refusals } from './messages.ts';
import { Refusal } from './refusal.ts';

const MB = 2 ** 20;

/** Refuses an empty file, and one that is larger than `most` megabytes, before any of it is read. */
export function checkFileSize({ size }: Pick<Blob, 'size'>, most: number): void {
  if (size === 0) throw new Refusal(refusals.empty);
  if (size <= most * MB) return;
  const slots = [(size / MB).toFixed(0), String(most)] as const;
  throw new Refusal({ en: limits.tooLarge.en(...slots), zh: limits.tooLarge.zh(...slots) });
}
