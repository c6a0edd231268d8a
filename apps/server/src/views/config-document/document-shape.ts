import { CST, Lexer, type LineCounter } from 'yaml';
import { type DocumentProblem } from './config-document.types.js';

export const MAX_OBJECTS = 2000;
/**
 * Maximum number of values in a document, including keys and empty ones, and of indicators between them; also the
 * maximum number of values if each use of an anchor counts with all its values. The objects that the library creates
 * use hundreds of times the memory of the text.
 */
export const MAX_VALUES = 150_000;
export const TOO_MANY_VALUES = `a document has at most ${MAX_VALUES.toLocaleString('en')} values and signs between them, those that aliases stand for included`;
/** Maximum depth: no valid object is nested deeper, and recursive readers must not go further. */
const DEEPEST = 12;
/** Maximum indentation, columns: nested blocks add at most two levels per column. */
const MAX_INDENTED = 200;
/** Maximum number of unmatched closing brackets: the library would report each as a problem. */
const MAX_STRAYS = 20;
/**
 * Tokens that are neither a value nor an indicator between values; the text of a value follows its start as a part
 * without a type.
 */
const NO_VALUES: ReadonlySet<string | null> = new Set([
  null,
  'space',
  'newline',
  'comment',
  'byte-order-mark',
  'doc-mode',
  'flow-error-end',
]);
/** Indicators that start a key, a value or an item: each may nest the following text one level deeper. */
const NESTING: ReadonlySet<string | null> = new Set(['explicit-key-ind', 'map-value-ind', 'seq-item-ind']);
const COLLECTIONS: ReadonlySet<string> = new Set(['block-map', 'block-seq', 'flow-collection']);

export function tooManyObjects(line: number): DocumentProblem {
  return { line, code: 'too_many', message: `a document has at most ${String(MAX_OBJECTS)} objects` };
}

const tooDeep = (line: number): DocumentProblem => ({
  line,
  code: 'bad_format',
  message: 'this is nested too deeply',
});

/**
 * Finds texts that are too expensive for the library, in time proportional to their length: first by their characters,
 * because the lexer recurses on consecutive indicators, then by the tokens of the lexer.
 */
export function problemOfText(text: string): DocumentProblem | undefined {
  return tooDeepOrTooMany(text) ?? tooManyParts(text);
}

/**
 * Brackets, steps of indentation and consecutive indicators bound the nesting of a text; quoted texts may contain more
 * brackets than that, but not as many unclosed openings.
 */
function tooDeepOrTooMany(text: string): DocumentProblem | undefined {
  let open = 0;
  let separators = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const isSeparator = line.startsWith('---');
    if (isSeparator && ++separators > MAX_OBJECTS) return tooManyObjects(index + 1);
    for (const character of line) {
      if (character === '[' || character === '{') open++;
      if (character === ']' || character === '}') open = Math.max(0, open - 1);
      if (open > DEEPEST) return tooDeep(index + 1);
    }
    const content = line.trimStart();
    if (line.length - content.length > MAX_INDENTED) return tooDeep(index + 1);
    if (!content.startsWith('#') && longestRow(content) > DEEPEST) return tooDeep(index + 1);
  }
  return undefined;
}

/** Maximum number of indicators, tags and anchors that are separated only by blanks. */
function longestRow(line: string): number {
  let longest = 0;
  let row = 0;
  for (const token of line.split(/[ \t]/)) {
    if (token === '') continue;
    const isSign = token === '-' || token === '?' || token === ':';
    const isProperty = token.startsWith('&') || token.startsWith('!');
    row = isSign || isProperty ? row + 1 : 0;
    // Tags such as `!<x>` need no blanks between them.
    longest = Math.max(longest, row, token.split('!<').length - 1);
  }
  return longest;
}

/** Counts while the lexer splits the text, and stops at the first part that is too many or too deep. */
function tooManyParts(text: string): DocumentProblem | undefined {
  let parts = 0;
  let line = 1;
  let brackets = 0;
  /** Indicators since the last line or comma: an upper bound of the levels that they nest. */
  let signs = 0;
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token);
    if (!NO_VALUES.has(type) && ++parts > MAX_VALUES) return { line, code: 'too_many', message: TOO_MANY_VALUES };
    if (type === 'flow-map-start' || type === 'flow-seq-start') brackets++;
    if ((type === 'flow-map-end' || type === 'flow-seq-end') && --brackets < -MAX_STRAYS) {
      return { line, code: 'bad_format', message: 'too many brackets are closed that were not opened' };
    }
    if (type === 'comma' || type === 'doc-mode' || (type === 'newline' && brackets <= 0)) signs = 0;
    if (NESTING.has(type) && ++signs > DEEPEST) return tooDeep(line);
    for (let end = token.indexOf('\n'); end >= 0; end = token.indexOf('\n', end + 1)) line++;
  }
  return undefined;
}

interface Level {
  token: CST.Token;
  depth: number;
}

/**
 * Rejects tokens that must not be composed: keys that are lists, objects or aliases, which the library converts to text
 * again on each level above them, and more levels than any valid document has.
 */
export function problemOfTokens(document: CST.Token, lines: LineCounter): DocumentProblem | undefined {
  const left: Level[] = [{ token: document, depth: 0 }];
  for (let level = left.pop(); level !== undefined; level = left.pop()) {
    const { token, depth } = level;
    const line = (): number => lines.linePos(token.offset).line;
    if (token.type === 'document') {
      if (token.value) left.push({ token: token.value, depth });
    } else if ('items' in token) {
      if (depth >= DEEPEST) return tooDeep(line());
      for (const { key, value } of token.items) {
        if (key && (COLLECTIONS.has(key.type) || key.type === 'alias')) {
          const message = 'a key must be a string, not a list, object or alias';
          return { line: lines.linePos(key.offset).line, code: 'bad_format', message };
        }
        if (value) left.push({ token: value, depth: depth + 1 });
      }
    }
  }
  return undefined;
}
