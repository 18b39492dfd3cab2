/** Sentences as templates: words, and slots in braces that a language fills. */
import type { Event, Places } from './events.ts';
import { isWoman, type Facts, type Person } from './facts.ts';
import { sentenceType, slotsOf, type Kind, type SentenceType, type Slot, type Slots } from './slots.ts';

export interface Word {
  readonly text: string;
  /** The part of the event that the word names. */
  readonly names?: keyof Places;
  /** Where no other word fits, why, and the words before by which that is known: their places in the story. */
  readonly kind?: Kind;
  readonly because?: readonly number[];
}

/** One way to say an event, and how often it is that one. */
export interface Wording {
  readonly share: number;
  readonly words: readonly Word[];
}

/**
 * The words of a template are apart by spaces. {thing} is filled by what the sentence is about; {thing:FORM} by another form of it: `subject`, `object` and
 * `possessive` are pronouns. {who?} is a name, and a pronoun, too, where that can only mean this person. A form of {feeling:happy} and {agreement:are} is the
 * word itself, that the story determines.
 */
export type Templates = Readonly<Record<SentenceType, readonly string[]>>;

/** Puts the world into words. */
export interface Language {
  readonly name: 'en' | 'zh';
  readonly templates: Templates;
  /** The word for a slot. */
  readonly word: (slot: Slot, form: string) => string;
  /** Words as a text, with capitals and spaces where the language has them. */
  readonly text: (words: readonly string[]) => string;
}

const NAMED: readonly string[] = [
  'who',
  'other',
  'place',
  'thing',
  'color',
  'number',
  'food',
  'animal',
] satisfies (keyof Places)[];
const PRONOUNS: readonly string[] = ['subject', 'object', 'possessive'];
const SLOT = /^\{(\w+)(\?)?(?::(\S+))?\}$/;

/** A part of a template as a slot; null: a word. */
export function slotOf(part: string): { readonly name: string; readonly form: string; readonly isEither: boolean } | null {
  const [, name, isEither, form = ''] = SLOT.exec(part) ?? [];
  return name === undefined ? null : { name, form, isEither: isEither !== undefined };
}

export function wordings(language: Language, event: Event, facts: Facts): readonly Wording[] {
  const slots = slotsOf(event, facts);
  const templates = language.templates[sentenceType(event, facts)];
  const share = 1 / templates.length;
  return templates.flatMap((template) => {
    const asName = filled(language, template, slots, facts, '');
    const who = slots['who']?.person;
    if (!template.includes('{who?}') || who === undefined || !isPlain(who, facts)) return [{ share, words: asName }];
    return [asName, filled(language, template, slots, facts, 'subject')].map((words) => ({ share: share / 2, words }));
  });
}

/** @param form - of {who?} */
function filled(language: Language, template: string, slots: Slots, facts: Facts, form: '' | 'subject'): readonly Word[] {
  return template.split(' ').map((part): Word => {
    const named = slotOf(part);
    if (named === null) return { text: part };
    const slot = slots[named.name];
    if (slot === undefined) throw new Error(`nothing fills ${part} of '${template}'`);
    const asked = named.isEither ? form : named.form;
    const text = language.word(slot, asked);
    const { kind, because } = isPronoun(slot, asked)
      ? { kind: 'pronoun' as const, because: [facts.named.get(slot.person!)!] }
      : slot;
    return {
      text,
      ...(NAMED.includes(named.name) && !named.form && { names: named.name as keyof Places }),
      ...(kind !== undefined && { kind, because: because! }),
    };
  });
}

const isPronoun = ({ kind }: Slot, form: string): boolean => kind === undefined && PRONOUNS.includes(form);

/** Whether a pronoun at the beginning of a sentence can only mean this person. */
function isPlain(person: Person, { topic, people }: Facts): boolean {
  return topic === person && [...people.keys()].every((other) => other === person || isWoman(other) !== isWoman(person));
}
