import type { Fovea } from 'fovea';
import type { Family } from 'fovea/catalog';
import type { Component } from 'svelte';
import type { Localized } from '../shell/localized.ts';

/** One of the nine families. */
export interface FamilyInfo {
  readonly family: Family;
  /** The path in addresses. */
  readonly path: string;
  readonly title: Localized;
  /** The question that the whole family answers. */
  readonly question: Localized;
  /** The mechanisms by the ids of the catalog, in the order in which they are learned. Those of the family that are left out follow. */
  readonly order: readonly string[];
  /** By the ids of mechanisms that have one: tells the stages in words and on inputs of its own, and keeps the page's state. */
  readonly tellings?: Readonly<Record<string, () => Promise<{ default: Component<{ fovea: Fovea }> }>>>;
}
