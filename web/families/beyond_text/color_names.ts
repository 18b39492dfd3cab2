import { colorNames as names } from '../../../build/generated/texts/family_beyond_text.ts';
import type { Localized } from '../../shell/localized.ts';

/** Colors of the scene by their red, green and blue. */
export const colorNames: Readonly<Record<string, Localized>> = {
  '1 2 3': names.sky,
  '3 3 3': names.white,
  '3 3 0': names.yellow,
  '2 0 0': names.red,
  '1 0 0': names.darkRed,
  '0 0 2': names.blue,
  '0 0 1': names.darkBlue,
  '0 2 0': names.green,
  '0 1 0': names.darkGreen,
};
