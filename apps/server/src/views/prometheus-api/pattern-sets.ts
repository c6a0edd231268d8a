/** Facts about the texts that match a pattern, derived without running it. */
export interface PatternFacts {
  /** All texts that match; null if they are not a short list. */
  set: readonly string[] | null;
  /** Common prefix of all matching texts. */
  prefix: string;
}

/** Maximum number of texts, enough for the values that a dashboard lets people choose. */
const MAX_SET = 1000;

/** Characters that are literal in every position. */
const PLAIN = /^[\p{L}\p{N}_ \-/:=%@#~&<>,;'"!]$/u;
const QUANTIFIERS = '*?{+';

/**
 * Derives conditions that a database can look up: a list of texts (`a|b`, `(a|b)`, with escaped characters, as
 * dashboards write chosen values), or else a prefix (`http_.*`). Both are exact; for other patterns there are none.
 */
export function factsOf(pattern: string): PatternFacts {
  const isWrapped = /^\((?:\?:)?[^()]*\)$/.test(pattern) && !pattern.endsWith('\\)');
  const inner = isWrapped ? pattern.slice(pattern.startsWith('(?:') ? 3 : 1, -1) : pattern;
  const parts: string[] = [];
  let literal = '';
  for (let at = 0; at < inner.length;) {
    const character = String.fromCodePoint(inner.codePointAt(at)!);
    const escaped = inner[at + 1];
    if (character === '|') {
      parts.push(literal);
      if (parts.length >= MAX_SET) return { set: null, prefix: '' };
      literal = '';
      at++;
    } else if (PLAIN.test(character)) {
      literal += character;
      at += character.length;
    } else if (character === '\\' && escaped !== undefined && /[^A-Za-z0-9]/.test(escaped)) {
      literal += escaped;
      at += 2;
    } else {
      return { set: null, prefix: pattern.includes('|') || isWrapped ? '' : prefixBefore(literal, character) };
    }
  }
  return { set: [...new Set([...parts, literal])], prefix: '' };
}

/** A quantifier applies to the last character, which may then be absent. */
function prefixBefore(literal: string, sign: string): string {
  return QUANTIFIERS.includes(sign) ? literal.replace(/.$/su, '') : literal;
}
