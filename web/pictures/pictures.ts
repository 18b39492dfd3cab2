import type { CatalogEntry } from 'fovea/catalog';
import type { Component } from 'svelte';
import type { Mechanism } from '../stages/mechanism.svelte.ts';

/** A picture gets the mechanism that is chosen, which it draws and may change. */
export interface PictureProps {
  readonly mechanism: Mechanism;
}
type Picture = Component<PictureProps>;

/** Every file with the id of a mechanism as its name: its own picture, or the one of another that it shares. */
const own = import.meta.glob<{ default: Picture }>(['./*.svelte', './*.ts', '!./pictures.ts']);
/** Pictures of families, for their mechanisms that have no file of their own. */
const ofFamilies = import.meta.glob<{ default: Picture }>('./families/*.svelte');

/** Undefined where there is neither: the mechanism is told by its stages alone. */
export async function loadPicture({ id, family }: CatalogEntry): Promise<Picture | undefined> {
  const name = family.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const load = own[`./${id}.svelte`] ?? own[`./${id}.ts`] ?? ofFamilies[`./families/${name}.svelte`];
  return (await load?.())?.default;
}
