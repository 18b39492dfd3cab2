/** Runs one task at a time; of those that come meanwhile only the last is run. */
export class Latest {
  #busy = false;
  #next: (() => Promise<void>) | null = null;

  async run(task: () => Promise<void>): Promise<void> {
    if (this.#busy) {
      this.#next = task;
      return;
    }
    this.#busy = true;
    try {
      await task();
    } finally {
      this.#busy = false;
      const next = this.#next;
      this.#next = null;
      if (next) await this.run(next);
    }
  }
}
