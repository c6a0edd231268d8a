import { isComposable, MAX_MARKS_IN_A_ROW } from '#libs/contracts';
import { ParamProblem } from './param-kind.js';

/** Control characters and unpaired surrogates, which are not characters. */
const CONTROL = /[\p{Cc}\p{Cs}]/u;
const CONTROL_BUT_LINE_FEED = /(?!\n)[\p{Cc}\p{Cs}]/u;

/** Length in code points, the characters that people count. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** JSON null, and texts that are empty once trimmed. */
export function isEmpty(raw: unknown): boolean {
  return raw === null || (typeof raw === 'string' && raw.trim() === '');
}

/** A text with endless sequences of combining marks; composing it would take quadratic time. */
export const TOO_MANY_MARKS = `must have at most ${String(MAX_MARKS_IN_A_ROW)} accents and other marks in a row`;

/**
 * Trimmed, and in the composed form in which equal texts have equal characters. A text that cannot be composed in
 * linear time (see `isComposable`) is only trimmed, and a rule refuses it.
 */
export function normalised(raw: string, multiline = false): string {
  const text = (multiline ? raw.replaceAll('\r\n', '\n') : raw).trim();
  return isComposable(text) ? text.normalize('NFC') : text;
}

/** True if a text contains control characters or unpaired surrogates (a long text may contain line feeds). */
export function holdsControlCharacters(text: string, multiline = false): boolean {
  return (multiline ? CONTROL_BUT_LINE_FEED : CONTROL).test(text);
}

/** A text in the form that parameters accept, for other code that reads texts. */
export function cleanText(raw: string): string | ParamProblem {
  const text = normalised(raw);
  if (!isComposable(text)) return ParamProblem.of('bad_format', TOO_MANY_MARKS);
  if (!holdsControlCharacters(text)) return text;
  return ParamProblem.of('bad_format', 'must not contain control characters or single surrogates');
}

/**
 * Splits a comma-separated list. Double quotes keep commas inside an item, with `\\` and `\"` as escapes; blanks around
 * items are dropped, and so are empty items. Quotes stay: the item defines their meaning.
 */
export function splitList(text: string): string[] {
  const items: string[] = [];
  let item = '';
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (quoted && character === '\\') {
      item += character + text.charAt(++i);
      continue;
    }
    if (character === '"') quoted = !quoted;
    if (character === ',' && !quoted) {
      items.push(item);
      item = '';
    } else {
      item += character;
    }
  }
  items.push(item);
  return items.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

/** The text of an item in double quotes without them; any other text as it is. */
export function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  return text.slice(1, -1).replace(/\\([\\"])/g, '$1');
}
