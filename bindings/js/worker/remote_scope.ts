/** `scope` of a connection: frees the RemoteTensors made through it, but those reachable from what its function returns. */
import { fail } from '../errors/errors.ts';
import { reachable } from '../tensor/reachable.ts';
import { stateOf, isRemoteTensor, type Home, type RemoteStorage, type RemoteTensor } from './remote_tensor.ts';

/** The home of what is made outside of all scopes. */
export const outside: Home = {
  adopt() {},
  during: (call) => call(),
};

export class RemoteScope implements Home {
  readonly #outer: Home;
  readonly #made = new Set<RemoteTensor>();
  readonly #pending = new Set<Promise<unknown>>();
  #open = true;

  constructor(outer: Home) {
    this.#outer = outer;
  }

  adopt(tensor: RemoteTensor): void {
    this.#made.add(tensor);
  }

  during<R>(call: () => Promise<R>): Promise<R> {
    if (!this.#open) fail('disposed', 'scope', 'this scope has ended; call the connection itself');
    const promise = this.#outer.during(call);
    const settled = (): unknown => this.#pending.delete(promise);
    this.#pending.add(promise);
    promise.then(settled, settled);
    return promise;
  }

  /** Waits for the calls that nobody waited for, then frees what was made but what `result` reaches. */
  async end(result: unknown): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending);
    this.#open = false;
    const kept = new Set<RemoteStorage>();
    const tensors = [...reachable(result, isRemoteTensor)].filter((tensor) => this.#made.has(tensor)).map(stateOf);
    for (const { storage } of tensors) {
      kept.add(storage);
      // Where only views are returned, the first of them owns the memory from now on: somebody must be able to free it.
      const own = tensors.filter((other) => other.storage === storage);
      if (!own.some(({ handle }) => handle === storage.owner)) storage.owner = own[0]!.handle;
    }
    for (const tensor of this.#made) {
      const state = stateOf(tensor);
      if (kept.has(state.storage)) {
        state.home = this.#outer;
        this.#outer.adopt(tensor);
      } else {
        tensor.dispose();
      }
    }
  }
}
