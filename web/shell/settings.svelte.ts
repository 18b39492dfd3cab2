import { gloss } from './gloss.ts';
import type { Language, Localized } from './localized.ts';

/** A visitor's choices for all pages. Kept in localStorage; language and notation are also in the address. */

export type Theme = 'auto' | 'light' | 'dark';
/** rows: softmax(QKᵀ/√d)V, each row sums to 1. columns: V·softmax(KᵀQ/√d), each column does. */
export type Notation = 'rows' | 'columns';

const LANGUAGES: readonly Language[] = ['en', 'zh'];
const THEMES: readonly Theme[] = ['auto', 'light', 'dark'];
const NOTATIONS: readonly Notation[] = ['rows', 'columns'];

class Settings {
  language: Language = $state(known(LANGUAGES, stored('language')) ?? preferred());
  notation: Notation = $state(known(NOTATIONS, stored('notation')) ?? 'rows');
  /** Terms with their word in the other language beside them. */
  bilingual = $state(stored('bilingual') === 'on');
  #theme: Theme = $state(known(THEMES, stored('theme')) ?? 'auto');
  #systemDark = $state(false);

  constructor() {
    const system = matchMedia('(prefers-color-scheme: dark)');
    this.#systemDark = system.matches;
    this.#applyTheme();
    system.addEventListener('change', () => {
      this.#systemDark = system.matches;
      this.#applyTheme();
    });
  }

  get theme(): Theme {
    return this.#theme;
  }

  /** Takes effect at once: canvases read their colors from the document while they draw. */
  set theme(theme: Theme) {
    this.#theme = theme;
    this.#applyTheme();
  }

  /** The theme that is on the screen. */
  get shownTheme(): 'light' | 'dark' {
    return this.#theme === 'auto' ? (this.#systemDark ? 'dark' : 'light') : this.#theme;
  }

  store(): void {
    try {
      localStorage.setItem('fovea.language', this.language);
      localStorage.setItem('fovea.notation', this.notation);
      localStorage.setItem('fovea.theme', this.#theme);
      localStorage.setItem('fovea.bilingual', this.bilingual ? 'on' : 'off');
    } catch {
      // Storage can be switched off; the permalink still holds language and notation.
    }
  }

  write(params: URLSearchParams): void {
    params.set('lang', this.language);
    params.set('notation', this.notation);
  }

  read(params: URLSearchParams): void {
    this.language = known(LANGUAGES, params.get('lang')) ?? this.language;
    this.notation = known(NOTATIONS, params.get('notation')) ?? this.notation;
    this.theme = known(THEMES, params.get('theme')) ?? this.#theme;
  }

  #applyTheme(): void {
    document.documentElement.dataset.theme = this.shownTheme;
  }
}

/** The one setting of each kind that all pages share. */
export const settings = new Settings();

/** A text in the language of the page; what reads it follows when the language changes. */
export function local<T>(text: Localized<T>): T {
  return text[settings.language];
}

/** A term in the language of the page with its gloss in the other, for `Glossed.svelte`. */
export function glossed({ en, zh }: Localized): string {
  const [own, other] = settings.language === 'zh' ? [zh, en] : [en, zh];
  return own.includes(other) ? own : own + gloss(other.replace(`（${own}）`, ''));
}

/** The first of the visitor's languages that the page speaks. */
function preferred(): Language {
  const spoken = navigator.languages.map((language) => known(LANGUAGES, language.slice(0, 2).toLowerCase()));
  return spoken.find((language) => language !== undefined) ?? 'en';
}

function stored(name: string): string | null {
  try {
    return localStorage.getItem(`fovea.${name}`);
  } catch {
    return null;
  }
}

function known<T extends string>(values: readonly T[], value: string | null): T | undefined {
  return values.find((candidate) => candidate === value);
}
