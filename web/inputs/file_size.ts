import { limits, refusals } from '../../build/generated/texts/inputs.ts';
import { fill } from '../shell/localized.ts';
import { Refusal } from './refusal.ts';

const MB = 2 ** 20;

/** Refuses an empty file, and one that is larger than `most` megabytes, before any of it is read. */
export function checkFileSize({ size }: Pick<Blob, 'size'>, most: number): void {
  if (size === 0) throw new Refusal(refusals.empty);
  if (size <= most * MB) return;
  throw new Refusal(fill(limits.tooLarge, { size: (size / MB).toFixed(0), most: most }));
}
