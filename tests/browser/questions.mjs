// Questions of the pages: before the guess nothing that can be read gives the answer away, afterwards it is there.

import assert from 'node:assert/strict';
import { settle, show } from './pages.mjs';
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

/** The questions of each page that asks some, by its path. */
export async function loadQuestions() {
  const { lessons, steps } = await loadTexts();
  return [
    ...steps.map(({ check }, i) => [`learn/${i + 1}`, [check]]),
    ...[...lessons].flatMap(([id, { predictions }]) => (predictions ? [[id.replaceAll('_', '-'), predictions]] : [])),
  ];
}

/** The parts of the page that are covered. */
export const covered = (page) => page.$$eval('[data-covered]', (parts) => parts.map((part) => part.dataset.covered));

/** In the document that is open: the page that was left has other questions. */
async function turn(page, path, language, predictions) {
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
}

/** Faults of a page before the guess: what tells an answer, and parts that tell it and are not covered. */
async function telling(page, path, language, asked) {
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

async function guess(page, path, language, { id, shown }) {
  const at = `[data-prediction="${id}"]`;
  await page.$eval(`${at} input`, (input) => input.click());
  await page.$eval(`${at} .primary`, (button) => button.click());
  await page.waitForSelector(`${at} [data-revealed]`);
  const said = plain(await page.$eval(`${at} .shown`, (one) => one.textContent));
  assert.ok(said.endsWith(plain(shown[language])), `${path}, ${id}: ${said}`);
}

/**
 * Asks the questions of each page, in the languages that `languagesOf` gives for it, one after another: asserts that the answer is nowhere on the page before
 * the guess, and there after it; asked again in the next language, nowhere.
 */
export async function askAll(page, url, fovea, questions, languagesOf) {
  const found = [];
  await show(page, url, 'words');
  for (const [index, [path, predictions]] of questions.entries()) {
    for (const language of languagesOf(index)) {
      const answered = predictions.map((one) => ({ ...one, ...one.reveal(fovea, language) }));
      await turn(page, path, language, predictions);
      found.push(...(await telling(page, path, language, answered)));
      for (const one of answered) await guess(page, path, language, one);
      assert.deepEqual(await covered(page), [], `${path}: all is shown after the guess`);
      for (const { id } of predictions) await page.$eval(`[data-prediction="${id}"] [data-again]`, (button) => button.click());
    }
  }
  assert.deepEqual(found, []);
}
