import * as messages from '../../build/generated/texts/model.ts';
import type { Figure } from '../figures/figure.ts';
import { local } from '../shell/settings.svelte.ts';

/** Letters of a sentence that stand beside its row. */
const SHORT = 12;

/** Similarities [n, n] of n sentences as a figure. */
export function similarityFigure(texts: readonly string[], similarities: ArrayLike<number>): Figure {
  const labels = texts.map((text, n) => `${n + 1} ${text.length > SHORT ? `${text.slice(0, SHORT)}…` : text}`);
  return {
    id: 'similarities',
    letter: 'S',
    matrix: { data: similarities, rows: texts.length, cols: texts.length },
    rows: { title: local(messages.sentence), labels },
    cols: { title: local(messages.sentence), labels: labels.map((_, n) => String(n + 1)) },
    colors: 'signed',
    limit: 1,
    role: 'plain',
    provenance: 'trained',
    editable: false,
  };
}
