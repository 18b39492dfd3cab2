import { settings } from './settings.svelte.ts';

/** The address's fragment holds the page and its state: "#/self-attention?lang=en&input=text&text=…". Nothing of it is sent to a server. */

export interface Place {
  /** The parts between the slashes: ['learn', '3']. */
  readonly path: readonly string[];
  readonly params: URLSearchParams;
}

export function readPlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  return { path: path.split('/').filter((part) => part !== ''), params: new URLSearchParams(query) };
}

export function placeHash({ path, params }: Place): string {
  const query = params.toString();
  return `#/${path.join('/')}${query === '' ? '' : `?${query}`}`;
}

/** The parameter that holds a page's encoded state. */
export const STATE = 's';

/** Where the visitor is. Following a link makes an entry of the history; what changes on a page does not. */
class Address {
  place: Place = $state.raw(readPlace(location.hash));
  #pending: ReturnType<typeof setTimeout> | undefined;
  #params: URLSearchParams | undefined;
  #state: string | null = this.place.params.get(STATE);
  /** The fragment as it was last read or written. */
  #seen = location.hash;

  constructor() {
    settings.read(this.place.params);
    addEventListener('hashchange', () => {
      clearTimeout(this.#pending);
      this.#seen = location.hash;
      const place = readPlace(location.hash);
      if (place.path.join('/') !== this.place.path.join('/')) this.#params = undefined;
      this.#state = place.params.get(STATE);
      this.place = place;
      settings.read(this.place.params);
    });
  }

  /** Keeps the params of the page shown in the address, so that a copied link opens it as it is. */
  keep(params: URLSearchParams): void {
    settings.write(params);
    this.#params = params;
    this.#write();
  }

  /** Keeps the encoded state of the page shown beside its params; null where the page is as it begins. */
  keepState(state: string | null): void {
    if (state === this.#state) return;
    this.#state = state;
    if (this.#params) this.#write();
  }

  /** Where the visitor is, with the params that the page has now. */
  written(): Place {
    return { path: this.place.path, params: new URLSearchParams(this.#params ?? this.place.params) };
  }

  /** Opens a page, also where it is the one that is open. */
  go(hash: string): void {
    if (location.hash === hash) dispatchEvent(new HashChangeEvent('hashchange'));
    else location.hash = hash;
  }

  #write(): void {
    const { path } = this.place;
    clearTimeout(this.#pending);
    this.#pending = setTimeout(() => {
      // A link may have been followed whose event is still to come.
      if (location.hash !== this.#seen) return;
      const params = new URLSearchParams(this.#params);
      if (this.#state !== null) params.set(STATE, this.#state);
      history.replaceState(null, '', placeHash({ path, params }));
      this.#seen = location.hash;
    }, 150);
  }
}

export const address = new Address();
