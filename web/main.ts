import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { inTurn } from './shell/turns.ts';

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no element "app"');
inTurn(() => {
  target.textContent = '';
  mount(App, { target });
});
