import { local } from '../../shell/settings.svelte.ts';
import type { Mechanism } from '../../stages/mechanism.svelte.ts';
import { names, numbered, sentences } from './messages.ts';

/** The names along an axis of an input, in the page's language. Names that tell a default's score would be false once it is dragged. */
export function namesOf(mechanism: Mechanism, input: string, axis: number, count: number): string[] {
  const given = mechanism.entry.defaults.labels[input]?.[axis];
  const tied = input === 'v' && axis === 1 && given && given.length !== count;
  const found = tied ? mechanism.entry.defaults.labels['k']?.[1] : given;
  return Array.from({ length: count }, (_, n) => nameOf(found?.[n], input, axis, n));
}

function nameOf(name: string | undefined, input: string, axis: number, n: number): string {
  if (name === undefined || name.startsWith('score ')) return unnamed(input, axis, n);
  const [, word = '', number = ''] = /^(\w+) (\d+)$/.exec(name) ?? [];
  if (word === 'step') return local(sentences.stepN)(number);
  const before = numbered[word];
  return before ? `${local(before)} ${number}` : names[name] ? local(names[name]) : name;
}

function unnamed(input: string, axis: number, n: number): string {
  if (axis === 1) return String(n + 1);
  return local(input === 'q' ? sentences.queryN : sentences.keyN)(n + 1);
}
