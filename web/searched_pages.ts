/** The pages beside those of mechanisms, as the search finds them. Read when the page is built, by plugins/search_index.ts, and not part of what is built. */
import type { Family } from 'fovea/catalog';
import * as compareMessages from '../build/generated/texts/before_attention.ts';
import * as learnMessages from '../build/generated/texts/learn.ts';
import * as homeMessages from '../build/generated/texts/home.ts';
import * as weightsMessages from '../build/generated/texts/weights.ts';
import * as wordsMessages from '../build/generated/texts/words.ts';
import * as comparison from '../build/generated/texts/comparison.ts';
import * as image from '../build/generated/texts/image.ts';
import * as sound from '../build/generated/texts/sound.ts';
import * as longText from '../build/generated/texts/text.ts';
import * as laboratory from '../build/generated/texts/laboratory.ts';
import * as model from '../build/generated/texts/model.ts';
import * as ownModel from '../build/generated/texts/own_model.ts';
import * as offline from '../build/generated/texts/offline.ts';
import * as searchMessages from '../build/generated/texts/search.ts';
import * as names from '../build/generated/texts/search_names.ts';
import { COMPARISONS } from './course/compare/comparisons.ts';
import { STEPS } from './course/learn/steps.ts';
import { GLOSSARY } from './course/words/glossary.ts';
import { FAMILIES } from './families/families.ts';
import type { Localized } from './shell/localized.ts';

export interface SearchedPage {
  /** The path in the address, behind "#/". */
  readonly path: string;
  readonly title: Localized;
  /** Names that learners use for its subject, in both languages. */
  readonly aliases: readonly string[];
  /** All texts in it that are { en, zh } are searched. */
  readonly texts: unknown;
}

const familyNames: Readonly<Partial<Record<Family, Localized>>> = names.families;

/** The names that a text of search_names.ftl has, in both languages. */
const namesIn = (text: Localized | undefined): readonly string[] =>
  text ? [text.en, text.zh].flatMap((list) => list.split(/[;；]\s*/)) : [];

export const PAGES: readonly SearchedPage[] = [
  {
    path: '',
    title: homeMessages.title,
    aliases: namesIn(names.pages.home),
    texts: homeMessages,
  },
  {
    path: 'learn',
    title: learnMessages.title,
    aliases: namesIn(names.pages.learn),
    texts: learnMessages,
  },
  ...STEPS.map((step, n) => ({
    path: `learn/${n + 1}`,
    title: step.title,
    aliases: namesIn(names.steps[step.id]),
    texts: step,
  })),
  ...FAMILIES.map(({ family, path, title, question }) => ({
    path: `family/${path}`,
    title,
    aliases: namesIn(familyNames[family]),
    texts: question,
  })),
  ...COMPARISONS.map((one) => ({
    path: `compare/${one.id}`,
    title: one.title,
    aliases: [one.other.en, one.other.zh],
    texts: [one, compareMessages],
  })),
  {
    path: 'weights',
    title: weightsMessages.title,
    aliases: namesIn(names.pages.weights),
    texts: weightsMessages,
  },
  {
    path: 'model',
    title: model.title,
    aliases: namesIn(names.pages.model),
    texts: model,
  },
  {
    path: 'model/own',
    title: ownModel.title,
    aliases: namesIn(names.pages.ownModel),
    texts: ownModel,
  },
  {
    path: 'compare',
    title: comparison.title,
    aliases: namesIn(names.pages.compare),
    texts: comparison,
  },
  {
    path: 'laboratory',
    title: laboratory.title,
    aliases: namesIn(names.pages.laboratory),
    texts: laboratory,
  },
  {
    path: 'text',
    title: longText.title,
    aliases: namesIn(names.pages.text),
    texts: longText,
  },
  { path: 'image', title: image.title, aliases: namesIn(names.pages.image), texts: image },
  {
    path: 'sound',
    title: sound.title,
    aliases: namesIn(names.pages.sound),
    texts: sound,
  },
  {
    path: 'words',
    title: wordsMessages.title,
    aliases: namesIn(names.pages.words),
    texts: [
      wordsMessages,
      GLOSSARY.map(({ name, meaning, also }) => [name, meaning, also.map((one) => ({ en: one, zh: one }))]),
    ],
  },
  {
    path: 'mechanisms',
    title: searchMessages.map,
    aliases: namesIn(names.pages.mechanisms),
    texts: searchMessages,
  },
  { path: 'offline', title: offline.title, aliases: namesIn(names.pages.offline), texts: offline },
];

/** The lesson of each mechanism, by its id in the catalog. */
export const LESSONS: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(import.meta.glob('./lessons/*.ts', { eager: true, import: 'default' })).map(([file, lesson]) => [
    file.replace(/^.*\/|\.ts$/g, ''),
    lesson,
  ]),
);
