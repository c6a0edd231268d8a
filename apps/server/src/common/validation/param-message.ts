import { quoted } from '#libs/protocols';
import { type DetailCode } from '#libs/contracts';
import { type ParamFault } from './param-kind.js';
import { isSecretParameter } from './param-registry.js';
import { characters } from './param-text.js';

/**
 * Tokens and signing secrets of this service, session ids, and a login before a host: secrets wherever they are sent by
 * mistake.
 */
const SECRET_TEXT = /pl_[\w-]{8,}|whsec_|\b[0-9a-f]{32}\b|:[^\s@/:]{1,80}@/i;
/** Enough for a secret that begins within the shown characters; longer texts must not cost more. */
const SEARCHED_CHARACTERS = 160;

/** Problems in which the value itself is not wrong, or which already describe it. */
const WITHOUT_VALUE: ReadonlySet<DetailCode> = new Set<DetailCode>([
  'required',
  'unknown_parameter',
  'read_only',
  'bad_chip',
  'too_broad',
  'weak_password',
]);

/** The sentence about a problem: the parameter, the rule, and the given value unless it may be a secret. */
export function messageOfFault({ path, code, says, given, remark }: ParamFault): string {
  const shown = WITHOUT_VALUE.has(code) ? null : shownValue(path, given);
  const got = shown === null ? '' : `, got ${withLength(code, shown, given)}`;
  return `${path} ${says}${got}${remark ?? ''}`;
}

/**
 * The value of a parameter for a message: a text in quotes and at most 40 characters of it. Null if there is none, or
 * if it may be a secret: by the name of the parameter or of one that contains it, or by its own form. Of an address
 * only the scheme and the host are shown, because the rest may be a key.
 */
export function shownValue(path: string, value: unknown): string | null {
  if (value === undefined || path.split('.').some(isSecretParameter)) return null;
  if (typeof value === 'string') return shownText(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return JSON.stringify(value);
}

/** The value of a parameter at the end of a message that a service writes itself: `, got "x"`, or nothing. */
export function givenText(path: string, value: unknown): string {
  const shown = shownValue(path, value);
  return shown === null ? '' : `, got ${shown}`;
}

/** A text of a path for a message about something that does not exist. */
export const shownName = (text: unknown): string => shownValue('', text) ?? '[hidden]';

function shownText(text: string): string | null {
  const beginning = text.slice(0, SEARCHED_CHARACTERS);
  if (beginning.includes('://')) {
    const origin = URL.canParse(text) ? new URL(text).origin : 'null';
    return origin === 'null' ? null : quoted(`${origin}/…`);
  }
  return SECRET_TEXT.test(beginning) ? null : quoted(text);
}

function withLength(code: DetailCode, shown: string, given: unknown): string {
  if (Array.isArray(given) && (code === 'too_many' || code === 'too_few')) return String(given.length);
  const isLengthWrong = (code === 'too_long' || code === 'too_short') && typeof given === 'string';
  return isLengthWrong ? `${String(characters(given))}: ${shown}` : shown;
}
