import { IsEmail, IsIn, IsNotEmpty, IsString, Matches } from 'class-validator';
import { isComposable } from '#libs/contracts';
import { isTimezone } from '#libs/timezones';
import { COMMON_PASSWORDS } from './common-passwords.js';
import { type ParamKind, type ParamOptions } from './param-kind.js';
import { type ParamRule, predicate, rule, ruledKind } from './param-rule.js';
import { characters, holdsControlCharacters, normalised, TOO_MANY_MARKS } from './param-text.js';
import { Param } from './param.decorator.js';
import { UNQUOTED_EMAIL } from './plain-email.js';

export interface TextBounds {
  /** Length in characters. With `min: 0` an empty text is a value. */
  min?: number;
  max?: number;
  pattern?: RegExp;
  /** The problem of a text that does not match the pattern: "must look like HH:MM". */
  says?: string;
  /** Line feeds are allowed. */
  multiline?: boolean;
}

/** Text, trimmed and normalised. 1 to 255 characters unless specified otherwise. */
export const StrParam = (options: ParamOptions<string> & TextBounds = {}): PropertyDecorator =>
  Param(strKind(options), options);

export function strKind(bounds: TextBounds = {}): ParamKind<string> {
  const { min = 1, max = 255, pattern, multiline } = bounds;
  return ruledKind({
    schema: () => ({
      type: 'string',
      minLength: min,
      maxLength: max,
      ...(pattern === undefined ? {} : { pattern: pattern.source }),
    }),
    ...(min === 0 ? { cleared: '' } : {}),
    toValue: toText(multiline),
    rules: textRules(bounds),
  });
}

/** JSON has a type for texts: a number is refused, because its digits could differ from those that were sent. */
function toText(multiline = false): (raw: unknown) => unknown {
  return (raw) => (typeof raw === 'string' ? normalised(raw, multiline) : raw);
}

function textRules({ min = 1, max = 255, pattern, says, multiline }: TextBounds): ParamRule[] {
  const rules = [...plainTextRules(multiline)];
  if (min > 0) rules.push(rule('required', 'must not be empty', IsNotEmpty));
  if (min > 1) rules.push(rule('too_short', `must have at least ${String(min)} characters`, hasCharacters('min', min)));
  rules.push(rule('too_long', `must have at most ${String(max)} characters`, hasCharacters('max', max)));
  if (pattern !== undefined) {
    const sentence = says ?? `must match ${pattern.source}`;
    rules.push(rule('bad_format', sentence, (options) => Matches(pattern, options)));
  }
  return rules;
}

function plainTextRules(multiline = false): ParamRule[] {
  return [
    rule('bad_format', 'must be a string', IsString),
    rule(
      'bad_format',
      'must not contain control characters or single surrogates',
      predicate('hasNoControlCharacters', (text) => !holdsControlCharacters(String(text), multiline)),
    ),
    rule(
      'bad_format',
      TOO_MANY_MARKS,
      predicate('isComposable', (text) => isComposable(String(text))),
    ),
  ];
}

/**
 * Replaces `@MinLength` and `@MaxLength`, which count a character and its variation selector as one: the columns, the
 * API description (JSON Schema) and so this API count code points.
 */
function hasCharacters(side: 'min' | 'max', bound: number): ParamRule {
  const fits = (length: number): boolean => (side === 'min' ? length >= bound : length <= bound);
  return predicate(`${side}Characters`, (text) => fits(characters(String(text))), bound);
}

/** One of a few words. */
export const EnumParam = <T extends string>(values: readonly T[], options: ParamOptions<T> = {}): PropertyDecorator =>
  Param(enumKind(values), options);

export function enumKind<T extends string>(values: readonly T[]): ParamKind<T> {
  return ruledKind({
    schema: () => ({ type: 'string', enum: [...values] }),
    toValue: (raw) => (typeof raw === 'string' ? raw.trim() : raw),
    rules: [rule('not_one_of', `must be one of ${values.join(', ')}`, (options) => IsIn(values, options))],
  });
}

const MAX_EMAIL_CHARACTERS = 254;
const NO_EMAIL = ['bad_format', 'must be an e-mail address'] as const;
export const EMAIL_KIND = ruledKind<string>({
  schema: () => ({ type: 'string', format: 'email', maxLength: MAX_EMAIL_CHARACTERS }),
  toValue: toText(),
  rules: [
    ...textRules({ max: MAX_EMAIL_CHARACTERS }),
    rule(...NO_EMAIL, (options) => IsEmail({}, options)),
    rule(...NO_EMAIL, (options) => Matches(UNQUOTED_EMAIL, options)),
  ],
});

/** E-mail address as typed; compare it ignoring case. */
export const EmailParam = (options: ParamOptions<string> = {}): PropertyDecorator => Param(EMAIL_KIND, options);

/** Name of a time zone that GET /misc/timezones lists. */
export const TimezoneParam = (options: ParamOptions<string> = {}): PropertyDecorator => Param(timezoneKind(), options);

/** `@IsTimeZone` also accepts other spellings and offsets, which are not in the list. */
const timezoneKind = (): ParamKind<string> =>
  ruledKind({
    schema: () => ({ type: 'string', example: 'Europe/Oslo' }),
    toValue: toText(),
    rules: [
      ...plainTextRules(),
      rule(
        'unknown_timezone',
        'must be a time zone of GET /misc/timezones',
        predicate('isTimezone', (name) => isTimezone(String(name))),
      ),
    ],
  });

const CHOSEN_PASSWORD = { min: 12, max: 200 };
const CHOSEN = ruledKind<string>({
  schema: () => ({
    type: 'string',
    format: 'password',
    minLength: CHOSEN_PASSWORD.min,
    maxLength: CHOSEN_PASSWORD.max,
  }),
  toValue: toText(),
  rules: [
    ...textRules(CHOSEN_PASSWORD),
    rule(
      'weak_password',
      'is on the list of common passwords',
      predicate('isUncommonPassword', (text) => !COMMON_PASSWORDS.has(String(text).toLowerCase())),
    ),
  ],
});

/** A new password: 12 to 200 characters, not a common one; in the body only. */
export const PasswordParam = (options: ParamOptions<string> = {}): PropertyDecorator =>
  Param(CHOSEN, { ...options, bodyOnly: true });

/** A password to prove identity: any text up to 200 characters; in the body only. */
export const GivenPasswordParam = (options: ParamOptions<string> = {}): PropertyDecorator =>
  Param(
    { ...strKind({ max: 200 }), schema: () => ({ type: 'string', format: 'password', maxLength: 200 }) },
    { ...options, bodyOnly: true },
  );
