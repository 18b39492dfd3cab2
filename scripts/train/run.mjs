// `npm run train`: trains all models of web/public/trained, or those that are named. Needs dist (npm run build). README.md beside this file says more.
//   node scripts/train/run.mjs [name …]

import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load } from 'fovea/train';
import { importTypeScript } from '../import_typescript.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { TASKS, trainedFiles } = await importTypeScript('scripts/train/tasks.ts');

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => TASKS.every((task) => task.name !== name));
if (unknown.length > 0)
  throw new Error(`no models ${unknown.join(', ')}; there are ${TASKS.map(({ name }) => name).join(', ')}`);

const seconds = (usage) => (usage.user + usage.system) / 1e6;
const folder = `${root}web/public/trained`;
mkdirSync(folder, { recursive: true });
const fovea = await load({ deterministic: true, threads: 1 });
for (const task of TASKS.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
  const before = process.cpuUsage();
  const files = await trainedFiles(fovea, task);
  for (const [name, bytes] of files) writeFileSync(`${folder}/${name}`, bytes);
  const { parameters, checkpoints } = JSON.parse(new TextDecoder().decode(files.get(`${task.name}.json`)));
  const size = (files.get(checkpoints.at(-1).file).length / 1000).toFixed(1);
  const figures = checkpoints.map(({ accuracy, steps }) => `${accuracy.toFixed(3)} (${steps})`).join(' | ');
  // The model's line in the table of docs/trained.md.
  console.log(`| \`${task.name}\` | ${task.facts.task} | ${parameters} | ${size} kB | ${figures} |`);
  console.log(`${seconds(process.cpuUsage(before)).toFixed(1)} s of processor time`);
}
fovea.dispose();
