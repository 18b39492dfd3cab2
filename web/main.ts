import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { pageOf } from './pages.ts';
import { address } from './shell/address.svelte.ts';
import { Engine } from './shell/engine.svelte.ts';
import { allowOwnScripts } from './shell/trusted_types.ts';
import { queueTask } from './shell/tasks.ts';

/** A page is made with its numbers where the core comes within this many milliseconds: laid out once, not twice. */
const PATIENCE = 250;
/** Milliseconds after the page stands, so that the first view and its pictures come first. */
const OFFLINE_DELAY = 2500;

allowOwnScripts();
const target = document.getElementById('app');
if (!target) throw new Error('index.html has no element "app"');
const engine = new Engine();
const loaded = engine.load();
void pageOf(address.place.path).load();
void Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, PATIENCE))]).then(() =>
  queueTask(() => {
    target.textContent = '';
    mount(App, { target, props: { engine } });
  }),
);
if (import.meta.env.PROD)
  addEventListener('load', () => {
    setTimeout(() => {
      import('./offline/start.ts').then(({ start }) => start()).catch(() => undefined); // the page works without
    }, OFFLINE_DELAY);
  });
