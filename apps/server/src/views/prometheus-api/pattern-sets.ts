/** Facts about the texts that match a pattern, as far as they are known without running it. */
export interface PatternFacts {
  /** All texts that match; null: they are not a short list. */
  set: readonly string[] | null;
  /** Common prefix of all matching texts. */
  prefix: string;
}

/** As many values as a dashboard may have chosen in a list. */
const MAX_SET = 1000;

/** Characters that are literal in every position. */
const PLAIN = /^[\p{L}\p{N}_ \-/:=%@#~&<>,;'"!]$/u;
const QUANTIFIERS = '*?{+';

/**
 * Finds conditions that a database can look up: a list of texts (`a|b`, `(a|b)`, with escaped signs, as dashboards
 * write chosen values), or else a beginning (`http_.*`). Both are exact; other patterns give neither.
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

/** A quantifier belongs to the last character, which then need not be there. */
function prefixBefore(literal: string, sign: string): string {
  return QUANTIFIERS.includes(sign) ? literal.replace(/.$/su, '') : literal;
}
