/**
 * `<fovea-attention mechanism tokens head lang theme>`: one picture of attention weights for the pages of others, in one file with its core. See
 * docs/element.md.
 */

import type { Fovea } from 'fovea';
import { load } from 'fovea/inline';
import * as messages from '../../build/generated/texts/element.ts';
import { nested } from '../figures/matrix.ts';
import type { Localized } from '../shell/localized.ts';
import type { HeadName } from '../text/named_heads.ts';
import { HEADS } from '../text/named_heads.ts';
import { idOf, mechanisms, readHead, readTokens, TEXT_LIMIT, weightsOf } from './compute.ts';
import { make, Picture, type Cell, type Language } from './picture.ts';
import { styleSheet } from './style.ts';

/** Each mechanism of the catalog by its id; put in when the file is built. */
declare const CATALOG_TITLES: Readonly<Record<string, Readonly<Record<Language, string>>>>;

/** The detail of a `change` event, and the property `state`. */
export interface ElementState {
  readonly mechanism: string;
  readonly head: HeadName;
  readonly tokens: readonly string[];
  readonly language: Language;
  readonly selected: Cell | null;
  /** [tokens, tokens], a row for each query. */
  readonly weights: readonly (readonly number[])[];
}

/** How a mechanism with a number in it is set here. */
const notes: Readonly<Record<string, Localized>> = messages.notes;

/** All elements of a page share one core. */
let core: Promise<Fovea> | undefined;
const HOME = new URL('./', import.meta.url).href;

export class FoveaAttention extends HTMLElement {
  static readonly observedAttributes = ['mechanism', 'tokens', 'head', 'lang', 'theme', 'page'];
  readonly #root = this.attachShadow({ mode: 'open' });
  readonly #resized = new ResizeObserver(() => this.#draw());
  readonly #dark = matchMedia('(prefers-color-scheme: dark)');
  readonly #recolor = (): void => this.#draw();
  #picture: Picture | undefined;
  #state: ElementState | null = null;
  #pending = false;

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [styleSheet()];
  }

  /** Null while nothing is shown. */
  get state(): ElementState | null {
    return this.#state;
  }

  connectedCallback(): void {
    this.#resized.observe(this);
    this.#dark.addEventListener('change', this.#recolor);
    this.#update();
  }

  disconnectedCallback(): void {
    this.#resized.disconnect();
    this.#dark.removeEventListener('change', this.#recolor);
  }

  attributeChangedCallback(name: string): void {
    if (name === 'theme') this.#draw();
    else this.#update();
  }

  /** The nearest `lang`, as CSS and screen readers have it. */
  get #language(): Language {
    const nearest = this.closest('[lang]')?.getAttribute('lang') ?? navigator.language;
    return nearest.toLowerCase().startsWith('zh') ? 'zh' : 'en';
  }

  /** Attributes that are set one after the other make one picture. */
  #update(): void {
    if (this.#pending || !this.isConnected) return;
    this.#pending = true;
    queueMicrotask(() => {
      this.#pending = false;
      void this.#show();
    });
  }

  async #show(): Promise<void> {
    const language = this.#language;
    const id = idOf(this.getAttribute('mechanism') ?? 'self_attention');
    const read = readTokens(this.getAttribute('tokens') ?? '');
    const fault = this.#fault(id, read, language);
    if (fault || typeof read === 'string') return this.#say(fault ?? []);
    const head = readHead(this.getAttribute('head'), read.tokens);
    if (!head) {
      const names = HEADS.join(', ');
      return this.#say([messages.unknownHead[language]({ name: this.getAttribute('head') ?? '', known: names })]);
    }
    if (!this.#picture) this.#say([messages.loading[language]], 'status');
    let fovea: Fovea;
    try {
      fovea = await (core ??= load({ deterministic: true }));
    } catch {
      core = undefined;
      return this.#say([messages.noCore[language]]);
    }
    if (this.#pending || !this.isConnected) return; // newer attributes are on their way
    try {
      this.#present(fovea, id, head, read, language);
    } catch (error) {
      this.#say([messages.refused[language]({ why: error instanceof Error ? error.message : String(error) })]);
    }
  }

  /** The message in place of a picture, or undefined. */
  #fault(id: string, read: ReturnType<typeof readTokens>, language: Language): (Node | string)[] | undefined {
    if (!mechanisms.includes(id)) {
      const title = Object.hasOwn(CATALOG_TITLES, id) ? CATALOG_TITLES[id]?.[language] : undefined;
      if (title !== undefined) return [messages.onThePage[language]({ title }), ' ', this.#link(id, language)];
      return [messages.unknown[language]({ name: this.getAttribute('mechanism') ?? '', known: mechanisms.join(', ') })];
    }
    if (read === 'empty') return [messages.noTokens[language]];
    if (read === 'bad') return [messages.badTokens[language]];
    return read === 'long' ? [messages.tooLong[language]({ limit: TEXT_LIMIT })] : undefined;
  }

  #say(content: readonly (Node | string)[], role = 'alert'): void {
    const said = make('p', 'alert', ...content);
    said.lang = this.#language;
    said.setAttribute('role', role);
    this.#picture = undefined;
    this.#state = null;
    this.#root.replaceChildren(said);
  }

  #present(
    fovea: Fovea,
    id: string,
    head: HeadName,
    { tokens, total }: { readonly tokens: readonly string[]; readonly total: number },
    language: Language,
  ): void {
    const titles = { query: messages.query[language], key: messages.key[language] };
    const figure = weightsOf(fovea, id, tokens, head, titles);
    const weights = nested(figure.matrix);
    const picture = new Picture(figure, language, () => this.#changed({ selected: picture.selected }));
    const note = Object.hasOwn(notes, id) ? notes[id]?.[language] : undefined;
    const title = make('h2', '', CATALOG_TITLES[id]?.[language] ?? id, ' ', make('span', '', messages.heads[head][language]));
    const origin = make(
      'p',
      '',
      messages.provenance[language]({ head, version: fovea.info.version }),
      ' ',
      this.#link(id, language, tokens, head),
    );
    const cut = total > tokens.length ? [make('p', '', messages.cut[language]({ shown: tokens.length, total }))] : [];
    const parts = [title, ...(note === undefined ? [] : [make('p', '', note)]), ...cut, ...picture.parts, origin];
    for (const part of parts) part.lang = language;
    this.#picture = picture;
    this.#root.replaceChildren(...parts);
    this.#draw();
    this.#state = { mechanism: id, head, tokens, language, selected: null, weights };
    this.#changed({});
  }

  #changed(change: Partial<ElementState>): void {
    if (!this.#state) return;
    this.#state = { ...this.#state, ...change };
    this.dispatchEvent(new CustomEvent<ElementState>('change', { detail: this.#state, bubbles: true, composed: true }));
  }

  #draw(): void {
    const style = getComputedStyle(this);
    this.#picture?.draw(this.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight));
  }

  /** To the mechanism's own page, with the sentence where that page takes one. */
  #link(id: string, language: Language, tokens: readonly string[] = [], head = ''): HTMLAnchorElement {
    const params = new URLSearchParams({ lang: language });
    if (id === 'self_attention' && tokens.length > 0) {
      const isChinese = /\p{Script=Han}/u.test(tokens.join(''));
      params.set('input', 'text');
      params.set('text', tokens.join(isChinese ? '' : ' '));
      params.set('head', head);
    }
    const link = make('a', '', messages.open[language]);
    link.href = `${pageOf(this.getAttribute('page'))}#/${id.replaceAll('_', '-')}?${params}`;
    link.target = '_blank';
    link.rel = 'noopener';
    return link;
  }
}

/** The full page: beside this file, unless the attribute `page` names another by http or https. */
function pageOf(attribute: string | null): string {
  if (attribute === null || !URL.canParse(attribute, location.href)) return HOME;
  const { protocol, href } = new URL(attribute, location.href);
  return protocol === 'https:' || protocol === 'http:' ? href.replace(/#.*$/s, '') : HOME;
}

if (!customElements.get('fovea-attention')) customElements.define('fovea-attention', FoveaAttention);
