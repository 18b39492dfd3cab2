import type { Pattern } from 'fovea/pattern';
import type { Painting } from '../../patterns/painting.ts';
import { paint } from '../../patterns/painting.ts';
import type { Joint, Part } from '../../patterns/patterns.ts';
import { paintedPattern, part, patternOf } from '../../patterns/patterns.ts';
import type { Mechanism } from '../../stages/mechanism.svelte.ts';

export const WAYS = ['given', 'combine', 'paint'] as const;
export type Way = (typeof WAYS)[number];

/**
 * A pattern of the visitor's own in place of a mechanism's. It is an option of the mechanism: what stands below the picture follows, and "back to the
 * start" takes it away.
 */
export class OwnPattern {
  parts: readonly Part[] = $state.raw([part('local', [1]), part('atrous', [3])]);
  joint: Joint = $state('or');
  #painting: Painting = $state.raw({ size: 0, bits: new Uint8Array() });
  #own: Exclude<Way, 'given'> = $state('combine');
  readonly #mechanism: () => Mechanism;
  /** Tokens of the mechanism's own text. */
  readonly #tokens: () => number;

  constructor(mechanism: () => Mechanism, tokens: () => number) {
    this.#mechanism = mechanism;
    this.#tokens = tokens;
  }

  get way(): Way {
    return this.#mechanism().options['pattern'] === undefined ? 'given' : this.#own;
  }

  /** For `tokens` tokens; null where the mechanism's own stands. */
  patternOf(tokens: number): Pattern | null {
    if (this.way === 'given') return null;
    return this.way === 'paint' ? paintedPattern(this.#painting, tokens) : patternOf(this.parts, this.joint);
  }

  /** Painting begins with `bits`, those that are shown. */
  choose(way: Way, size: number, bits: Uint8Array): void {
    if (way === 'given') {
      const mechanism = this.#mechanism();
      const { pattern: _, ...given } = mechanism.options;
      mechanism.options = given;
      return;
    }
    this.#own = way;
    if (way === 'paint') this.#painting = { size, bits };
    this.#apply();
  }

  combine(parts: readonly Part[], joint: Joint): void {
    [this.parts, this.joint] = [parts, joint];
    this.#apply();
  }

  brush(tokens: number, cells: readonly { row: number; col: number }[], kept: boolean): void {
    this.#painting = paint(this.#painting, tokens, cells, kept);
    this.#apply();
  }

  fill(size: number, bit: 0 | 1): void {
    this.#painting = { size, bits: new Uint8Array(size * size).fill(bit) };
    this.#apply();
  }

  #apply(): void {
    const tokens = this.#tokens();
    const pattern = this.#own === 'paint' ? paintedPattern(this.#painting, tokens) : patternOf(this.parts, this.joint);
    this.#mechanism().change('options', { pattern });
  }
}
