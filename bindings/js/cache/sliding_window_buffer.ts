/**
 * Which tokens a cache holds, and in which rows: the first `sinkTokens`, and those from `from` on. Those are rows in order, so
 * that the core reads them as they lie; when the last row is taken they move down, at most once per `window` tokens.
 */
import type { CacheConfig } from './config.ts';

export class SlidingWindowBuffer {
  readonly #config: Pick<CacheConfig, 'rows' | 'window' | 'sinkTokens'>;
  /** Tokens ever seen. */
  length = 0;
  /** The first token behind the first `sinkTokens` that is held. */
  from: number;
  /** Token t from `from` on is in row t - shift. */
  shift = 0;

  constructor(config: Pick<CacheConfig, 'rows' | 'window' | 'sinkTokens'>) {
    this.#config = config;
    this.from = config.sinkTokens;
  }

  /** How many of its tokens the next query would see. */
  get visibleLength(): number {
    const { window, sinkTokens } = this.#config;
    return Math.min(this.length, sinkTokens + window);
  }

  /** The first token, behind the first, that a query at `position` sees. */
  firstSeen(position: number): number {
    const { window, sinkTokens } = this.#config;
    return Math.max(sinkTokens, position - window + 1);
  }

  /**
   * The first token that is held once more have come: not only what the first of those sees, but what the last one now does, so
   * that they can be taken back.
   */
  #fromAfter(): number {
    return this.firstSeen(this.length - 1);
  }

  /** The most tokens that can come at once. */
  get room(): number {
    return this.#config.rows - this.#config.sinkTokens - this.length + this.#fromAfter();
  }

  /** Makes room for `tokens` <= room. Calls move(from, to, count) where rows have to move; returns the first new row. */
  append(tokens: number, move: (from: number, to: number, count: number) => void): number {
    const { rows, sinkTokens } = this.#config;
    this.from = this.#fromAfter();
    if (this.length + tokens - this.shift > rows) {
      move(this.from - this.shift, sinkTokens, this.length - this.from);
      this.shift = this.from - sinkTokens;
    }
    const row = this.length - this.shift;
    this.length += tokens;
    return row;
  }

  /** The fewest tokens that it can go back to while it has more than `sinkTokens`. */
  get leastLength(): number {
    const { window, sinkTokens } = this.#config;
    return this.from === sinkTokens ? 0 : this.from + window;
  }

  truncate(length: number): void {
    this.length = length;
    if (length > this.#config.sinkTokens) return;
    this.from = this.#config.sinkTokens;
    this.shift = 0;
  }

  clone(): SlidingWindowBuffer {
    const copy = new SlidingWindowBuffer(this.#config);
    copy.goBackTo(this);
    return copy;
  }

  /** Takes over what another buffer of the same rows tells. */
  goBackTo(other: SlidingWindowBuffer): void {
    this.length = other.length;
    this.from = other.from;
    this.shift = other.shift;
  }
}
