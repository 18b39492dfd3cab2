import { mount } from 'svelte';
import { offline } from './offline.svelte.ts';
import UpdateNotice from './UpdateNotice.svelte';

/** Called when the first page stands. Says nothing where nothing can be kept. */
export function start(): void {
  mount(UpdateNotice, { target: document.body });
  void offline.start();
}
