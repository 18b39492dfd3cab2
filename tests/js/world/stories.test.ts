/** Stories of the small world: what follows is told with its true probability, a second reading finds no contradiction, and reasons point at what they name. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CHINESE } from '../../../scripts/train/world/chinese.ts';
import { ENGLISH } from '../../../scripts/train/world/english.ts';
import { drawStory, readStory, Teller } from '../../../scripts/train/world/story.ts';
import { vocabularyOf } from '../../../scripts/train/world/vocabulary.ts';
import type { Language } from '../../../scripts/train/world/wording.ts';
import { TestRandom } from '../support/truth_random.ts';
import { contradictions } from './reader.ts';

const COUNT = 150;

function draw(language: Language, seed: number) {
  const random = new TestRandom(seed);
  return Array.from({ length: COUNT }, () => {
    const words = drawStory(language, () => random.uniform());
    return { words, choices: readStory(language, words)! };
  });
}

for (const language of [ENGLISH, CHINESE])
  describe(`the world in ${language.name}`, () => {
    const stories = draw(language, 1);

    test('a second reading, by patterns of its own, finds no contradiction', () => {
      for (const { words } of stories) assert.deepEqual(contradictions(language.name, words), [], language.text(words));
    });

    test('the second reading finds a wrong place, holder, count, pronoun and color', () => {
      const isPronoun = (word: string): boolean => /^(she|he|她|他)$/.test(word);
      const alike = new Map<string, string[]>([
        ['holder, as a pronoun', language.name === 'en' ? ['she', 'he'] : ['她', '他']],
      ]);
      for (const { words, choices } of stories)
        choices.forEach(({ reason }, n) => {
          if (reason?.kind && !isPronoun(words[n]!)) alike.set(reason.kind, [words[n]!, ...(alike.get(reason.kind) ?? [])]);
        });
      let found = 0;
      let planted = 0;
      for (const { words, choices } of stories)
        choices.forEach(({ reason }, n) => {
          if (!/^(place|holder|count|answer)$/.test(reason?.kind ?? '')) return;
          const other = alike
            .get(isPronoun(words[n]!) ? 'holder, as a pronoun' : reason!.kind!)!
            .find((word) => word !== words[n])!;
          const wrong = words.map((word, m) => (m === n ? other : word));
          planted++;
          if (contradictions(language.name, wrong).length > 0) found++;
        });
      assert.ok(planted > 300 && found === planted, `${found} of ${planted}`);
    });

    test('probabilities sum to 1, words that are drawn are among them, and no story is longer than 126 words', () => {
      for (const { words, choices } of stories) {
        assert.ok(words.length <= 126, `${words.length}`);
        assert.equal(words.at(-1), '<end>');
        choices.forEach((next, n) => {
          const sum = [...next.words.values()].reduce((total, probability) => total + probability, 0);
          assert.ok(Math.abs(sum - 1) < 1e-9 && next.words.get(words[n]!)! > 0);
          assert.equal(next.reason === null, next.words.size > 1);
        });
      }
    });

    test('words are drawn as often as they are said to come', () => {
      // For the likeliest word and for the first one of each choice: what was drawn less what was expected, beside its standard deviation.
      for (const pick of [(a: number[]): number => Math.max(...a), (a: number[]): number => a[0]!]) {
        let [excess, variance] = [0, 0];
        for (const { words, choices } of stories)
          choices.forEach(({ words: next }, n) => {
            const p = pick([...next.values()]);
            const word = [...next].find(([, probability]) => probability === p)![0];
            excess += Number(words[n] === word) - p;
            variance += p * (1 - p);
          });
        assert.ok(variance > 100 && Math.abs(excess) < 4 * Math.sqrt(variance), `${excess} of ${Math.sqrt(variance)}`);
      }
    });

    test('the vocabulary has each word that is drawn, and none that never is', () => {
      const drawn = new Set([...stories, ...draw(language, 5)].flatMap(({ words }) => words));
      const vocabulary = vocabularyOf(language);
      assert.deepEqual(
        [...drawn].filter((word) => !vocabulary.includes(word)),
        [],
      );
      assert.deepEqual(
        vocabulary.filter((word) => !drawn.has(word)),
        [],
      );
    });

    test('words that are read give the same choices as words that are drawn; a word that cannot stand there is refused', () => {
      for (const { words, choices } of stories.slice(0, 20)) {
        const teller = new Teller(language);
        words.forEach((word, n) => {
          assert.deepEqual(teller.next(), choices[n]);
          assert.equal(teller.say('<nothing>'), false);
          assert.ok(teller.say(word));
        });
        assert.ok(teller.isOver && teller.next().words.size === 0 && !teller.say('.'));
      }
    });

    test('reasons name words before, among them a word of the same meaning where one stands there', () => {
      const kinds = new Set<string>();
      for (const { words, choices } of stories)
        choices.forEach(({ reason }, n) => {
          if (reason === null || reason.kind === null) return;
          kinds.add(reason.kind);
          assert.ok(reason.because.length > 0 && reason.because.every((place) => place >= 0 && place < n), `${words[n]}`);
          if (reason.kind === 'place' || reason.kind === 'repetition')
            assert.ok(words.slice(0, n).includes(words[n]!) || language.name === 'en', words[n]);
        });
      assert.deepEqual([...kinds].sort(), [
        'agreement',
        'answer',
        'count',
        'feeling',
        'holder',
        'place',
        'pronoun',
        'repetition',
      ]);
    });
  });

test('the same seed tells the same stories; capitals and signs stand where English has them', () => {
  assert.deepEqual(
    draw(ENGLISH, 3).map(({ words }) => words),
    draw(ENGLISH, 3).map(({ words }) => words),
  );
  const words = 'Leo says : " i want the ball . " where is Leo ? in the park . <end>'.split(' ');
  assert.equal(ENGLISH.text(words), 'Leo says: "I want the ball." Where is Leo? In the park.');
});
