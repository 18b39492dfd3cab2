import type { Lesson } from './lesson.ts';

/** Every file that has a lesson's name; lesson.ts and lessons.ts declare and find them, numbers.ts reads traces. */
const files = import.meta.glob<{ default: Lesson }>(['./*.ts', '!./lesson.ts', '!./lessons.ts', '!./numbers.ts']);

/** The lesson of a mechanism by its id in the catalog; undefined where none is written yet. */
export async function loadLesson(id: string): Promise<Lesson | undefined> {
  return (await files[`./${id}.ts`]?.())?.default;
}
