/** The page's lessons and families, and the question of the course's worked example, bundled into a file from which the package is imported by its name. */
import { readdirSync } from 'node:fs';
import { build } from 'esbuild';
import { list } from 'fovea/catalog';
import type { FamilyInfo } from '../../../web/families/family.ts';
import type { Step } from '../../../web/course/learn/step.ts';
import type { Lesson, Prediction } from '../../../web/lessons/lesson.ts';
import { root } from './repository.ts';

export const LANGUAGES = ['en', 'zh'] as const;

/** The mechanisms that have a lesson. */
export const stems = readdirSync(`${root}/web/lessons`)
  .map((name) => name.replace(/\.ts$/, ''))
  .filter((stem) => list().some(({ id }) => id === stem));

export async function loadPage(): Promise<{
  lessons: [string, Lesson][];
  families: readonly FamilyInfo[];
  worked: Prediction;
}> {
  const outfile = `${root}/build/tests/lessons_${process.pid}.mjs`;
  await build({
    stdin: {
      contents: [
        ...stems.map((stem) => `export { default as ${stem} } from './web/lessons/${stem}.ts';`),
        "export { default as WORKED } from './web/course/learn/steps/worked_example.ts';",
        "export { FAMILIES } from './web/families/families.ts';",
      ].join('\n'),
      resolveDir: root,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    format: 'esm',
    packages: 'external',
    external: ['*.svelte'],
    logLevel: 'error',
  });
  const { FAMILIES, WORKED, ...lessons } = (await import(outfile)) as {
    FAMILIES: readonly FamilyInfo[];
    WORKED: Step;
  } & Record<string, Lesson>;
  return { lessons: Object.entries(lessons) as [string, Lesson][], families: FAMILIES, worked: WORKED.check };
}
