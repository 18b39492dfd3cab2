import type { Role } from './figure.ts';

/** An arrow from the origin, or a point, in the plane. */
export interface PlaneMark {
  readonly id: string;
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly role: Role | 'output';
  /** 0 … 1: how much of its fullest size and ink it has, a weight. 1 where it is left out. */
  readonly strength?: number;
}

export const inkOf = (role: PlaneMark['role']): string =>
  role === 'plain' || role === 'output' ? 'var(--ink)' : `var(--${role})`;

/** Whole steps near `count` that divide from … to: 1, 2 or 5 times a power of ten apart. */
export function ticksOf(from: number, to: number, count = 4): number[] {
  const rough = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough - 1e-9) ?? rough;
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** How many steps to the right and upward a key goes. */
export const ARROW_KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** An arrow's head at its tip, which is drawn at (px, py) with `unit` pixels to the number. */
export function headOf({ x, y }: PlaneMark, unit: number, px: number, py: number): string {
  const length = Math.hypot(x, y) * unit;
  if (length < 1) return '';
  const [dx, dy] = [(x * unit) / length, (-y * unit) / length];
  const corner = (side: number): string => `${px - 9 * dx + 5 * side * dy} ${py - 9 * dy - 5 * side * dx}`;
  return `M${corner(1)} L${px} ${py} L${corner(-1)} Z`;
}
