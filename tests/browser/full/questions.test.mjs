// Every question of every page in both languages, one after the other on one page.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from 'fovea';
import { askAll, loadQuestions } from '../questions.mjs';
import { withRoom } from '../support.mjs';

describe('questions', () => {
  let server, opened;
  withRoom((room) => ({ server, opened } = room));

  test('the answer is nowhere on the page before the guess, and there after it, in both languages', async () => {
    await askAll(opened.page, server.url, await load(), await loadQuestions(), () => ['en', 'zh']);
    assert.deepEqual(opened.problems, []);
  });
});
