import * as texts from '../../build/generated/texts/figures.ts';
import type { Localized } from '../shell/localized.ts';

type Language = keyof Localized;

const joined = (parts: readonly string[], language: Language): string =>
  parts.filter((part) => part !== '').join(texts.joint[language]);

/** "query 它, key 猫": of a list and of a single number, an axis or both have neither a title nor labels. */
export function placeText(language: Language, ...axes: readonly (readonly [title: string, label: string])[]): string {
  const places = axes.map((axis) => axis.join(' ').trim());
  return joined(places, language);
}

/** The meaning of the colors of an exported picture; `log` is empty where the scale is linear. */
export function legendText(language: Language, isSigned: boolean, end: string, scope: string, log: string): string {
  const colors = texts.colors[language]({ from: isSigned ? `−${end}` : '0', end });
  return joined([colors, scope, log.toLowerCase()], language);
}
