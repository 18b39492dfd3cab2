import { untrack } from 'svelte';
import type { Figure, FigureAxis, Provenance } from './figure.ts';

/** The diagrams of the page (arcs, bars, curves, planes, pictures), so that each can be saved. */

export interface Diagram {
  /** Its part of a file's name. */
  readonly id: string;
  readonly label: string;
  readonly root: HTMLElement | undefined;
  readonly rows: FigureAxis;
  readonly cols: FigureAxis;
  /** A list for each row; NaN where there is no number. */
  readonly numbers: readonly ArrayLike<number>[];
}

let all: readonly (() => Diagram)[] = $state.raw([]);

export const diagramsOfPage = (): readonly (() => Diagram)[] => all;

/** Called while a diagram's component is made; its numbers are read when it is saved. */
export function savableDiagram(diagram: () => Diagram): void {
  $effect(() => {
    untrack(() => (all = [...all, diagram]));
    return () => (all = all.filter((other) => other !== diagram));
  });
}

/** Its numbers as a figure, as CSV, JSON and a page of HTML have them. */
export function figureOfDiagram({ id, label, rows, cols, numbers }: Diagram, provenance: Provenance): Figure {
  const [count, width] = [numbers.length, numbers[0]?.length ?? 0];
  const data = Float32Array.from({ length: count * width }, (_, n) => numbers[Math.floor(n / width)]![n % width]!);
  return {
    ...{ id, letter: label, matrix: { data, rows: count, cols: width }, rows, cols, provenance },
    ...{ colors: 'signed', limit: 1, role: 'plain', editable: false },
  };
}
