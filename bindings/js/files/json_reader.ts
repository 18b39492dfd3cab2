/**
 * Strict JSON, read by asking for what must come next: a value of another kind, a key that comes twice, a number that is no
 * natural one is an error where it stands. Nothing is built but what is asked for, and nothing nests deeper than is asked for.
 */

/** Values that nobody asks for may nest as deep as this. */
const MAX_DEPTH = 16;

export class JsonReader {
  readonly #text: string;
  readonly #bad: (rule: string) => never;
  #at = 0;

  /** `bad` is called with what the text must be, and throws. */
  constructor(text: string, bad: (rule: string) => never) {
    this.#text = text;
    this.#bad = bad;
  }

  /** Reads an object; `read` is called at each value, and reads it. */
  object(read: (key: string) => void): void {
    const keys = new Set<string>();
    this.#list('{', '}', () =>
      this.#field((key) => {
        if (keys.size === keys.add(key).size) this.#wrong(`has the key ${JSON.stringify(key.slice(0, 40))} twice`);
        read(key);
      }),
    );
  }

  array(read: () => void): void {
    this.#list('[', ']', read);
  }

  string(): string {
    this.#space();
    const start = this.#at;
    if (this.#text[start] !== '"') this.#expected('a string');
    let end = start + 1;
    let isPlain = true;
    for (let code = 0; (code = this.#text.charCodeAt(end)) !== 0x22; end++) {
      if (code === 0x5c) {
        isPlain = false;
        end++;
      } else if (!(code >= 0x20)) {
        // A control character, or NaN, behind the last one.
        if (end >= this.#text.length) this.#wrong('ends within a string');
        this.#expected('a string');
      }
    }
    if (isPlain) {
      this.#at = end + 1;
      return this.#text.slice(start + 1, end);
    }
    const value = this.#parse(end + 1, 'a string') as string;
    if (!isWellFormed(value)) this.#wrong('has half of a surrogate pair in a string');
    return value;
  }

  /** A whole number from 0 to 2^53 - 1, in digits alone. */
  natural(): number {
    this.#space();
    const start = this.#at;
    let end = start;
    let value = 0;
    for (let digit = 0; (digit = this.#text.charCodeAt(end) - 0x30) >= 0 && digit < 10 && value < 2 ** 53; end++)
      value = 10 * value + digit;
    const isPlain = end > start && (this.#text[start] !== '0' || end === start + 1);
    if (!isPlain || !Number.isSafeInteger(value) || /[\d.eE]/.test(this.#text[end] ?? ''))
      this.#expected('a whole number of at least 0 and below 2^53');
    this.#at = end;
    return value;
  }

  boolean(): boolean {
    this.#space();
    const word = /^(true|false)/.exec(this.#text.slice(this.#at, this.#at + 5))?.[0];
    if (word === undefined) this.#expected('true or false');
    this.#at += word.length;
    return word === 'true';
  }

  /** Any value. */
  skip(depth = 0): void {
    this.#space();
    const first = this.#text[this.#at];
    if (depth === MAX_DEPTH && (first === '{' || first === '[')) this.#wrong(`nests deeper than ${MAX_DEPTH}`);
    if (first === '{') this.#list('{', '}', () => this.#field(() => this.skip(depth + 1)));
    else if (first === '[') this.array(() => this.skip(depth + 1));
    else if (first === '"') this.string();
    else {
      let end = this.#at;
      while (/[\w.+-]/.test(this.#text[end] ?? '')) end++;
      this.#parse(end, 'a value');
    }
  }

  end(): void {
    this.#space();
    if (this.#at < this.#text.length) this.#expected('only spaces');
  }

  #field(read: (key: string) => void): void {
    const key = this.string();
    this.#take(':');
    read(key);
  }

  #list(open: string, close: string, readEntry: () => void): void {
    this.#take(open);
    this.#space();
    if (this.#text[this.#at] === close) {
      this.#at++;
      return;
    }
    for (;;) {
      readEntry();
      this.#space();
      if (this.#text[this.#at] !== ',') break;
      this.#at++;
    }
    this.#take(close);
  }

  #take(sign: string): void {
    this.#space();
    if (this.#text[this.#at] !== sign) this.#expected(`'${sign}'`);
    this.#at++;
  }

  #space(): void {
    for (let code = 0; (code = this.#text.charCodeAt(this.#at)) === 0x20 || code === 9 || code === 10 || code === 13;)
      this.#at++;
  }

  /** The text up to `end`, which is no object and no array. */
  #parse(end: number, what: string): unknown {
    try {
      const value: unknown = JSON.parse(this.#text.slice(this.#at, end));
      this.#at = end;
      return value;
    } catch {
      return this.#expected(what);
    }
  }

  #expected(what: string): never {
    const found = this.#at < this.#text.length ? JSON.stringify(this.#text.slice(this.#at, this.#at + 12)) : 'its end';
    return this.#bad(`must have ${what} at character ${this.#at}, got ${found}`);
  }

  #wrong(what: string): never {
    return this.#bad(`${what}, near character ${this.#at}`);
  }
}

/** Whether a text can be written in UTF-8. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
