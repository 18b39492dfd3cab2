import type { Painting } from '../../../../patterns/painting.ts';
import { readPainting, writePainting } from '../../../../patterns/painting.ts';
import type { Joint, Part } from '../../../../patterns/patterns.ts';
import { part } from '../../../../patterns/patterns.ts';
import { readParts, writeParts } from '../../../../patterns/written.ts';
import { TOKEN_LIMIT } from '../../../../text/tokens.ts';

/** Chosen from a list, or painted pair by pair. */
export type PatternWay = 'parts' | 'paint';

const USUAL: readonly Part[] = [part('local')];

/** Which pairs attend. */
export class PatternState {
  /** Off: all of them, dense attention. */
  sparse = $state(false);
  way: PatternWay = $state('parts');
  parts: readonly Part[] = $state.raw(USUAL);
  joint: Joint = $state('or');
  /** Null until something is painted: painting begins with the chosen parts. */
  painting: Painting | null = $state.raw(null);

  /** `pattern=local.1_not.causal&join=and`, `pattern=paint.9.…`; nothing for dense attention. */
  write(params: URLSearchParams): void {
    if (!this.sparse) return;
    const painted = this.way === 'paint' ? this.painting : null;
    params.set('pattern', painted ? `paint.${writePainting(painted)}` : writeParts(this.parts));
    if (!painted && this.joint === 'and' && this.parts.length > 1) params.set('join', 'and');
  }

  read(params: URLSearchParams): void {
    const text = params.get('pattern') ?? '';
    const painting = text.startsWith('paint.') ? readPainting(text.slice(6), TOKEN_LIMIT) : null;
    const parts = readParts(text);
    this.sparse = painting !== null || parts.length > 0;
    this.way = painting ? 'paint' : 'parts';
    this.painting = painting;
    if (parts.length > 0) {
      this.parts = parts;
      this.joint = params.get('join') === 'and' ? 'and' : 'or';
    }
  }
}
