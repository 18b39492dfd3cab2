import { settings } from './settings.svelte.ts';

/** The address's fragment holds the page and its state: "#/self-attention?lang=en&input=text&text=…". Nothing of it is sent to a server. */

export interface Place {
  /** What stands between the slashes: ['learn', '3']. */
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

/** Where the visitor is. Following a link makes an entry of the history; what changes on a page does not. */
class Address {
  place: Place = $state.raw(readPlace(location.hash));
  #pending: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    settings.read(this.place.params);
    addEventListener('hashchange', () => {
      clearTimeout(this.#pending);
      this.place = readPlace(location.hash);
      settings.read(this.place.params);
    });
  }

  /** Keeps the state of the page shown in the address, so that a copied link opens it as it is. */
  keep(params: URLSearchParams): void {
    settings.write(params);
    const { path } = this.place;
    clearTimeout(this.#pending);
    this.#pending = setTimeout(() => {
      // A link may have been followed whose event is still to come.
      if (readPlace(location.hash).path.join('/') === path.join('/'))
        history.replaceState(null, '', placeHash({ path, params }));
    }, 150);
  }
}

export const address = new Address();
