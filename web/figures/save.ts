import { settings } from '../shell/settings.svelte.ts';
import type { Figure } from './figure.ts';

/** A picture as a file. */

export const KINDS = ['png', 'svg', 'csv', 'json', 'html'] as const;
export type FileKind = (typeof KINDS)[number];

export interface Picture {
  /** Its numbers, with its part of the file's name. */
  readonly figure: Figure;
  readonly title: string;
  readonly caption: readonly string[];
  readonly transposed: boolean;
  readonly svg: () => string;
  readonly png: () => Promise<Blob>;
}

export async function savePicture(picture: Picture, kind: FileKind): Promise<void> {
  const { figure, title, caption, transposed, svg, png } = picture;
  const [{ csvOf, download, jsonOf }, { standaloneHtml }] = await Promise.all([
    import('./export.ts'),
    import('./standalone.ts'),
  ]);
  const content = {
    png,
    svg: () => new Blob([svg()], { type: 'image/svg+xml' }),
    csv: () => csvOf(figure, transposed, caption),
    json: () => jsonOf(figure, transposed, caption),
    html: () =>
      new Blob([standaloneHtml(figure, title, settings.language, { svg: svg(), caption, transposed })], { type: 'text/html' }),
  }[kind];
  download(`${figure.id}.${kind}`, await content());
}
