import { getMetadataStorage, IsUppercase, maxLength, ValidationTypes } from 'class-validator';
import { ValidationFailedError } from '../errors/app-error.js';
import { type ParamContext, type ParamKind, ParamProblem } from './param-kind.js';
import { type ParamsClass } from './param-registry.js';
import {
  EmailParam,
  EnumParam,
  enumKind,
  intKind,
  IntParam,
  listKind,
  ListParam,
  NumParam,
  objectKind,
  ObjectListParam,
  ObjectParam,
  Param,
  PasswordParam,
  strKind,
  StrParam,
  TimestampParam,
} from './param.decorators.js';
import { readParameters } from './params.pipe.js';

const NOW = 1_760_000_000;
const WRITE: ParamContext = { now: NOW, write: true, refuseUnknown: true };

/** `message (code)` of every problem, empty without any. */
function problems(type: ParamsClass, body: object, context = WRITE): string[] {
  try {
    readParameters({ type, query: {}, body, form: false }, context);
    return [];
  } catch (error) {
    if (!(error instanceof ValidationFailedError)) throw error;
    return error.details.map(({ message, code }) => `${message} (${code})`);
  }
}

/** The bounds of a rule, without options that are undefined. */
const isBound = (constraint: unknown): boolean =>
  ['number', 'string'].includes(typeof constraint) || Array.isArray(constraint) || constraint instanceof RegExp;

/** Names of the rules that class-validator has for a field, with their constraints; `[each]` for those of items. */
function rulesOf(type: ParamsClass, field: string): string[] {
  const storage = getMetadataStorage();
  return storage
    .getTargetValidationMetadatas(type, '', false, false)
    .filter(
      ({ propertyName, type: ofType }) => propertyName === field && ofType !== ValidationTypes.CONDITIONAL_VALIDATION,
    )
    .map(({ constraintCls, type: ofType, constraints, each }) => {
      const name = storage.getTargetValidatorConstraints(constraintCls)[0]?.name ?? ofType;
      const bounds = ((constraints as unknown[] | undefined) ?? []).filter(isBound).map(String);
      return `${name}${bounds.length > 0 ? `(${bounds.join(' ')})` : ''}${each ? ' [each]' : ''}`;
    });
}

class Member {
  @IntParam({ min: 1, required: true }) n!: number;
}
/** A kind of its own that builds on another one. */
const EVEN: ParamKind<number> = {
  schema: () => ({ type: 'integer' }),
  convert: (raw, context) => {
    const value = intKind({ min: 0 }).convert(raw, context);
    if (value instanceof ParamProblem || value % 2 === 0) return value;
    return ParamProblem.of('bad_format', 'must be even');
  },
};
class Ruled {
  @IntParam({ min: 1, max: 9 }) count?: number;
  @NumParam() any?: number;
  @NumParam({ max: 1 }) share?: number;
  @StrParam({ min: 2, max: 5, pattern: /^[a-z]+$/ }) word?: string;
  @EnumParam(['a', 'b']) letter?: string;
  @EmailParam() email?: string;
  @PasswordParam() password?: string;
  @TimestampParam() at?: number;
  @ListParam(intKind({ min: 1, max: 5 }), { minItems: 1, maxItems: 3 }) ids?: number[];
  @ListParam(enumKind(['a', 'b'])) letters?: string[];
  @ObjectParam(() => Member) member?: Member;
  @ObjectListParam(() => Member, { minItems: 2 }) members?: Member[];
  @Param(EVEN) even?: number;
  @IsUppercase({ context: { code: 'mismatch' } }) @StrParam({ max: 5 }) upper?: string;
}

describe('the rules of parameters', () => {
  it.each([
    ['count', ['isDefined', 'isInt', 'min(1)', 'max(9)']],
    ['any', ['isDefined', 'isNumber']],
    [
      'word',
      [
        'isDefined',
        'isString',
        'hasNoControlCharacters',
        'isComposable',
        'isNotEmpty',
        'minCharacters(2)',
        'maxCharacters(5)',
        'matches(/^[a-z]+$/)',
      ],
    ],
    ['share', ['isDefined', 'isNumber', 'max(1)']],
    ['letter', ['isDefined', 'isIn(a,b)']],
    [
      'email',
      [
        'isDefined',
        'isString',
        'hasNoControlCharacters',
        'isComposable',
        'isNotEmpty',
        'maxCharacters(254)',
        'isEmail',
        'matches(/^[^\\s<>,;"\\\\]*$/)',
      ],
    ],
    ['at', ['isDefined', 'isInt', 'min(946684800)', 'isNotAhead']],
    [
      'ids',
      ['isDefined', 'isArray', 'arrayMaxSize(3)', 'isInt [each]', 'min(1) [each]', 'max(5) [each]', 'arrayMinSize(1)'],
    ],
    ['letters', ['isDefined', 'isArray', 'arrayMaxSize(1000)', 'isIn(a,b) [each]']],
    ['member', ['isDefined', 'isObject', 'nestedValidation']],
    [
      'members',
      ['isDefined', 'isArray', 'arrayMaxSize(1000)', 'isObject [each]', 'nestedValidation [each]', 'arrayMinSize(2)'],
    ],
    ['even', ['isDefined', 'isConverted']],
  ])('of %s are those of class-validator: %j', (field, expected) => {
    expect(rulesOf(Ruled, field)).toEqual(expected);
  });

  it.each<[object, string[]]>([
    [{ count: 'x' }, ['count must be an integer, got "x" (not_integer)']],
    [{ count: 0 }, ['count must be 1 to 9, got 0 (out_of_range)']],
    [{ count: null }, ['count must not be empty (required)']],
    [{ word: 5 }, ['word must be a string, got 5 (bad_format)']],
    [{ word: 'a' }, ['word must have at least 2 characters, got 1: "a" (too_short)']],
    [{ word: 'UP' }, ['word must match ^[a-z]+$, got "UP" (bad_format)']],
    [{ word: '\u0007' }, ['word must not contain control characters or single surrogates, got "\\u0007" (bad_format)']],
    [
      { word: '$value $property $constraint1' },
      ['word must have at most 5 characters, got 29: "$value $property $constraint1" (too_long)'],
    ],
    [
      { at: NOW + 61 },
      [`at must be Unix seconds from 946684800 to ${String(NOW + 60)}, got ${String(NOW + 61)} (out_of_range)`],
    ],
    [
      { at: NOW * 1000 },
      [
        `at must be Unix seconds, not milliseconds, from 946684800 to ${String(NOW + 60)}, got ${String(NOW * 1000)} (out_of_range)`,
      ],
    ],
    [
      { at: '2026-11-29T08:00:00Z' },
      ['at must be Unix seconds as an integer, got "2026-11-29T08:00:00Z" (not_integer)'],
    ],
    [{ ids: '1,x' }, ['ids must be an integer, got "x" (item 2) (not_integer)']],
    [{ ids: '0,1,x' }, ['ids must be 1 to 5, got 0 (item 1 and 1 more) (out_of_range)']],
    // Items are counted as sent, including repeated ones.
    [{ letters: ['a', 'a', 'x', 'x'] }, ['letters must be one of a, b, got "x" (item 3 and 1 more) (not_one_of)']],
    [{ ids: [1, 1, 1, 1] }, ['ids must have at most 3 items, got 4 (too_many)']],
    [
      { member: { n: 'x', more: 1, constructor: 1, toString: 1 } },
      [
        'member.more is not a parameter of this call (unknown_parameter)',
        'member.constructor is not a parameter of this call (unknown_parameter)',
        'member.toString is not a parameter of this call (unknown_parameter)',
        'member.n must be an integer, got "x" (not_integer)',
      ],
    ],
    [{ members: 'a' }, ['members must be a list of objects, got "a" (not_list)']],
    [{ members: {} }, ['members must be a list, got an object (not_list)']],
    [{ members: [{ n: 1 }] }, ['members must have at least 2 items, got 1 (too_few)']],
    [{ members: [{}] }, ['members.0.n is required (required)']],
    [
      { members: [{ n: 0 }, 5] },
      [
        'members must be an object, got 5 (item 2) (not_object)',
        'members.0.n must be at least 1, got 0 (out_of_range)',
      ],
    ],
    [{ share: 2 }, ['share must be at most 1, got 2 (out_of_range)']],
    [{ even: 'x' }, ['even must be an integer, got "x" (not_integer)']],
    [{ even: 3 }, ['even must be even, got 3 (bad_format)']],
    [{ upper: 'low' }, ['upper must be uppercase, got "low" (mismatch)']],
    [{ upper: 'too long' }, ['upper must have at most 5 characters, got 8: "too long" (too_long)']],
  ])('%j: %j', (body, expected) => {
    expect(problems(Ruled, body)).toEqual(expected);
  });

  it('are checked in order: a text that is too long is not matched against a pattern', () => {
    const asked: string[] = [];
    const pattern = /^x/;
    pattern[Symbol.match] = (text: string) => {
      asked.push(text);
      return /^x/.exec(text);
    };
    class Patterned {
      @StrParam({ max: 3, pattern }) word?: string;
    }
    expect(problems(Patterned, { word: 'xxxx' })).toEqual([
      'word must have at most 3 characters, got 4: "xxxx" (too_long)',
    ]);
    expect(problems(Patterned, { word: 'xx' })).toEqual([]);
    expect(asked).toEqual(['xx']);
  });

  it('count code points like columns and JSON Schema; @MaxLength does not count variation selectors', () => {
    const hearts = '\u2764\ufe0f'.repeat(3);
    expect(maxLength(hearts, 5)).toBe(true);
    expect(problems(Ruled, { word: hearts })).toEqual([
      `word must have at most 5 characters, got 6: "${hearts}" (too_long)`,
    ]);
  });

  it('do not apply to a default, nor to an empty text with min 0', () => {
    class Lenient {
      @IntParam({ min: 1, default: 0 }) count!: number;
      @StrParam({ min: 0, pattern: /^x$/ }) word?: string;
    }
    expect(problems(Lenient, { word: '' })).toEqual([]);
    expect(problems(Lenient, { word: 'y' })).toEqual(['word must match ^x$, got "y" (bad_format)']);
  });

  it('do not apply to a copied kind with its own conversion', () => {
    class Copied {
      @Param({ ...strKind({ max: 1 }), convert: () => 'converted' }) word?: string;
    }
    expect(readParameters({ type: Copied, query: {}, body: { word: 'long' }, form: false }, WRITE)).toEqual({
      word: 'converted',
    });
  });

  it('apply to a kind without a class, for kinds that build on others', () => {
    expect(listKind(intKind({ min: 1 })).convert('2,1,2', WRITE)).toEqual([2, 1]);
    expect(objectKind(() => Member).convert({ n: '3' }, WRITE)).toEqual({ n: 3 });
    expect(objectKind(() => Member).convert({ n: 0 }, WRITE)).toEqual(
      new ParamProblem([{ path: 'n', code: 'out_of_range', says: 'must be at least 1', given: 0 }]),
    );
  });
});

describe('the given value in a message', () => {
  class Secrets {
    @IntParam() api_key?: number;
    @EnumParam(['a']) webhook_target?: string;
  }
  class Values {
    @EnumParam(['a', 'b']) letter?: string;
    @IntParam({ isSecret: true }) pin?: number;
    @PasswordParam() password?: string;
    @ListParam(enumKind(['a']), { isSecret: true }) pins?: string[];
    @ObjectParam(() => Secrets) settings?: Secrets;
    @ObjectParam(() => Member) token?: Member;
  }

  it.each<[object, string]>([
    [{ letter: 'x'.repeat(50) }, `letter must be one of a, b, got "${'x'.repeat(40)}…"`],
    [{ letter: 'a "quote"' }, 'letter must be one of a, b, got "a \\"quote\\""'],
    [{ letter: true }, 'letter must be one of a, b, got true'],
    [{ letter: {} }, 'letter must be one of a, b, got an object'],
  ])('is shown: %j', (body, message) => {
    expect(problems(Values, body)).toEqual([`${message} (not_one_of)`]);
  });

  it.each<[string, object, string]>([
    ['marked as a secret', { pin: 'hunter2' }, 'pin must be an integer (not_integer)'],
    ['marked as a secret, in a list', { pins: ['hunter2'] }, 'pins must be one of a (item 1) (not_one_of)'],
    ['that is a password', { password: 'hunter2' }, 'password must have at least 12 characters (too_short)'],
    ['named as a secret', { settings: { api_key: 'hunter2' } }, 'settings.api_key must be an integer (not_integer)'],
    [
      'named as a webhook',
      { settings: { webhook_target: 'x' } },
      'settings.webhook_target must be one of a (not_one_of)',
    ],
    ['inside one named as a secret', { token: { n: 'hunter2' } }, 'token.n must be an integer (not_integer)'],
  ])('is not shown of a parameter %s', (_, body, message) => {
    expect(problems(Values, body)).toEqual([message]);
  });

  it.each([
    ['a token', 'pl_0123456789abcdef'],
    ['a session id', '0f9c2b7e5d1a4c3e8b6f7a9d2c1e4f50'],
    ['a signing secret', 'whsec_c2VjcmV0'],
    ['a login before a host', 'ann:hunter2@mail.example.org'],
    ['an address with a login but without a host', 'postgres://ann:hunter2@db/metrics'],
  ])('is not shown if it looks like %s, whatever the parameter', (_, letter) => {
    expect(problems(Values, { letter })).toEqual(['letter must be one of a, b (not_one_of)']);
  });

  it('is only the origin of an address: the rest may be a key', () => {
    expect(problems(Values, { letter: 'https://ann:pw@hooks.example.org/services/T1/B2/x' })).toEqual([
      'letter must be one of a, b, got "https://hooks.example.org/…" (not_one_of)',
    ]);
  });
});
