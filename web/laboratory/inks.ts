import type { Method } from './methods.ts';

/** Lines are told apart by color, and those of one color by dashes. Linear attention is dashed: its work is that of a window as wide as a head. */
export const ALL_INKS: Readonly<Record<Method['id'], { readonly ink: string; readonly dashed?: boolean }>> = {
  full: { ink: 'var(--negative)' },
  local: { ink: 'var(--positive)' },
  sparse: { ink: 'var(--positive)', dashed: true },
  longformer: { ink: 'var(--query)', dashed: true },
  bigBird: { ink: 'var(--query)' },
  reformer: { ink: 'var(--ink)', dashed: true },
  linformer: { ink: 'var(--key)' },
  linear: { ink: 'var(--key)', dashed: true },
  efficient: { ink: 'var(--value)', dashed: true },
  performer: { ink: 'var(--value)' },
};
