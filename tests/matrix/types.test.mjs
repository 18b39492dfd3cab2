// The declarations under the oldest TypeScript that is stated, the newest, and those between that changed their rules.

import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makeProject, programOf, run, versionOf, write } from './support/consumers.mjs';
import { consumer } from './support/matrix.mjs';
import { configurationsFor, programs } from '../package/support/type_programs.mjs';
import { root } from '../package/support/project.mjs';

const VERSIONS = { 'typescript-5.2': '5.2, the oldest', 'typescript-5.6': '5.6', 'typescript-5.9': '5.9', 'typescript-7': '7' };

for (const [tool, version] of Object.entries(VERSIONS)) {
  consumer({ group: 'types', consumer: `TypeScript ${version}`, tool, grade: 'works' }, async () => {
    const project = await makeProject(tool, programs);
    await mkdir(join(project, 'node_modules/@types'), { recursive: true });
    await symlink(join(root, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'));
    await symlink(join(root, 'node_modules/undici-types'), join(project, 'node_modules/undici-types'));
    const tsc = await programOf(tool, 'tsc');
    const ran = [];
    for (const { name, file, text } of configurationsFor(await versionOf(tool))) {
      await write(project, { [file]: text });
      await run(process.execPath, [tsc, '-p', file], { cwd: project, timeout: 120_000 });
      ran.push(name);
    }
    return ran;
  });
}
