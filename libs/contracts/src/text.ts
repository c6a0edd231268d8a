/** Marks (accents and the like) that may follow one another: the bound of the Stream-Safe Text Format, UAX #15. */
export const MAX_MARKS_IN_A_ROW = 30;

const TOO_MANY_MARKS = new RegExp(`\\p{M}{${String(MAX_MARKS_IN_A_ROW + 1)}}`, 'u');

/**
 * Whether a text can be brought into a normal form in linear time. Marks are put in order within their run, which takes
 * the square of its length; no language has words with such runs. To be asked before `normalize`. O(length).
 */
export function isComposable(text: string): boolean {
  return !TOO_MANY_MARKS.test(text);
}

const NOT_STORABLE = /(?!\n)[\p{Cc}\p{Cs}]/gu;

/**
 * A text that is not a name (a description, a unit) in a form that can be stored: cut to `max` UTF-16 units, with
 * blanks for control characters and halves of surrogate pairs, which a database refuses. O(max).
 */
export function storableText(text: string, max: number): string {
  return text.slice(0, max).replace(NOT_STORABLE, ' ').trim();
}
