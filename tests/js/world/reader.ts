/** A second reading of the world's stories: it follows the events by its own patterns, and knows nothing of how stories are made. */

interface Reading {
  /** By name. */
  readonly places: Map<string, string>;
  /** The names of who has a thing, or the places where it lies. */
  readonly things: Map<string, { readonly holder: string } | { readonly place: string }>;
  readonly colors: Map<string, string>;
  readonly counts: Map<string, number>;
  start: { name: string; place: string } | null;
}

interface Grammar {
  /** Whether a name is a woman's. */
  readonly women: RegExp;
  readonly pronouns: Readonly<Record<'woman' | 'man', RegExp>>;
  readonly numbers: readonly string[];
  /** Each with groups by the names of what it tells. */
  readonly patterns: readonly (readonly [event: string, pattern: RegExp])[];
}

const NAME = '(?<who>[A-Z]\\w+|he|she)';

const ENGLISH: Grammar = {
  women: /^(Anna|Clara|Mia|Nora)$/,
  pronouns: { woman: /^(she|her)$/, man: /^(he|him|his)$/ },
  numbers: ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'],
  patterns: [
    ['start', /^one \w+ (?<who>\w+) is in the (?<place>\w+) \.$/],
    ['join', /^(?<who>\w+) comes to the (?<here>\w+) , too \.$/],
    ['join', /^(?<who>[A-Z]\w+) is with (?<of>\w+) \.$/],
    ['nothing', /^(?<of>her|his) \w+ is with (?<of2>\w+) \.$/],
    ['stock', new RegExp(`^${NAME} (has|finds) (?<number>two|three|four|five) \\w+s \\.$`)],
    ['own', new RegExp(`^${NAME} (has|finds) a ((?<color>blue|green|red|white|yellow) )?(?<thing>\\w+) \\.$`)],
    ['nothing', new RegExp(`^${NAME} (says : " i want|wants) the (?<known>\\w+) \\.( ")?$`)],
    ['nothing', new RegExp(`^${NAME} is sad because (?<holder>\\w+) has the (?<known>\\w+) \\.$`)],
    ['nothing', new RegExp(`^${NAME} is happy because (?<self>\\w+) has the (?<known>\\w+) \\.$`)],
    ['nothing', new RegExp(`^now ${NAME} is happy \\.$`)],
    ['give', new RegExp(`^${NAME} gives (?<to>[A-Z]\\w+) the (?<known>\\w+) \\.$`)],
    ['give', new RegExp(`^${NAME} gives the (?<known>\\w+) to (?<to>[A-Z]\\w+) \\.$`)],
    ['return', /^the next day (?<who>\w+) goes back to the (?<place>\w+) \.$/],
    ['move', new RegExp(`^${NAME} goes to the (?<place>\\w+) \\.$`)],
    ['moveBoth', /^(?<who>\w+) and (?<other>\w+) go to the (?<place>\w+) \.$/],
    ['nothing', /^now (?<who>\w+) and (?<other>\w+) are in the (?<here>\w+) \.$/],
    ['nothing', /^the \w+ follows (?<of>\w+) \.$/],
    ['leave', new RegExp(`^${NAME} leaves the (?<known>\\w+) in the (?<here>\\w+) \\.$`)],
    ['find', new RegExp(`^${NAME} finds the (?<known>\\w+) in the (?<there>\\w+) \\.$`)],
    ['nothing', /^(?<who>\w+) asks : " where is the (?<known>\w+) \? " \w+ answers : " it is in the (?<there>\w+) \. "$/],
    ['nothing', /^(?<who>\w+) asks : " where is the (?<known>\w+) \? " (?<holder>\w+) answers : " i have it \. "$/],
    ['nothing', /^(?<who>\w+) asks : " where is the (?<known>\w+) \? " \w+ answers : " (?<holder>\w+) has it \. "$/],
    ['nothing', /^(?<who>\w+) says : " hello , (?<other>\w+) \. " (?<second>\w+) says : " hello , (?<first>\w+) \. "$/],
    ['more', new RegExp(`^${NAME} finds (?<number>\\w+) more \\w+ \\.$`)],
    ['eat', new RegExp(`^${NAME} eats (?<number>\\w+) \\w+ \\.$`)],
    ['nothing', new RegExp(`^now ${NAME} has (?<count>\\w+) (?<food>\\w+) \\.$`)],
    [
      'end',
      /^at the end (?<who>\w+) is (still )?in the (?<here>\w+)( again)?( , and (?<holder>\w+) has the (?<known>\w+))? \.$/,
    ],
    ['nothing', /^where is (?<who>[A-Z]\w+) \? in the (?<here>\w+) \.$/],
    ['nothing', /^where is the (?<known>\w+) \? in the (?<there>\w+) \.$/],
    ['nothing', /^who has the (?<known>\w+) \? (?<holder>\w+) \.$/],
    ['nothing', /^what color is the (?<known>\w+) \? (?<hue>\w+) \.$/],
    ['nothing', /^how many \w+s does (?<who>\w+) have \? (?<count>\w+) \.$/],
  ],
};

const WHO = '(?<who>小.|他|她)';

const CHINESE: Grammar = {
  women: /^小[红丽芳雪]$/,
  pronouns: { woman: /^她$/, man: /^他$/ },
  numbers: ['零', '一', '两', '三', '四', '五', '六', '七', '八', '九'],
  patterns: [
    ['start', /^一天 \S+ ， (?<who>\S+) 在 (?<place>\S+) 里 。$/],
    ['join', /^(?<who>\S+) 也 来到 (?<here>\S+) 。$/],
    ['join', /^(?<who>小\S) 和 (?<of>[他她]) 在一起 。$/],
    ['nothing', /^(?<of>[他她]) 的 \S+ 和 (?<of2>\S+) 在一起 。$/],
    ['own', new RegExp(`^${WHO} (有|找到 了) 一 \\S ((?<color>\\S色) 的 )?(?<thing>\\S+) 。$`)],
    ['more', new RegExp(`^${WHO} 又 找到 了 (?<number>\\S) \\S \\S+ 。$`)],
    ['stock', new RegExp(`^${WHO} (有|找到 了) (?<number>[两三四五]) \\S \\S+ 。$`)],
    ['nothing', new RegExp(`^${WHO} (想 要|说 ： “ 我 想 要) 那 \\S (?<known>\\S+) 。( ”)?$`)],
    ['nothing', new RegExp(`^${WHO} 很 难过 ， 因为 (?<known>\\S+) 在 (?<holder>\\S+) 那里 。$`)],
    ['nothing', new RegExp(`^${WHO} 很 高兴 ， 因为 (?<self>\\S+) 有 (?<known>\\S+) 了 。$`)],
    ['nothing', new RegExp(`^现在 ${WHO} 很 高兴 。$`)],
    ['give', new RegExp(`^${WHO} 把 (?<known>\\S+) (给 了|送给) (?<to>\\S+) 。$`)],
    ['return', /^第二天 ， (?<who>\S+) 回到 了 (?<place>\S+) 。$/],
    ['moveBoth', /^(?<who>\S+) 和 (?<other>\S+) 一起 去 了 (?<place>\S+) 。$/],
    ['move', new RegExp(`^${WHO} 去 了 (?<place>\\S+) 。$`)],
    ['nothing', /^现在 (?<who>\S+) 和 (?<other>\S+) 都 在 (?<here>\S+) 里 。$/],
    ['nothing', /^\S+ 跟着 (?<of>\S) 。$/],
    ['leave', new RegExp(`^${WHO} 把 (?<known>\\S+) 留在 (?<here>\\S+) 里 。$`)],
    ['find', new RegExp(`^${WHO} 在 (?<there>\\S+) 里 找到 了 (?<known>\\S+) 。$`)],
    ['nothing', /^(?<who>\S+) 问 ： “ (?<known>\S+) 在 哪里 ？ ” \S+ 回答 ： “ 在 (?<there>\S+) 里 。 ”$/],
    ['nothing', /^(?<who>\S+) 问 ： “ (?<known>\S+) 在 哪里 ？ ” (?<holder>\S+) 回答 ： “ 在 我 这里 。 ”$/],
    ['nothing', /^(?<who>\S+) 问 ： “ (?<known>\S+) 在 哪里 ？ ” \S+ 回答 ： “ 在 (?<holder>\S+) 那里 。 ”$/],
    ['nothing', /^(?<who>\S+) 说 ： “ 你好 ， (?<other>\S+) 。 ” (?<second>\S+) 说 ： “ 你好 ， (?<first>\S+) 。 ”$/],
    ['eat', new RegExp(`^${WHO} 吃 了 (?<number>\\S) \\S \\S+ 。$`)],
    ['nothing', new RegExp(`^现在 ${WHO} 有 (?<count>\\S) \\S \\S+ 。$`)],
    ['end', /^最后 ， (?<who>\S+) (还|又) 在 (?<here>\S+) 里( 了)?( ， (?<known>\S+) 在 (?<holder>\S+) 那里)? 。$/],
    ['nothing', /^(?<who>小\S) 在 哪里 ？ 在 (?<here>\S+) 里 。$/],
    ['nothing', /^(?<known>[^小 ]\S*) 在 哪里 ？ 在 (?<there>\S+) 里 。$/],
    ['nothing', /^(?<known>\S+) 在 谁 那里 ？ 在 (?<holder>\S+) 那里 。$/],
    ['nothing', /^(?<known>\S+) 是 什么 颜色 ？ (?<hue>\S+) 。$/],
    ['nothing', /^(?<who>\S+) 有 几 \S \S+ ？ (?<count>\S) \S 。$/],
  ],
};

const GRAMMARS = { en: ENGLISH, zh: CHINESE };

/** Sentences, each with its speech; of a question its answer, of a greeting the one in return. */
function sentencesOf(words: readonly string[]): string[] {
  const sentences: string[] = [];
  let begin = 0;
  let isSpeech = false;
  let isOpen = false;
  words.forEach((word, n) => {
    if (/^["“”]$/.test(word)) isSpeech = !isSpeech;
    const isEnd = !isSpeech && (/^[.。]$/.test(word) || /^["”]$/.test(word));
    if (!isEnd) return;
    const sentence = words.slice(begin, n + 1).join(' ');
    isOpen = !isOpen && /[?？] ["”]$|hello|你好/.test(sentence);
    if (isOpen) return;
    sentences.push(sentence);
    begin = n + 1;
  });
  return sentences;
}

/** Reads a story; what contradicts what it told before, one complaint each. */
export function contradictions(language: 'en' | 'zh', words: readonly string[]): string[] {
  const grammar = GRAMMARS[language];
  const complaints: string[] = [];
  const reading: Reading = { places: new Map(), things: new Map(), colors: new Map(), counts: new Map(), start: null };
  let before = '';
  for (const sentence of sentencesOf(words)) {
    const expect = (what: string, said: string | undefined, wanted: string | undefined): void => {
      if (said !== undefined && said !== wanted) complaints.push(`'${sentence}': ${what} is ${wanted}`);
    };
    const found = grammar.patterns.flatMap(([event, pattern]) => {
      const groups = pattern.exec(sentence)?.groups;
      return groups === undefined ? [] : [{ event, groups: groups as Record<string, string | undefined> }];
    });
    if (found.length !== 1) {
      complaints.push(`'${sentence}' is read in ${found.length} ways`);
      continue;
    }
    const { event, groups } = found[0]!;
    before = follow(grammar, reading, event, groups, before, expect);
  }
  return complaints;
}

/** Takes a sentence's event into the reading. Returns of whom the next pronoun may speak. */
function follow(
  grammar: Grammar,
  reading: Reading,
  event: string,
  groups: Readonly<Record<string, string | undefined>>,
  before: string,
  expect: (what: string, said: string | undefined, wanted: string | undefined) => void,
): string {
  const { places, things, colors, counts } = reading;
  const isPronounOf = (word: string, name: string): boolean =>
    grammar.pronouns[grammar.women.test(name) ? 'woman' : 'man'].test(word);
  const isPronoun = (word: string): boolean => grammar.pronouns.woman.test(word) || grammar.pronouns.man.test(word);
  const given = groups['who'];
  const who = given !== undefined && isPronoun(given) ? before : (given ?? before);
  if (given !== undefined && given !== who) {
    expect('the pronoun', String(isPronounOf(given, who)), 'true');
    const alike = [...places.keys()].filter((name) => isPronounOf(given, name));
    expect('who could be meant', alike.join(), who);
  }
  for (const word of [groups['of'], groups['of2']])
    if (word !== undefined) expect('the pronoun', String(isPronounOf(word, reading.start!.name)), 'true');
  if (groups['self'] !== undefined) expect('the pronoun', String(isPronounOf(groups['self'], who)), 'true');
  const thing = groups['known'];
  const where = thing === undefined ? undefined : things.get(thing);
  if (thing !== undefined) expect('the thing', String(where !== undefined), 'true');
  const holder = where !== undefined && 'holder' in where ? where.holder : undefined;
  const said = groups['holder'];
  if (said !== undefined) expect('the holder', isPronoun(said) ? who : said, holder);
  if (said !== undefined && isPronoun(said)) expect('the pronoun', String(isPronounOf(said, who)), 'true');
  if (groups['self'] !== undefined) expect('the holder', who, holder);
  expect(
    'the place of the thing',
    groups['there'],
    where === undefined ? undefined : 'place' in where ? where.place : places.get(where.holder),
  );
  expect('the color', groups['hue'], colors.get(thing ?? ''));
  if (groups['count'] !== undefined) expect('the count', groups['count'], grammar.numbers[counts.get(who) ?? 0]);
  const number = grammar.numbers.indexOf(groups['number'] ?? '');
  const place = groups['place'];
  if (event === 'start') reading.start = { name: who, place: place! };
  if (event === 'join') places.set(who, reading.start!.place);
  if (event === 'return')
    expect('the first person and place', `${who} ${place}`, `${reading.start!.name} ${reading.start!.place}`);
  if (event === 'end') expect('the first person', who, reading.start!.name);
  if (place !== undefined) for (const name of event === 'moveBoth' ? [who, groups['other']!] : [who]) places.set(name, place);
  expect('the place', groups['here'], places.get(who));
  if (event === 'give') expect('the giver', who, holder);
  if (event === 'leave') expect('who leaves it', who, holder);
  if (event === 'find') expect('the place', places.get(who), where !== undefined && 'place' in where ? where.place : undefined);
  if (event === 'own') things.set(groups['thing']!, { holder: who });
  if (groups['color'] !== undefined) colors.set(groups['thing']!, groups['color']);
  if (event === 'give') things.set(thing!, { holder: groups['to']! });
  if (event === 'find') things.set(thing!, { holder: who });
  if (event === 'leave') things.set(thing!, { place: groups['here']! });
  if (event === 'stock') counts.set(who, number);
  if (event === 'more' || event === 'eat') counts.set(who, counts.get(who)! + (event === 'more' ? number : -number));
  expect('who is greeted', groups['first'], groups['first'] && who);
  expect('who greets', groups['second'], groups['second'] && groups['other']);
  return who;
}
