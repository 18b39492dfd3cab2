import type { Step } from './step.ts';

const files = import.meta.glob<{ default: Step }>('./steps/*.ts', { eager: true });

/** The course, in order. */
const ORDER = [
  ...['vectors', 'one_query', 'worked_example', 'softmax', 'projections'],
  ...['matrix', 'heads', 'positions', 'masks', 'cost'],
] as const;

export const STEPS: readonly Step[] = ORDER.map((name) => {
  const file = files[`./steps/${name}.ts`];
  if (!file) throw new Error(`the course has no step "${name}"`);
  return file.default;
});
