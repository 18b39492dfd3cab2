import * as sentences from '../../../build/generated/texts/family_basics.ts';
import { local } from '../../shell/settings.svelte.ts';
import type { Mechanism } from '../../stages/mechanism.svelte.ts';

/** The names along an axis of an input, in the page's language. Names that tell a default's score would be false once it is dragged. */
export function namesOf(mechanism: Mechanism, input: string, axis: number, count: number): string[] {
  const given = mechanism.sample.labels[input]?.[axis];
  const tied = input === 'v' && axis === 1 && given && given.length !== count;
  const found = tied ? mechanism.sample.labels['k']?.[1] : given;
  return Array.from({ length: count }, (_, n) => nameOf(found?.[n], input, axis, n));
}

function nameOf(name: string | undefined, input: string, axis: number, n: number): string {
  return name === undefined || /^(score|分数) /.test(name) ? unnamed(input, axis, n) : name;
}

function unnamed(input: string, axis: number, n: number): string {
  if (axis === 1) return String(n + 1);
  return local(input === 'q' ? sentences.queryN : sentences.keyN)({ n: n + 1 });
}
