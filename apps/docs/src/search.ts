import type MiniSearch from 'minisearch';
import { SEARCH_OPTIONS } from './search-options.js';
import { excerptOf, type Piece, piecesOf } from './excerpt';

const SHOWN = 12;

export interface Found {
  /** Path of the page with the anchor of the part, from the root of the site. */
  id: string;
  heading: string;
  title: string;
  kind: string;
  text: string;
  /** Words of the text that were found. */
  terms: string[];
}

interface Parts {
  field: HTMLInputElement;
  box: HTMLElement;
  list: HTMLElement;
  state: HTMLElement;
}

/**
 * The search in the bar: `/` leads to it, the arrows go through what is found, Enter opens it, Escape leaves. The index is
 * loaded when the field gets the focus; without script there is no field.
 */
export function offerSearch(): void {
  const frame = document.querySelector<HTMLElement>('.search');
  const field = frame?.querySelector('input');
  const box = frame?.querySelector<HTMLElement>('.results');
  const list = box?.querySelector<HTMLElement>('[role=listbox]');
  const state = box?.querySelector<HTMLElement>('[role=status]');
  if (!frame || !field || !box || !list || !state) return;
  frame.hidden = false;
  const search = new SearchField({ field, box, list, state });
  field.addEventListener('focus', () => void search.show());
  field.addEventListener('input', () => void search.show());
  field.addEventListener('keydown', (event) => search.press(event));
  // The field keeps the focus while an option is pressed.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  frame.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && frame.contains(relatedTarget))) search.close();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

class SearchField {
  private index: Promise<MiniSearch<Found>> | undefined;
  private active = -1;

  constructor(private readonly parts: Parts) {}

  /** Shows what is found of the words in the field. */
  async show(): Promise<void> {
    const { field, state } = this.parts;
    const words = field.value.trim();
    let index: MiniSearch<Found>;
    try {
      index = await (this.index ??= loadIndex());
    } catch {
      this.index = undefined;
      this.fill([]);
      this.open(words !== '');
      state.textContent = 'The search could not be loaded. Try again.';
      return;
    }
    if (field.value.trim() !== words || document.activeElement !== field) return;
    const found = (words === '' ? [] : index.search(words)).slice(0, SHOWN) as unknown as Found[];
    this.fill(found);
    this.open(words !== '');
    state.textContent = found.length === 0 ? 'Nothing was found.' : countOf(found.length);
  }

  close(): void {
    this.open(false);
    this.select(-1);
  }

  press(event: KeyboardEvent): void {
    const { field, list } = this.parts;
    const count = list.children.length;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (count === 0) return;
      const step = event.key === 'ArrowDown' ? 1 : -1;
      this.select(this.active < 0 && step < 0 ? count - 1 : (this.active + step + count) % count);
    } else if (event.key === 'Enter') {
      const option = list.children[Math.max(0, this.active)];
      if (option instanceof HTMLElement) option.click();
    } else if (event.key === 'Escape') {
      if (field.value === '') field.blur();
      field.value = '';
      this.close();
    } else {
      return;
    }
    event.preventDefault();
  }

  private open(isOpen: boolean): void {
    this.parts.box.hidden = !isOpen;
    this.parts.field.ariaExpanded = String(isOpen);
  }

  private fill(found: readonly Found[]): void {
    this.parts.list.replaceChildren(...found.map(optionOf));
    this.select(-1);
  }

  private select(index: number): void {
    const { field, list } = this.parts;
    this.active = index;
    for (const [at, option] of [...list.children].entries()) {
      option.ariaSelected = String(at === index);
      if (at === index) option.scrollIntoView({ block: 'nearest' });
    }
    if (index < 0) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', list.children[index]?.id ?? '');
  }
}

const countOf = (count: number): string =>
  count === SHOWN ? `The first ${SHOWN}` : count === 1 ? '1 part' : `${count} parts`;

const root = (): string => document.documentElement.dataset.root ?? './';

async function loadIndex(): Promise<MiniSearch<Found>> {
  const [{ default: Index }, answer] = await Promise.all([import('minisearch'), fetch(`${root()}search.json`)]);
  if (!answer.ok) throw new Error(`The index was answered with ${answer.status}`);
  return Index.loadJSON(await answer.text(), SEARCH_OPTIONS);
}

function optionOf({ id, heading, title, kind, text, terms }: Found, index: number): HTMLElement {
  const option = document.createElement('li');
  option.id = `found-${index}`;
  option.role = 'option';
  option.addEventListener('click', ({ ctrlKey, metaKey }) => {
    if (ctrlKey || metaKey) window.open(root() + id);
    else location.assign(root() + id);
  });
  const place = heading === title ? kind : `${kind} · ${title}`;
  option.append(line('strong', piecesOf(heading, terms)), line('small', [{ text: place, isHit: false }]));
  const excerpt = excerptOf(text, terms);
  if (excerpt.length > 0) option.append(line('span', excerpt));
  return option;
}

function line(tag: string, pieces: readonly Piece[]): HTMLElement {
  const element = document.createElement(tag);
  for (const { text, isHit } of pieces) {
    if (!isHit) {
      element.append(text);
      continue;
    }
    const mark = document.createElement('mark');
    mark.textContent = text;
    element.append(mark);
  }
  return element;
}
