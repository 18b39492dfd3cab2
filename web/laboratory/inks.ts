import type { Method } from './methods.ts';

/** Lines are told apart by color, and those of one color by dashes. */
export const ALL_INKS: Readonly<Record<Method['id'], { readonly ink: string; readonly dashed?: boolean }>> = {
  full: { ink: 'var(--negative)' },
  local: { ink: 'var(--positive)' },
  sparse: { ink: 'var(--positive)', dashed: true },
  longformer: { ink: 'var(--query)', dashed: true },
  bigBird: { ink: 'var(--query)' },
  reformer: { ink: 'var(--ink)', dashed: true },
  linformer: { ink: 'var(--key)', dashed: true },
  linear: { ink: 'var(--key)' },
  efficient: { ink: 'var(--value)', dashed: true },
  performer: { ink: 'var(--value)' },
};
