import { getContext, setContext } from 'svelte';
import type { Provenance } from './figure.ts';

/** The page that a picture is from, as its exports say. */
export interface Source {
  /** The mechanism, in the page's language. */
  readonly name: string;
  readonly provenance: (of: Provenance) => string;
  /** Where the numbers of its diagrams come from. */
  readonly numbersFrom: Provenance;
  /** The page as it stands, an address. */
  readonly link: string;
}

const KEY = Symbol('source');

/** For the pictures below this component; read when a picture is exported. */
export function provideSource(source: () => Source): void {
  setContext(KEY, source);
}

export const sourceOfPage = (): (() => Source) | undefined => getContext<(() => Source) | undefined>(KEY);
