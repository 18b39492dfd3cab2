import type { Component } from 'svelte';
import Home from './course/Home.svelte';
import { FAMILIES, idOf } from './families/families.ts';
import type { Engine } from './shell/engine.svelte.ts';

/** The page that an address names. Its code is loaded when it is opened. */
export interface Page {
  readonly load: () => Promise<{ default: Component<{ engine: Engine; id: string }> }>;
  /** Which of the pages of this kind: a mechanism by its id in the catalog, a step by its number; '' where there is only one. */
  readonly id: string;
}

export function pageOf([first = '', second = '']: readonly string[]): Page {
  if (first === '') return { load: () => Promise.resolve({ default: Home }), id: '' };
  if (first === 'learn') return { load: () => import('./course/learn/Learn.svelte'), id: second };
  if (first === 'weights') return { load: () => import('./course/weights/WeightsPage.svelte'), id: '' };
  if (first === 'model' && second === 'own') return { load: () => import('./model/own/OwnPage.svelte'), id: '' };
  if (first === 'model') return { load: () => import('./model/ModelPage.svelte'), id: second };
  if (first === 'compare' && second !== '') return { load: () => import('./course/compare/ComparePage.svelte'), id: second };
  if (first === 'compare') return { load: () => import('./comparison/ComparisonPage.svelte'), id: '' };
  if (first === 'laboratory') return { load: () => import('./laboratory/LaboratoryPage.svelte'), id: '' };
  if (first === 'image') return { load: () => import('./families/beyond_text/photo/PhotoPage.svelte'), id: '' };
  if (first === 'sound') return { load: () => import('./families/beyond_text/recording/SoundPage.svelte'), id: '' };
  if (first === 'text') return { load: () => import('./families/self_attention/long_text/LongTextPage.svelte'), id: '' };
  if (first === 'words') return { load: () => import('./course/words/WordsPage.svelte'), id: '' };
  if (first === 'offline') return { load: () => import('./offline/OfflinePage.svelte'), id: '' };
  if (first === 'mechanisms') return { load: () => import('./search/MechanismMap.svelte'), id: '' };
  const family = first === 'family' ? FAMILIES.find(({ path }) => path === second) : undefined;
  return { load: () => import('./mechanism/MechanismPage.svelte'), id: family?.order[0] ?? idOf(first) };
}
