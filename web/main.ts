import { mount } from 'svelte';
import 'katex/dist/katex.min.css';
import App from './App.svelte';
import './app.css';

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no element "app"');
mount(App, { target });
