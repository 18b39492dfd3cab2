/** The part of the Cache API that fovea/models uses, in memory, for engines that have none. */

interface Stored {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

export class MemoryCaches {
  /** All calls, as 'has fovea-models' and 'put https://…'. */
  readonly calls: string[] = [];
  /** By the names of caches and the URLs of entries. */
  readonly stored = new Map<string, Map<string, Stored>>();
  /** Throws in place of a call. */
  refuse: (call: string) => void = () => {};

  /** How many calls have this name. */
  count(method: string): number {
    return this.calls.filter((call) => call.startsWith(`${method} `)).length;
  }

  /** The URLs of what is stored, in all caches. */
  get urls(): string[] {
    return [...this.stored.values()].flatMap((cache) => [...cache.keys()]);
  }

  async has(name: string): Promise<boolean> {
    this.#note(`has ${name}`);
    return this.stored.has(name);
  }

  async open(name: string): Promise<MemoryCache> {
    this.#note(`open ${name}`);
    if (!this.stored.has(name)) this.stored.set(name, new Map());
    return new MemoryCache(this.stored.get(name)!, (call) => this.#note(call));
  }

  #note(call: string): void {
    this.calls.push(call);
    this.refuse(call);
  }
}

class MemoryCache {
  readonly #stored: Map<string, Stored>;
  readonly #note: (call: string) => void;

  constructor(stored: Map<string, Stored>, note: (call: string) => void) {
    this.#stored = stored;
    this.#note = note;
  }

  async match(url: string): Promise<Response | undefined> {
    this.#note(`match ${url}`);
    const found = this.#stored.get(url);
    return found && new Response(found.bytes.slice(), { headers: found.headers });
  }

  async put(url: string, response: Response): Promise<void> {
    this.#note(`put ${url}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    this.#stored.set(url, { bytes, headers: Object.fromEntries(response.headers) });
  }

  async delete(url: string): Promise<boolean> {
    this.#note(`delete ${url}`);
    return this.#stored.delete(url);
  }
}
