/** The page's lessons: every mechanism that has a picture has one, in both languages, and their numbers are those of the package. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { load, type Fovea } from 'fovea';
import { list, run } from 'fovea/catalog';
import type { Lesson, Prediction } from '../../web/lessons/lesson.ts';
import type { Localized } from '../../web/shell/localized.ts';
import { LANGUAGES, loadPage, stems } from './support/lessons.ts';

const entries = new Map(list().map((entry) => [entry.id, entry]));

const words = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
const characters = (text: string): number => [...text.matchAll(/\p{Script=Han}/gu)].length;
/** Full stops as in English: before a space, a Chinese character or the end; the point of a number is none. */
const hasFullStop = (text: string): boolean => /\.(?=\s|$|\p{Script=Han})/u.test(text);

/** Faults of a text of a lesson. */
function complaints({ en, zh }: Localized, isFormula = false): string[] {
  const found: string[] = [];
  if (typeof en !== 'string' || typeof zh !== 'string' || en === '' || zh === '') return ['a language is missing'];
  if (words(en) > 60) found.push(`${words(en)} English words`);
  if (characters(zh) > 120) found.push(`${characters(zh)} Chinese characters`);
  if (!isFormula && characters(zh) === 0) found.push('no Chinese');
  if (hasFullStop(zh)) found.push('an English full stop in Chinese');
  // Other libraries may give NaN, and a lesson may say so.
  if (/NaN|undefined|\[object/.test((en + zh).replace(/libraries give NaN|许多库给出 NaN/g, '')))
    found.push('NaN or undefined');
  if (/!/.test(en)) found.push('an exclamation mark');
  return found.map((complaint) => `${complaint}: ${en} | ${zh}`);
}

test('what a text may not be is found', () => {
  assert.deepEqual(complaints({ en: 'A weight of 0.5.', zh: '权重为 0.5。' }), []);
  assert.equal(complaints({ en: 'word '.repeat(61), zh: '字'.repeat(121) }).length, 2);
  assert.equal(complaints({ en: 'A weight.', zh: 'A weight.' }).length, 2);
  assert.equal(complaints({ en: 'It is NaN.', zh: '权重' }).length, 1);
  assert.equal(complaints({ en: '', zh: '权重' }).length, 1);
});

describe('lessons', () => {
  let fovea: Fovea;
  let lessons: [string, Lesson][];
  let worked: Prediction;
  before(async () => {
    fovea = await load({ deterministic: true });
    ({ lessons, worked } = await loadPage());
  });

  test('every mechanism has a lesson', () => {
    const missing = list().filter(({ id }) => !stems.includes(id));
    assert.deepEqual(
      missing.map(({ id }) => id),
      [],
    );
  });

  test('no two questions are the same, in either language', () => {
    const asked = lessons.flatMap(([, { question, predictions = [] }]) => [question, ...predictions.map((p) => p.question)]);
    for (const language of ['en', 'zh'] as const)
      assert.equal(new Set(asked.map((question) => question[language])).size, asked.length, language);
    const ids = lessons.flatMap(([, { predictions = [] }]) => predictions.map(({ id }) => id));
    assert.equal(new Set(ids).size, ids.length);
  });

  test('the contrast is a sibling: another mechanism of the family', () => {
    for (const [stem, { contrast }] of lessons) {
      assert.notEqual(contrast.id, stem);
      assert.equal(entries.get(contrast.id)?.family, entries.get(stem)!.family, `${stem}: ${contrast.id}`);
    }
  });

  test('every text is short, and there in both languages', () => {
    const found = lessons.flatMap(([stem, lesson]) => {
      const { question, doThis, contrast, history, predictions = [], textbook = [] } = lesson;
      const texts = [question, doThis, contrast.text, history, ...predictions.map((p) => p.question)];
      const formulas = [...textbook.map(({ writes }) => writes), ...predictions.flatMap(({ choices }) => choices)];
      return [
        ...texts.flatMap((text) => complaints(text)),
        ...textbook.flatMap(({ means }) => complaints(means)),
        ...formulas.flatMap((text) => complaints(text, true)),
      ].map((complaint) => `${stem}: ${complaint}`);
    });
    assert.deepEqual(found, []);
  });

  test('the claim holds, and the live sentence has a number or a word of the trace', () => {
    for (const [stem, lesson] of lessons)
      for (const language of LANGUAGES) {
        const sample = entries.get(stem)!.samples[language];
        const { trace } = run(fovea, stem, sample.inputs, sample.params, sample.options);
        assert.ok(sample.claim.holds(trace), `${stem} ${language}`);
        const live = lesson.live(trace, language);
        assert.deepEqual(complaints(live), [], stem);
        const labels = Object.values(sample.labels).flatMap((axes) => axes.flatMap((axis) => axis ?? []));
        const text = live[language];
        assert.ok(/\d/.test(text) || labels.some((label) => text.includes(label)), `${stem}: ${text}`);
        const halved = trace.map((stage) => ({ ...stage, data: stage.data.map((x) => x / 2 + 0.125) }));
        assert.notEqual(lesson.live(halved, language)[language], text, `${stem}: the sentence does not follow the trace`);
      }
  });

  test('every prediction computes its answer', () => {
    const predictions = lessons.flatMap(([stem, lesson]) => (lesson.predictions ?? []).map((p) => [stem, p] as const));
    assert.ok(predictions.length > 0);
    for (const [stem, { id, choices, reveal }] of predictions) {
      const [right] = LANGUAGES.map((language) => {
        const { right, shown } = reveal(fovea, language);
        assert.ok(Number.isInteger(right) && right >= 0 && right < choices.length, `${stem}: ${id}`);
        assert.deepEqual(complaints(shown), [], `${stem}: ${id}`);
        return right;
      });
      assert.equal(reveal(fovea, 'zh').right, right, `${stem}: ${id} has one answer`);
    }
  });

  test('no sentence of a lesson has the words of an answer of its questions, in either language', () => {
    const words = (text: string) => text.replace(/[_^]/g, '').replace(/\s+/g, ' ').trim();
    const found = lessons.flatMap(([stem, { question, doThis, contrast, history, live, predictions = [], textbook = [] }]) =>
      LANGUAGES.flatMap((language) => {
        const sample = entries.get(stem)!.samples[language];
        const { trace } = run(fovea, stem, sample.inputs, sample.params, sample.options);
        const texts = [question, doThis, contrast.text, history, live(trace, language), ...textbook.map(({ means }) => means)];
        return predictions.flatMap(({ id, choices, reveal }) => {
          const answer = words(choices[reveal(fovea, language).right]![language]);
          // An answer that is a single word or a number stands in sentences in other senses.
          if (answer.length <= 15) return [];
          return texts.filter((text) => words(text[language]).includes(answer)).map((text) => `${id}: ${text[language]}`);
        });
      }),
    );
    assert.deepEqual(found, []);
  });

  test('the predictions of the textbook examples give the known answers', () => {
    const answer = (id: string) => {
      const predictions = [worked, ...lessons.flatMap(([, lesson]) => lesson.predictions ?? [])];
      const found = predictions.find((prediction) => prediction.id === id)!;
      const { right, shown } = found.reveal(fovea, 'en');
      return { choice: found.choices[right]!.en, text: shown.en };
    };
    assert.equal(answer('scores_2_4_4').choice, 'The second and the third are equal');
    assert.equal(answer('score_rises').choice, 'It falls');
    assert.equal(answer('double_scores').choice, 'become sharper');
    assert.equal(answer('add_hundred').choice, 'Nothing');
    const { choice, text } = answer('zero_score');
    assert.equal(choice, 'No');
    assert.ok(text.includes('0.425, 0.191, 0.128, 0.128, 0.128') && text.includes('0.690, 0.310, 0, 0, 0'), text);
    assert.equal(answer('masked_row').choice, 'All 0');
    assert.equal(answer('leave_polygon').choice, 'With ReLU yes, with softmax no');
  });
});
