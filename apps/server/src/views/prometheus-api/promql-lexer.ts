import { BadDataError } from './prometheus.errors.js';

export type TokenKind = 'word' | 'number' | 'duration' | 'string' | 'sign' | 'end';

export interface Token {
  kind: TokenKind;
  /** The value of a string, the source text of all others. */
  text: string;
  /** Number of preceding characters. */
  at: number;
}

/** Maximum length of a query; longer ones are refused unread. */
export const MAX_QUERY_CHARACTERS = 8192;

const SPACE = /[ \t\r\n]+|#[^\n]*/y;
/** Operators of two characters first. */
const SIGN = /==|!=|=~|!~|<=|>=|[{}()[\],:=<>+\-*/%^@]/y;
const DURATION = /(?:\d+(?:ms|[ywdhms]))+(?![\w.])/y;
const NUMBER = /0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_:]*|:[A-Za-z_:][A-Za-z0-9_:]*/y;

const ESCAPES: Readonly<Record<string, string | undefined>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};
/** Number of digits after `\x`, `\u` and `\U`. */
const HEX_DIGITS: Readonly<Record<string, number | undefined>> = { x: 2, u: 4, U: 8 };
const MAX_CODE_POINT = 0x10ffff;

/** The tokens of a query, the last one `end`. Linear in its length. @throws BadDataError */
export function tokensOf(query: string): Token[] {
  if (query.length > MAX_QUERY_CHARACTERS) {
    throw new BadDataError(`the query has more than ${String(MAX_QUERY_CHARACTERS)} characters`);
  }
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(query)?.[0];
  };
  while (at < query.length) {
    const space = take(SPACE);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    const quote = query[at]!;
    if (quote === '"' || quote === "'" || quote === '`') {
      const { value, end } = stringAt(query, at, quote);
      tokens.push({ kind: 'string', text: value, at });
      at = end;
      continue;
    }
    const token = tokenAt(take, at);
    if (!token) throw parseError(query, at, `unexpected character: ${JSON.stringify(quote)}`);
    tokens.push(token);
    at += token.text.length;
  }
  tokens.push({ kind: 'end', text: '', at });
  return tokens;
}

/** The message of Prometheus for a query that cannot be parsed: line and column, from 1. */
export function parseError(query: string, at: number, problem: string): BadDataError {
  const before = query.slice(0, at).split('\n');
  const place = `${String(before.length)}:${String(before.at(-1)!.length + 1)}`;
  return new BadDataError(`${place}: parse error: ${problem}`);
}

function tokenAt(take: (pattern: RegExp) => string | undefined, at: number): Token | undefined {
  for (const [kind, pattern] of [
    ['duration', DURATION],
    ['number', NUMBER],
    ['word', IDENTIFIER],
    ['sign', SIGN],
  ] as const) {
    const text = take(pattern);
    if (text !== undefined) return { kind, text, at };
  }
  return undefined;
}

/** Parses a string with the escapes of Go; between backquotes it is literal. */
function stringAt(query: string, start: number, quote: string): { value: string; end: number } {
  let value = '';
  let at = start + 1;
  for (;;) {
    const character = query[at];
    if (character === undefined || (character === '\n' && quote !== '`')) {
      throw parseError(query, start, 'unterminated quoted string');
    }
    if (character === quote) return { value, end: at + 1 };
    if (character !== '\\' || quote === '`') {
      value += character;
      at++;
      continue;
    }
    const [text, length] = escapeAt(query, at);
    value += text;
    at += length;
  }
}

/** The character of an escape, and the length of the escape. */
function escapeAt(query: string, at: number): [text: string, length: number] {
  const letter = query[at + 1] ?? '';
  const plain = ESCAPES[letter];
  if (plain !== undefined) return [plain, 2];
  const hexDigits = HEX_DIGITS[letter];
  const isOctal = letter >= '0' && letter <= '7';
  const digits = hexDigits === undefined ? query.slice(at + 1, at + 4) : query.slice(at + 2, at + 2 + hexDigits);
  const isRight = hexDigits === undefined ? isOctal && /^[0-7]{3}$/.test(digits) : isHex(digits, hexDigits);
  const code = isRight ? Number.parseInt(digits, hexDigits === undefined ? 8 : 16) : Number.NaN;
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  if (!(code <= MAX_CODE_POINT) || isSurrogate) throw parseError(query, at, 'unknown escape sequence');
  return [String.fromCodePoint(code), hexDigits === undefined ? 4 : 2 + hexDigits];
}

const isHex = (text: string, digits: number): boolean => text.length === digits && /^[0-9a-fA-F]+$/.test(text);
