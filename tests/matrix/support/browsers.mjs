// Chromium for the cases of a file, and the servers of what they built.

import { after, before } from 'node:test';
import { ISOLATION_HEADERS, serveFolder } from '../../../scripts/serve.mjs';
import { openChromium, openPage } from '../../browser/support.mjs';
import { checkPage } from './matrix.mjs';

export { ISOLATION_HEADERS } from '../../../scripts/serve.mjs';

/** One Chromium for all cases of a file; \`use\` opens a page of its own in it and closes that. */
export function withChromium() {
  let browser;
  before(async () => {
    browser = await openChromium({ whole: true });
  });
  after(() => browser?.close());

  async function use(work) {
    const opened = await openPage(browser);
    try {
      return await work(opened);
    } finally {
      await opened.close();
    }
  }

  /** Serves a folder, isolated, and runs the page in it; see checkPage. */
  async function checkFolder(folder, ways, { headers = ISOLATION_HEADERS, path = '', ...options } = {}) {
    return served(folder, { headers, ...options }, (url) => use((opened) => checkPage(opened, url + path, ways)));
  }

  return { use, checkFolder };
}

/** Serves a folder while \`work\` runs with its address. */
export async function served(root, options, work) {
  const server = await serveFolder({ root, headers: ISOLATION_HEADERS, ...options });
  try {
    return await work(server.url);
  } finally {
    await server.close();
  }
}
