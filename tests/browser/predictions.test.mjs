// Every question of every page: before the guess nothing that can be read gives its answer away, afterwards it is there.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { load } from 'fovea';
import { show } from './pages.mjs';
import { askAll, covered, loadQuestions } from './questions.mjs';
import { linkOf, openPage, withRoom } from './support.mjs';

describe('questions', () => {
  let server, browser, opened, page, fovea, questions;

  withRoom((room) => ({ server, browser, opened, page } = room));
  before(async () => {
    fovea = await load();
    questions = await loadQuestions();
  });

  const open = async (on, path, lang) => {
    await show(on, server.url, path, { lang });
    await on.waitForSelector('[data-prediction]');
  };

  // Each page in one language, every eighth in both, one after the other; `npm run test:page:full` asks all in both.
  const languagesOf = (index) => (index % 8 === 0 ? ['en', 'zh'] : [index % 2 === 0 ? 'en' : 'zh']);

  test('the answer is nowhere on the page before the guess, and there after it; asked again in the other language, nowhere', async () => {
    assert.ok(questions.length > 60);
    await askAll(page, server.url, fovea, questions, languagesOf);
    assert.deepEqual(opened.problems, []);
  });

  test('what is covered is not in the accessibility tree and takes no focus; shown on request, it has the focus', async () => {
    await open(page, 'learn/3', 'en');
    const tree = async () => JSON.stringify(await page.accessibility.snapshot({ interestingOnly: false }));
    assert.ok(!(await tree()).includes('0.468'));
    assert.ok((await tree()).includes('Covered until you answer'));
    const size = () => page.$eval('.picture .six', (six) => Math.round(six.getBoundingClientRect().height));
    const before = await size();
    await page.focus('[data-covered=weights] [data-show]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-revealed]');
    assert.deepEqual(await covered(page), []);
    assert.equal(await size(), before, 'nothing moves');
    assert.ok((await tree()).includes('0.468'));
    assert.ok(await page.evaluate(() => document.activeElement.querySelector('[data-matrix=A], canvas, table') !== null));
    await page.keyboard.press('Tab');
    assert.ok(await page.evaluate(() => document.activeElement.closest('.six') !== null), 'Tab goes on from there');
  });

  test('who would rather look has nothing covered in this tab, after a reload and on other pages, until it is covered again', async () => {
    const visitor = await openPage(browser);
    const looker = visitor.page;
    await open(looker, 'learn/10', 'en');
    assert.deepEqual(await covered(looker), ['picture']);
    await looker.click('[data-prediction] [data-show]');
    await looker.click('[data-looking=false]');
    await open(looker, 'luong-local', 'en');
    assert.deepEqual(await covered(looker), []);
    assert.ok(await looker.$('[data-prediction] .primary:disabled'), 'the question is still asked');
    await open(looker, 'learn/8', 'en');
    await looker.reload({ waitUntil: 'load' });
    await looker.waitForSelector('[data-apart]');
    assert.deepEqual(await covered(looker), []);
    await looker.waitForSelector('[data-next]');
    await looker.click('[data-prediction] [data-show]');
    await looker.click('[data-looking=true]');
    await open(looker, 'learn/10', 'en');
    assert.deepEqual(await covered(looker), ['picture']);
    assert.deepEqual(visitor.problems, []);
    await visitor.close();
  });

  test('a link that holds a state shows it; asked again, the answer is covered again; paper covers nothing', async () => {
    await open(page, 'linear', 'en');
    assert.deepEqual(await covered(page), ['count']);
    await page.$eval('[data-prediction=order_of_products] [data-show]', (button) => button.click());
    await page.waitForSelector('[data-prediction=order_of_products] [data-revealed]');
    assert.deepEqual(await covered(page), []);
    await page.$eval('[data-count] , .count input[type=range]', (element) =>
      element.closest('.count').querySelector('button:last-of-type').click(),
    );
    const link = await linkOf(page);
    await page.$eval('[data-prediction=order_of_products] [data-again]', (button) => button.click());
    await page.waitForSelector('[data-covered=count]');
    await page.emulateMediaType('print');
    assert.ok(await page.$eval('[data-covered=count] table', (table) => table.checkVisibility({ visibilityProperty: true })));
    await page.emulateMediaType(null);
    await page.goto('about:blank');
    await page.goto(link, { waitUntil: 'load' });
    await page.waitForSelector('[data-prediction]');
    assert.deepEqual(await covered(page), []);
    assert.deepEqual(opened.problems, []);
  });
});
