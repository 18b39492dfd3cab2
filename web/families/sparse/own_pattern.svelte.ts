import type { Arguments } from 'fovea/catalog';
import type { Pattern } from 'fovea/pattern';
import type { Painting } from '../../patterns/painting.ts';
import { paint, readPainting, writePainting } from '../../patterns/painting.ts';
import type { Joint, Part } from '../../patterns/patterns.ts';
import { paintedCode, paintedPattern, part, patternCode, patternOf } from '../../patterns/patterns.ts';
import { readParts, writeParts } from '../../patterns/written.ts';
import { isRecord } from '../../keep/codec.ts';
import type { Choice, Json } from '../../shell/kept.svelte.ts';
import type { Mechanism } from '../../stages/mechanism.svelte.ts';

export const WAYS = ['given', 'combine', 'paint'] as const;
export type Way = (typeof WAYS)[number];

/** More words than the page draws are not painted. */
const MOST_TOKENS = 64;

const NOTHING: Painting = { size: 0, bits: new Uint8Array() };

interface Shown {
  readonly way: Exclude<Way, 'given'>;
  readonly parts: readonly Part[];
  readonly joint: Joint;
  readonly painting: Painting;
}

/** A pattern of the visitor's own in place of a mechanism's, for its picture. "Back to the start" takes it away. */
export class OwnPattern {
  parts: readonly Part[] = $state.raw([part('local', [1]), part('atrous', [3])]);
  joint: Joint = $state('or');
  #painting: Painting = $state.raw(NOTHING);
  #own: Exclude<Way, 'given'> = $state('combine');
  /** The mechanism's options when it was chosen: it stands until they become others. */
  #beside: Arguments | null = $state.raw(null);
  readonly #mechanism: () => Mechanism;

  constructor(mechanism: () => Mechanism) {
    this.#mechanism = mechanism;
  }

  get way(): Way {
    return this.#mechanism().options === this.#beside ? this.#own : 'given';
  }

  /** The page's choice; null where the mechanism's own pattern is shown. */
  readonly choice: Choice<Shown | null> = {
    get: () =>
      this.way === 'given' ? null : { way: this.#own, parts: this.parts, joint: this.joint, painting: this.#painting },
    set: (shown) => {
      if (shown === null) return this.choose('given', 0, new Uint8Array());
      this.choose(shown.way, shown.painting.size, shown.painting.bits);
      [this.parts, this.joint, this.#painting] = [shown.parts, shown.joint, shown.painting];
    },
    write: (shown) =>
      shown && {
        way: shown.way,
        parts: writeParts(shown.parts),
        joint: shown.joint,
        painting: shown.painting.size > 0 ? writePainting(shown.painting) : '',
      },
    read: readShown,
  };

  /** For `tokens` tokens; null where the mechanism's own stands. */
  patternOf(tokens: number): Pattern | null {
    if (this.way === 'given') return null;
    return this.way === 'paint' ? paintedPattern(this.#painting, tokens) : patternOf(this.parts, this.joint);
  }

  /** The pattern of `patternOf`, as code; null where the mechanism's own is shown. */
  codeOf(tokens: number): string | null {
    if (this.way === 'given') return null;
    return this.way === 'paint' ? paintedCode(this.#painting, tokens) : patternCode(this.parts, this.joint);
  }

  /** Painting begins with `bits`, those that are shown. */
  choose(way: Way, size: number, bits: Uint8Array): void {
    if (way === 'given') {
      this.#beside = null;
      return;
    }
    const mechanism = this.#mechanism();
    mechanism.change('options', {});
    this.#beside = mechanism.options;
    this.#own = way;
    if (way === 'paint') this.#painting = { size, bits };
  }

  combine(parts: readonly Part[], joint: Joint): void {
    [this.parts, this.joint] = [parts, joint];
  }

  brush(tokens: number, cells: readonly { row: number; col: number }[], kept: boolean): void {
    this.#painting = paint(this.#painting, tokens, cells, kept);
  }

  fill(size: number, bit: 0 | 1): void {
    this.#painting = { size, bits: new Uint8Array(size * size).fill(bit) };
  }
}

function readShown(json: Json): Shown | null | undefined {
  if (json === null) return null;
  if (!isRecord(json)) return undefined;
  const { way, joint } = json;
  const parts = readParts(String(json['parts']));
  const painting = json['painting'] === '' ? NOTHING : readPainting(String(json['painting']), MOST_TOKENS);
  const isWay = way === 'combine' || (way === 'paint' && painting !== NOTHING);
  return isWay && (joint === 'or' || joint === 'and') && painting && parts.length > 0
    ? { way, parts, joint, painting }
    : undefined;
}
