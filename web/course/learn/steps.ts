import type { Component } from 'svelte';
import type { PictureProps, Step } from './step.ts';

const texts = import.meta.glob<{ default: Step }>('./steps/*.ts', { eager: true });
const pictures = import.meta.glob<{ default: Component<PictureProps> }>('./steps/*.svelte');

/** The course, in order. */
const ORDER = [
  ...['vectors', 'one_query', 'worked_example', 'softmax', 'projections'],
  ...['matrix', 'heads', 'positions', 'masks', 'cost'],
] as const;

/** A step with the picture that is loaded when it is opened. */
interface PicturedStep extends Step {
  readonly id: (typeof ORDER)[number];
  readonly picture: () => Promise<{ default: Component<PictureProps> }>;
}

/** one_query is drawn by OneQuery.svelte. */
const inCamelCase = (stem: string): string => stem.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

export const STEPS: readonly PicturedStep[] = ORDER.map((stem) => {
  const [text, picture] = [texts[`./steps/${stem}.ts`], pictures[`./steps/${inCamelCase(stem)}.svelte`]];
  if (!text || !picture) throw new Error(`the course has no step "${stem}"`);
  return { ...text.default, id: stem, picture };
});
