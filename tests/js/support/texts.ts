/** The texts of the page: their files, and the modules that the build makes of them. */
import { build } from 'esbuild';
import { root, sourceFiles } from './repository.ts';

export type Language = 'en' | 'zh';

interface Generator {
  readTexts(text: string, language: Language): { readonly texts: ReadonlyMap<string, { readonly parts: readonly Part[] }> };
  compileTexts(
    name: string,
    sources: Readonly<Record<Language, string>>,
  ): { readonly code: string; readonly faults: readonly string[] };
  textNames(): string[];
}
/** A part of a text: a string, or a slot; a choice has the parts of its variants. */
type Part = string | { readonly slot: string; readonly variants?: readonly { readonly parts: readonly Part[] }[] };

export const { readTexts, compileTexts, textNames } = (await import(`${root}/scripts/generate_texts.mjs`)) as Generator;

/** The strings of a text, without the values of its slots. */
export function writtenIn(parts: readonly Part[]): string[] {
  return parts.flatMap((part) =>
    typeof part === 'string' ? [part] : (part.variants ?? []).flatMap((variant) => writtenIn(variant.parts)),
  );
}

/** The slots of a text, in its order. */
export function slotsIn(parts: readonly Part[]): string[] {
  return parts.flatMap((part) =>
    typeof part === 'string' ? [] : [part.slot, ...(part.variants ?? []).flatMap((variant) => slotsIn(variant.parts))],
  );
}

/** The modules that are made of the texts, by the names of their files. */
export async function textModules(): Promise<ReadonlyMap<string, unknown>> {
  const names = textNames();
  const contents = names.map((name) => `export * as ${name} from './build/generated/texts/${name}.ts';`).join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  const modules: object = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`);
  return new Map(Object.entries(modules));
}

/** The text files of one language. */
export const textFiles = (language: Language): { readonly name: string; readonly path: string; readonly text: string }[] =>
  sourceFiles(`web/texts/${language}`, '.ftl').map((file) => ({ ...file, name: file.path.replace(/^.*\/|\.ftl$/g, '') }));
