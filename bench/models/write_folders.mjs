// Writes the models' folders to build/bench/models, once: they are the same in every run.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildDir, rootDir } from '../paths.mjs';
import { bertFiles } from './bert_folder.mjs';
import { llamaFiles } from './llama_folder.mjs';
import { models } from './models.mjs';

/** Raised when the folders' content changes. */
const version = 1;

export const folderOf = (id) => join(buildDir, 'models', id);

export async function writeFolders(progress) {
  const { resolve } = createRequire(join(rootDir, 'package.json'));
  const kit = await import(pathToFileURL(resolve('fovea/files')).href);
  for (const model of models) {
    const folder = folderOf(model.id);
    const stamp = join(folder, 'written.json');
    const wanted = JSON.stringify({ version, model });
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) continue;
    progress(`writing ${model.title} to ${folder}`);
    rmSync(folder, { recursive: true, force: true });
    const files = model.kind === 'encoder' ? bertFiles(model) : llamaFiles(model);
    for (const [name, make] of Object.entries(files)) {
      const content = make(kit);
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content instanceof Uint8Array ? content : JSON.stringify(content));
    }
    writeFileSync(stamp, wanted);
  }
}
