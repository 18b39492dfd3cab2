export { default } from './rnn.svelte';
