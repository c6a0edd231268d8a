const FIRST_STRONG_ISOLATE = '\u2068';
const POP_DIRECTIONAL_ISOLATE = '\u2069';
/** Right-to-left letters, and marks that change the direction of the following text. */
const TURNS =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u200f\u202a-\u202e\u2066-\u2069]/u;

/**
 * A name within a sentence: if its text direction differs, it does not reverse the words next to it. In markup, `<bdi>`
 * does this.
 */
export const isolated = (name: string): string =>
  TURNS.test(name)
    ? `${FIRST_STRONG_ISOLATE}${name.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')}${POP_DIRECTIONAL_ISOLATE}`
    : name;
