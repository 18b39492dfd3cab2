/** One instance for the tests: the build that FOVEA_VARIANT names, or what load() picks. */
import { load } from 'fovea';
import type { LoadOptions } from 'fovea';

export async function loadForTests() {
  const variant = process.env['FOVEA_VARIANT'];
  if (variant === undefined || variant === '') return load();
  const instance = await load({ variant: variant as NonNullable<LoadOptions['variant']> });
  if (instance.info.variant !== variant) throw new Error(`asked for ${variant}, got ${instance.info.variant}`);
  return instance;
}
