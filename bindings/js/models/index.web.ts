/** `fovea/models` for the web: a text is a URL. */
import { openUrl } from '../files/open_url.ts';
import { loadersWith } from './loaders.ts';

export { AttentionError } from '../errors/errors.ts';
export * from './names.ts';

/** Documented in index.ts. */
export const { loadEncoder, loadDecoder, modelFunctions } = loadersWith(openUrl, null);
