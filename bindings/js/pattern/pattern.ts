/** Patterns: which pairs of positions attend, described and not yet asked about. */
import { describe, fail } from '../errors/errors.ts';
import { nameClass } from '../errors/inspect.ts';
import { setInternals } from '../runtime/internals.ts';
import { density, pairs, toMask } from './evaluate.ts';
import { join, negate, type Node } from './nodes.ts';
import { sourceOf } from './source.ts';
import type { PatternJSON, PatternMask, PatternPairs, PatternSizes } from './types.ts';
import type { AttentionPattern } from '../attention/types/entries.ts';
import type { Fovea } from '../fovea/fovea.ts';

let make: (node: Node) => Pattern;
let peek: (pattern: Pattern) => Node;
let recognize: (value: unknown) => value is Pattern;

/**
 * A set of pairs of a query and a key: those that may attend to each other, for the option `pattern` of the attention functions.
 * Made by the functions of `pattern`. It never changes, needs no instance, holds no memory of one, and has no size until it is
 * used; what is forbidden is not computed.
 *
 * Query i stands at position p = i + offset, where the offset is that of `causalOffset` or `causalAlign`; key j at j. Heads are
 * query heads.
 *
 * @example
 * import { pattern } from 'fovea/pattern';
 * const sliding = pattern.window(2, 0).or(pattern.globalTokens([0]));
 * const { output } = fovea.attention([[1], [2]], [[1], [2]], [[1], [2]], { pattern: sliding });
 */
export class Pattern {
  readonly #node: Node;

  static {
    make = (node) => new Pattern(node);
    peek = (pattern) => pattern.#node;
    recognize = (value): value is Pattern => typeof value === 'object' && value !== null && #node in value;
    nameClass(Pattern.prototype, 'Pattern', (pattern) => `Pattern { ${pattern.describe()} }`);
  }

  /** Patterns are made by `pattern`. */
  protected constructor(tree: object) {
    this.#node = tree as Node;
    setInternals(this, 'pattern', sourceOf(this.#node));
    Object.freeze(this);
  }

  /**
   * The pairs of any of them.
   *
   * @throws AttentionError `value` for what is no Pattern.
   */
  or(...others: readonly Pattern[]): Pattern {
    return others.length === 0 ? this : make(join('or', [this, ...others].map(nodesFor('pattern.or'))));
  }

  /**
   * The pairs that are in all of them.
   *
   * @throws AttentionError `value` for what is no Pattern.
   */
  and(...others: readonly Pattern[]): Pattern {
    return others.length === 0 ? this : make(join('and', [this, ...others].map(nodesFor('pattern.and'))));
  }

  /** All other pairs. */
  not(): Pattern {
    return make(negate(this.#node));
  }

  /** One line of text, such as `(window(128, 128) or atrous(64)) and causal`. */
  describe(): string {
    return this.#node.text;
  }

  /**
   * An array of which `pattern.from` makes the same pattern; JSON.stringify calls this.
   *
   * @throws AttentionError `value` where a function is in it, which JSON cannot hold.
   */
  toJSON(): PatternJSON {
    return toPlain(this.#node.json) as PatternJSON;
  }

  /**
   * The pattern as a boolean mask: 1 where a pair is kept, as the option `mask` takes it. For a look at small sizes: attention
   * with a pattern never makes one.
   *
   * @param fovea an instance of this thread; not a connection of fovea/worker.
   * @param sizes `queries` Tq and `keys` Tk; `offset` 0, `heads` H and `batch` B unless told.
   * @returns [Tq, Tk], or [H, Tq, Tk] or [B, H, Tq, Tk] where heads or batch entries may differ.
   * @throws AttentionError `shape` where the pattern has a size and these are others; `value` | `option` | `disposed` | `memory`.
   */
  toMask(fovea: Fovea, sizes: PatternSizes): PatternMask {
    return toMask(this, this.#node, fovea, sizes);
  }

  /**
   * Kept pairs by all pairs, 0 to 1: about the share of the time that is left.
   *
   * @param fovea as for `toMask`.
   * @param sizes as for `toMask`.
   * @throws AttentionError as `toMask`.
   */
  density(fovea: Fovea, sizes: PatternSizes): number {
    return density(this, this.#node, fovea, sizes);
  }

  /**
   * The kept pairs as lists (CSR): row r has the keys indices[indptr[r]] up to indices[indptr[r + 1]], ascending.
   *
   * @param fovea as for `toMask`.
   * @param sizes as for `toMask`.
   * @returns with the shape that `toMask` would have; rows are its rows.
   * @throws AttentionError as `toMask`.
   */
  pairs(fovea: Fovea, sizes: PatternSizes): PatternPairs {
    return pairs(this, this.#node, fovea, sizes);
  }
}

export interface Pattern extends AttentionPattern {}

/** @internal */
export function makePattern(node: Node): Pattern {
  return make(node);
}

/** @internal */
export function nodeOf(fn: string, name: string, value: unknown): Node {
  if (recognize(value)) return peek(value);
  return fail('value', fn, `${name} must be a Pattern, such as pattern.window(1, 1), got ${describe(value)}`);
}

function nodesFor(fn: string): (value: unknown, n: number) => Node {
  return (value, n) => nodeOf(fn, `argument ${n}`, value);
}

/** Without typed arrays, which JSON would write as objects. */
function toPlain(value: unknown): unknown {
  if (typeof value === 'function')
    fail(
      'value',
      'pattern.toJSON',
      'a function cannot be written as JSON; use pattern.fromMask in place of pattern.fromFunction',
    );
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number>);
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, toPlain(entry)]));
}
