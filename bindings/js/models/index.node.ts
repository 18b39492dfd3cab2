/** `fovea/models` for Node: a text is a path or a URL. */
import { openNamed } from '../files/open_path.node.ts';
import { openInPath } from './folder/open_path.node.ts';
import { loadersWith } from './loaders.ts';

export { AttentionError } from '../errors/errors.ts';
export * from './names.ts';

/** Documented in index.ts. */
export const { loadEncoder, loadDecoder, modelFunctions } = loadersWith(openNamed, openInPath);
