// Every question of every page, in both languages: before the guess nothing that can be read gives its answer away, afterwards it is there.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { load } from 'fovea';
import { settle, show } from './pages.mjs';
import { linkOf, openPage, withRoom } from './support.mjs';
import { loadTexts, plain } from './visitor.mjs';

/** Numbers of an answer that its page shows from the start, as what the change in question is compared with; or by chance, as another quantity. */
const GIVEN = {
  one_hot_score: ['1.9'],
  head_off: ['1.49'],
  twice_the_words: ['128'],
  axial_pairs: ['1024'],
  longer_query: ['0.468', '0.063'],
  premise_reordered: ['0.982'],
  add_hundred: ['0.102', '0.038', '0.757'],
  half_open_gate: ['0.762'],
  tied_values: ['0.000', '1.000'],
  change_prediction: ['0.964'],
  outputs_of_saw: ['1.00'],
  gates_sum: ['0.998'],
  other_word: ['0.002', '0.995'],
  forget_gate_shut: ['0.964'],
  shared_table: ['1.000'],
  without_coverage: ['0.46'],
  doubled_state: ['0.762'],
  pooled_twice: ['0.982', '1.964'],
  reordered_words: ['0.25'],
  pairs_of_a_root_stride: ['256', '1024'],
  lower_still: ['0.750', '0.250'],
  other_flag: ['1.000'],
  one_queen_less: ['0.643', '0.322'],
};

/** Numbers that say something: with a decimal, or of three digits. */
const numbersOf = (text) => new Set(text.match(/\d[\d,]*\.\d+|\d[\d,]{2,}/g) ?? []);

/** All that can be read or heard of the page, but for the questions: neither hidden, nor inert, nor in what is folded. */
const readable = (page) =>
  page.evaluate(() => {
    const found = [];
    const unread = (node) => node instanceof Element && node.matches('[data-prediction], [inert], [aria-hidden=true]');
    const walker = document.createTreeWalker(
      document.querySelector('main'),
      NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
      (node) => (unread(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT),
    );
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent);
      else
        for (const name of ['aria-label', 'aria-valuetext', 'aria-description', 'title', 'alt'])
          found.push(element.getAttribute(name) ?? '');
    }
    return found.join(' ');
  });

const hasNumber = (text, number) => new RegExp(`(?<![\\d.,])${number.replaceAll('.', '\\.')}(?!\\d|[.,]\\d)`).test(text);

describe('questions', () => {
  let server, browser, opened, page, fovea, asked;

  withRoom((room) => ({ server, browser, opened, page } = room));
  before(async () => {
    fovea = await load();
    const { lessons, steps } = await loadTexts();
    asked = [
      ...steps.map(({ check }, i) => [`learn/${i + 1}`, [check]]),
      ...[...lessons].flatMap(([id, { predictions }]) => (predictions ? [[id.replaceAll('_', '-'), predictions]] : [])),
    ];
  });

  const open = async (on, path, lang) => {
    await show(on, server.url, path, { lang });
    await on.waitForSelector('[data-prediction]');
  };
  /** In the document that is open: the page that was left has other questions. */
  const turn = async (path, language, predictions) => {
    await page.evaluate((hash) => (location.hash = hash), `#/${path}?lang=${language}&theme=light`);
    const isThere = (ids, lang) =>
      document.documentElement.lang.startsWith(lang) &&
      ids.every((id) => document.querySelector(`[data-prediction="${id}"] input`));
    await page.waitForFunction(
      isThere,
      {},
      predictions.map(({ id }) => id),
      language,
    );
    await settle(page);
  };
  const covered = (on) => on.$$eval('[data-covered]', (parts) => parts.map((part) => part.dataset.covered));

  /** Faults of a page before the guess: what tells an answer, and parts that tell it and are not covered. */
  async function telling(path, language, asked) {
    // A fold is opened by one press: what it holds stands beside the question as well.
    await page.$$eval('.lesson details', (folds) => folds.forEach((fold) => (fold.open = true)));
    const text = await readable(page);
    const parts = new Set(await covered(page));
    return asked.flatMap(({ id, question, choices, covers = [], right, shown }) => {
      const known = numbersOf([question, ...choices].map((said) => said[language]).join(' '));
      const numbers = [...numbersOf(shown[language])].filter((number) => !known.has(number) && !GIVEN[id]?.includes(number));
      // An answer that is a single word or a number stands on the page in other senses.
      const choice = choices[right][language];
      return [
        ...numbers.filter((number) => hasNumber(text, number)).map((number) => `${number} is on the page`),
        ...covers.filter((part) => !parts.has(part)).map((part) => `${part} is not covered`),
        ...(choice.length > 15 && plain(text).includes(plain(choice)) ? [`“${choice}” is on the page`] : []),
      ].map((fault) => `${path}, ${language}, ${id}: ${fault}`);
    });
  }

  async function guess(path, language, { id, shown }) {
    const at = `[data-prediction="${id}"]`;
    await page.$eval(`${at} input`, (input) => input.click());
    await page.$eval(`${at} .primary`, (button) => button.click());
    await page.waitForSelector(`${at} [data-revealed]`);
    const said = plain(await page.$eval(`${at} .shown`, (one) => one.textContent));
    assert.ok(said.endsWith(plain(shown[language])), `${path}, ${id}: ${said}`);
  }

  test('the answer is nowhere on the page before the guess, and there after it; asked again in the other language, nowhere', async () => {
    assert.ok(asked.length > 60);
    const found = [];
    await show(page, server.url, 'words');
    for (const [path, predictions] of asked) {
      for (const language of ['en', 'zh']) {
        const answered = predictions.map((one) => ({ ...one, ...one.reveal(fovea, language) }));
        await turn(path, language, predictions);
        found.push(...(await telling(path, language, answered)));
        for (const one of answered) await guess(path, language, one);
        assert.deepEqual(await covered(page), [], `${path}: all is shown after the guess`);
        for (const { id } of predictions)
          await page.$eval(`[data-prediction="${id}"] [data-again]`, (button) => button.click());
      }
    }
    assert.deepEqual(found, []);
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
