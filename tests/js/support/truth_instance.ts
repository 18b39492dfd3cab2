/** One instance for the tests: the build that FOVEA_VARIANT names with FOVEA_THREADS threads, or what load() picks. */
import { load } from 'fovea';
import type { LoadOptions } from 'fovea';

export async function loadForTests() {
  const variant = process.env['FOVEA_VARIANT'];
  if (variant === undefined || variant === '') return load();
  const threads = Number(process.env['FOVEA_THREADS'] || 1);
  const instance = await load({ variant: variant as NonNullable<LoadOptions['variant']>, threads });
  const { info } = instance;
  if (info.variant !== variant || info.threads !== threads)
    throw new Error(`asked for ${variant} with ${threads} threads, got ${info.variant} with ${info.threads}`);
  return instance;
}
