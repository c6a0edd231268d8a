import { ChipsParam } from '../../data/chips/chips-param.decorators.js';
import { ValidationFailedError } from '../errors/app-error.js';
import { MetricParam } from '../../data/metric-ref/metric-ref.decorators.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { type Chip } from '../../data/chips/chips.js';
import { type ParamContext, type ParamKind } from './param-kind.js';
import { Check, exactlyOne, type ParamsClass, repeats } from './param-registry.js';
import {
  BoolParam,
  EmailParam,
  EnumParam,
  enumKind,
  FutureTimestampParam,
  GivenPasswordParam,
  IntParam,
  intKind,
  JsonObjectParam,
  listKind,
  ListParam,
  NumParam,
  objectKind,
  ObjectListParam,
  ObjectParam,
  Param,
  PasswordParam,
  StrParam,
  strKind,
  TimestampParam,
  TimezoneParam,
} from './param.decorators.js';
import { readParameters } from './params.pipe.js';

const NOW = 1_760_000_000;
const FETCH: ParamContext = { now: NOW, write: false, refuseUnknown: false };
const WRITE: ParamContext = { now: NOW, write: true, refuseUnknown: true };

interface Sent {
  query?: Record<string, unknown>;
  body?: unknown;
  form?: boolean;
}

function read<T extends object>(type: ParamsClass<T>, sent: Sent, context = FETCH): T {
  return readParameters({ type, query: sent.query ?? {}, body: sent.body, form: sent.form ?? false }, context);
}

/** `field code` of every problem, empty without any. */
function problems(type: ParamsClass, sent: Sent, context = FETCH): string[] {
  try {
    read(type, sent, context);
    return [];
  } catch (error) {
    if (!(error instanceof ValidationFailedError)) throw error;
    return error.details.map((detail) => `${detail.field} ${detail.code}`);
  }
}

class Flags {
  @BoolParam({ default: false }) read!: boolean;
  @BoolParam({ default: false }) write!: boolean;
}
class Item {
  @StrParam({ required: true, max: 3 }) key!: string;
  @IntParam({ default: 1 }) n!: number;
}
/** The members that are set, or a list of their names. */
const EITHER: ParamKind<unknown> = {
  shape: 'list or object',
  schema: () => ({}),
  convert: (raw, context) =>
    (typeof raw === 'string' ? listKind(strKind()) : objectKind(() => Flags)).convert(raw, context),
};
class Everything {
  @IntParam({ min: 1, max: 10, default: 5 }) count!: number;
  @NumParam({ min: 0, max: 1 }) score?: number;
  @NumParam() any?: number;
  @StrParam({ max: 5, nullable: true }) title?: string | null;
  @StrParam({ min: 0, max: 5, default: '' }) label!: string;
  @StrParam({ max: 20, multiline: true }) note?: string;
  @StrParam({ pattern: /^\d\d:\d\d$/, says: 'must look like HH:MM' }) start?: string;
  @BoolParam() on?: boolean;
  @EnumParam(['newest', 'oldest'], { default: 'newest' }) order!: 'newest' | 'oldest';
  @ListParam(enumKind(['a', 'b', 'c']), { default: ['a'] }) kinds!: string[];
  @ListParam(intKind({ min: 1 }), { maxItems: 3 }) ids?: number[];
  @ListParam(strKind({ max: 4 }), { minItems: 1 }) names?: string[];
  @TimestampParam() timestamp?: number;
  @FutureTimestampParam() ends?: number;
  @TimezoneParam() timezone?: string;
  @EmailParam() email?: string;
  @PasswordParam() password?: string;
  @GivenPasswordParam() old_password?: string;
  @ObjectParam(() => Flags) permissions?: Flags;
  @Param(EITHER) either?: unknown;
  @ObjectListParam(() => Item, { maxItems: 2 }) items?: Item[];
  @JsonObjectParam() free?: Record<string, unknown>;
  @ChipsParam() chips?: Chip[];
  @ChipsParam({ broadCheck: true }) narrow?: Chip[];
  @MetricParam() metric?: MetricRef;
}

describe('readParameters', () => {
  it.each([
    [{ count: '7' }, { count: 7 }],
    [{ count: ' 7 ' }, { count: 7 }],
    [{ any: '1e3' }, { any: 1000 }],
    [{ any: '-.5' }, { any: -0.5 }],
    [{ any: '-0' }, { any: 0 }],
    [{ title: '  héj ' }, { title: 'héj' }],
    [{ title: 'e\u0301' }, { title: 'é' }],
    [{ title: '5' }, { title: '5' }],
    [{ note: 'a\r\nb' }, { note: 'a\nb' }],
    [{ on: 'true' }, { on: true }],
    [{ on: '0' }, { on: false }],
    [{ on: 'false' }, { on: false }],
    [{ order: 'oldest' }, { order: 'oldest' }],
    [{ kinds: 'b, c,b' }, { kinds: ['b', 'c'] }],
    [{ kinds: ['b', 'c'] }, { kinds: ['b', 'c'] }],
    [{ 'kinds[]': ['b', 'c'] }, { kinds: ['b', 'c'] }],
    [{ kinds: [] }, { kinds: ['a'] }],
    [{ kinds: 'b', 'kinds[]': 'c' }, { kinds: ['b', 'c'] }],
    [{ ids: '1,2' }, { ids: [1, 2] }],
    [{ names: '"a,b",c' }, { names: ['a,b', 'c'] }],
    [{ timestamp: String(NOW + 60) }, { timestamp: NOW + 60 }],
    [{ ends: '4000000000' }, { ends: 4_000_000_000 }],
    [{ timezone: 'Europe/Oslo' }, { timezone: 'Europe/Oslo' }],
    [{ timezone: 'UTC' }, { timezone: 'UTC' }],
    [{ timezone: 'Asia/Kolkata' }, { timezone: 'Asia/Kolkata' }],
    [{ email: 'Ann@Example.org' }, { email: 'Ann@Example.org' }],
    [{ 'permissions.read': 'true' }, { permissions: { read: true, write: false } }],
    [{ either: ['a', 'b'] }, { either: ['a', 'b'] }],
    [{ either: 'a', 'either[]': ['b', 'c'] }, { either: ['a', 'b', 'c'] }],
    [{ 'either.read': '1' }, { either: { read: true, write: false } }],
    [{ metric: 'id:12' }, { metric: { id: 12 } }],
    [{ metric: 'a{z="1", b="2"}' }, { metric: { name: 'a{b="2",z="1"}' } }],
    [{ count: '' }, { count: 5 }],
    [{ title: ' ' }, {}],
    [{ count: ['7', '7'] }, { count: 7 }],
    [{ nobody: 'asked' }, {}],
    [{ session_id: 'x' }, {}],
  ])('reads %j in a query', (query, expected) => {
    expect(read(Everything, { query })).toEqual({
      count: 5,
      label: '',
      order: 'newest',
      kinds: ['a'],
      ...expected,
    });
  });

  it.each([
    [{ count: 7 }, { count: 7 }],
    [{ count: '7' }, { count: 7 }],
    [{ any: 2.5 }, { any: 2.5 }],
    [{ on: true }, { on: true }],
    [{ kinds: 'b,c' }, { kinds: ['b', 'c'] }],
    [{ kinds: [] }, { kinds: [] }],
    [{ kinds: '' }, { kinds: [] }],
    [{ ids: [1, '2'] }, { ids: [1, 2] }],
    [{ names: ['a,b'] }, { names: ['a,b'] }],
    [{ title: null }, { title: null }],
    [{ title: '' }, { title: null }],
    [{ label: '' }, { label: '' }],
    [{ label: null }, { label: '' }],
    [{ permissions: { read: true } }, { permissions: { read: true, write: false } }],
    [
      { items: [{ key: 'a' }, { key: 'b', n: 2 }] },
      {
        items: [
          { key: 'a', n: 1 },
          { key: 'b', n: 2 },
        ],
      },
    ],
    [{ free: { any: [1] } }, { free: { any: [1] } }],
    [{ password: 'a long enough one' }, { password: 'a long enough one' }],
    [{ old_password: 'short' }, { old_password: 'short' }],
    [{ data: { token: 'pl_x', count: 3 }, status: 'ignored' }, { count: 3 }],
  ])('reads %j in a JSON body of a write', (body, expected) => {
    expect(read(Everything, { body }, WRITE)).toEqual({
      count: 5,
      label: '',
      order: 'newest',
      kinds: ['a'],
      ...expected,
    });
  });

  it('returns nested objects as instances of their class', () => {
    expect(read(Everything, { body: { permissions: {} } }, WRITE).permissions).toBeInstanceOf(Flags);
  });

  it('reads chips, one from each item of an array', () => {
    expect(read(Everything, { query: { chips: 'a,-b' } }).chips?.map((chip) => chip.text)).toEqual(['a', '-b']);
    expect(read(Everything, { query: { chips: ['a', '-b'] } }).chips).toHaveLength(2);
    expect(read(Everything, { body: { chips: ['a,b'] } }).chips).toHaveLength(1);
  });
});

describe('an invalid parameter', () => {
  it.each([
    [{ count: '1.5' }, 'count not_integer'],
    [{ count: 'x' }, 'count not_integer'],
    [{ count: '0x5' }, 'count not_integer'],
    [{ count: '11' }, 'count out_of_range'],
    [{ count: '99999999999999999999' }, 'count out_of_range'],
    [{ count: true }, 'count not_integer'],
    [{ count: [5] }, 'count not_integer'],
    [{ score: '1.01' }, 'score out_of_range'],
    [{ any: 'NaN' }, 'any not_number'],
    [{ any: 'Infinity' }, 'any not_number'],
    [{ any: '1e999' }, 'any not_number'],
    [{ title: 'sixsix' }, 'title too_long'],
    [{ title: {} }, 'title bad_format'],
    [{ title: true }, 'title bad_format'],
    // JSON has a type for texts: a number converted to text might differ from what the sender meant.
    [{ title: 5 }, 'title bad_format'],
    [{ note: 5 }, 'note bad_format'],
    [{ start: 5 }, 'start bad_format'],
    [{ names: [5] }, 'names bad_format'],
    [{ names: 5 }, 'names bad_format'],
    [{ order: 5 }, 'order not_one_of'],
    [{ timezone: 5 }, 'timezone bad_format'],
    [{ email: 5 }, 'email bad_format'],
    [{ password: 123_456_789_012 }, 'password bad_format'],
    [{ old_password: 123_456 }, 'old_password bad_format'],
    [{ items: [{ key: 5 }] }, 'items.0.key bad_format'],
    [{ title: 'a\u0000' }, 'title bad_format'],
    [{ title: 'a\nb' }, 'title bad_format'],
    [{ title: 'a\ud800' }, 'title bad_format'],
    [{ note: '\udc00' }, 'note bad_format'],
    [{ note: 'a\tb' }, 'note bad_format'],
    [{ start: '9:00' }, 'start bad_format'],
    [{ on: 'yes' }, 'on not_boolean'],
    [{ on: 1 }, 'on not_boolean'],
    [{ order: 'NEWEST' }, 'order not_one_of'],
    [{ order: {} }, 'order not_one_of'],
    [{ kinds: 'a,x' }, 'kinds not_one_of'],
    [{ kinds: {} }, 'kinds not_list'],
    [{ ids: '1,x' }, 'ids not_integer'],
    [{ ids: [1, null] }, 'ids not_integer'],
    [{ ids: '1,2,3,4' }, 'ids too_many'],
    [{ names: [] }, 'names too_few'],
    [{ timestamp: String(NOW + 61) }, 'timestamp out_of_range'],
    [{ timestamp: '946684799' }, 'timestamp out_of_range'],
    [{ ends: '4102444801' }, 'ends out_of_range'],
    [{ timezone: 'Mars/Phobos' }, 'timezone unknown_timezone'],
    [{ email: 'ann@' }, 'email bad_format'],
    [{ email: `${'a'.repeat(250)}@b.org` }, 'email too_long'],
    [{ password: 'short' }, 'password too_short'],
    [{ password: 'x'.repeat(201) }, 'password too_long'],
    [{ password: 'PasswordPassword' }, 'password weak_password'],
    [{ permissions: 'read' }, 'permissions not_object'],
    [{ permissions: { read: 'maybe' } }, 'permissions.read not_boolean'],
    [{ items: [{ key: 'long' }] }, 'items.0.key too_long'],
    [{ items: [{}] }, 'items.0.key required'],
    [{ items: 'a' }, 'items not_list'],
    [{ items: [1] }, 'items not_object'],
    [{ free: [] }, 'free not_object'],
    [{ chips: '"open' }, 'chips bad_chip'],
    [{ chips: [1] }, 'chips not_list'],
    [{ chips: ['\ud800'] }, 'chips bad_chip'],
    [{ chips: '@owner:x' }, 'chips bad_chip'],
    [{ narrow: '*' }, 'narrow too_broad'],
    [{ metric: 'id:0' }, 'metric bad_format'],
    [{ metric: 'a b' }, 'metric bad_format'],
    [{ metric: 5 }, 'metric bad_format'],
  ])('%j: %s', (body, expected) => {
    expect(problems(Everything, { body }, WRITE)).toEqual([expected]);
  });

  it('is rejected in time proportional to its length', () => {
    expect(problems(Everything, { body: { any: `${'1'.repeat(100_000)}x` } })).toEqual(['any not_number']);
  });

  it('is reported together with all other problems', () => {
    expect(problems(Everything, { query: { count: 'x', on: 'x', password: 'short', kinds: 'x' } })).toEqual([
      'password body_only',
      'count not_integer',
      'on not_boolean',
      'kinds not_one_of',
    ]);
  });

  it('is reported with the position of a list item', () => {
    expect(() => read(Everything, { query: { kinds: 'a,x' } })).toThrow(
      expect.objectContaining({
        details: [{ field: 'kinds', code: 'not_one_of', message: 'kinds must be one of a, b, c, got "x" (item 2)' }],
      }),
    );
  });

  it('is reported in a sentence with its name', () => {
    expect(() => read(Everything, { query: { count: '11' } })).toThrow(
      expect.objectContaining({
        details: [{ field: 'count', code: 'out_of_range', message: 'count must be 1 to 10, got 11' }],
      }),
    );
  });
});

describe('query and body together', () => {
  it.each([
    [{ query: { count: '7' }, body: { count: 7 } }, []],
    [{ query: { count: '7' }, body: { count: 8 } }, ['count duplicate_parameter']],
    [{ query: { count: ['7', '8', '9'] } }, ['count duplicate_parameter']],
    [{ query: { kinds: 'a,b' }, body: { kinds: ['a', 'b'] } }, []],
    [{ query: { kinds: 'a' }, body: { kinds: ['b'] } }, ['kinds duplicate_parameter']],
    [{ query: { 'permissions.read': 'true' }, body: { permissions: { read: true } } }, []],
    [
      { query: { 'permissions.read': 'false' }, body: { permissions: { read: true } } },
      ['permissions.read duplicate_parameter'],
    ],
    [{ body: { count: '7', order: ['newest'] }, form: true }, []],
    [{ body: [] }, ['body not_object']],
    [{ body: 'text' }, ['body not_object']],
  ] as [Sent, string[]][])('%j have the problems %j', (sent, expected) => {
    expect(problems(Everything, sent, WRITE)).toEqual(expected);
  });

  it('are merged into one object from dotted names and members of the body', () => {
    const sent = { query: { 'permissions.read': '1' }, body: { permissions: { write: true } } };
    expect(read(Everything, sent, WRITE).permissions).toEqual({ read: true, write: true });
  });

  it('have unknown parameters reported on writes, also inside objects', () => {
    const body = { nobody: 1, 'count.x': 2, permissions: { asked: true }, 'permissions.for': 'it', session_id: 'x' };
    expect(problems(Everything, { body }, WRITE).sort()).toEqual([
      'count.x unknown_parameter',
      'nobody unknown_parameter',
      'permissions.asked unknown_parameter',
      'permissions.for unknown_parameter',
    ]);
    expect(problems(Everything, { body })).toEqual([]);
  });

  it('do not change prototypes through names such as __proto__ and constructor', () => {
    const body = JSON.parse(
      '{"constructor":{"x":1},"toString":"x","permissions":{"__proto__":{"read":true}},"free":{"constructor":"x"}}',
    ) as object;
    const params = read(Everything, { body, query: { '__proto__.read': 'true', 'permissions.__proto__.x': '1' } });
    expect(params.permissions).toEqual({ read: false, write: false });
    expect(params).not.toHaveProperty('read');
    expect(({} as { read?: boolean }).read).toBeUndefined();
  });

  it('have at most a hundred unknown parameters reported', () => {
    const body = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`x${String(i)}`, 1]));
    expect(problems(Everything, { body }, WRITE)).toHaveLength(100);
  });
});

@Check<Twice>(repeats('again', 'password'))
class Twice {
  @PasswordParam({ required: true }) password!: string;
  @GivenPasswordParam({ required: true }) again!: string;
}

describe('a repeated password', () => {
  it.each([
    [{ password: 'short', again: 'other' }, ['password too_short', 'again mismatch']],
    [{ password: 'short', again: 'short' }, ['password too_short']],
    [{ password: 'a long enough one', again: 'another long one' }, ['again mismatch']],
    [{ password: 'a long enough one' }, ['again required']],
    [{ password: 'a long enough one', again: 'a long enough one' }, []],
  ])('%j has the problems %j', (body, expected) => {
    expect(problems(Twice, { body }, WRITE)).toEqual(expected);
  });
});

class Base {
  @IntParam({ default: 1, max: 5 }) limit!: number;
  @StrParam() q?: string;
}
@Check<Required>(exactlyOne('q', 'other'))
@Check<Required>(({ limit = 0, other = '' }) =>
  limit > other.length ? [] : [{ field: 'limit', code: 'mismatch', message: 'limit must exceed the length of other' }],
)
class Required extends Base {
  @IntParam({ default: 20, max: 50 }) declare limit: number;
  @StrParam() other?: string;
  @StrParam({ required: true }) name!: string;
}

describe('a parameter class', () => {
  it('inherits fields, and replaces fields that it declares again', () => {
    expect(read(Required, { query: { q: 'x', name: 'n', limit: '40' } })).toEqual({ limit: 40, q: 'x', name: 'n' });
    expect(read(Base, {})).toEqual({ limit: 1 });
    expect(problems(Base, { query: { limit: '6' } })).toEqual(['limit out_of_range']);
  });

  it('reports rules over several parameters together with other problems', () => {
    expect(problems(Required, {})).toEqual(['name required', 'q exactly_one']);
    expect(problems(Required, { query: { q: 'x', other: 'y', name: 'n' } })).toEqual(['q exactly_one']);
    expect(problems(Required, { query: { other: 'yyyy', name: 'n', limit: '3' } })).toEqual(['limit mismatch']);
  });

  it('treats a parameter with a problem as given', () => {
    expect(problems(Required, { query: { q: 'x'.repeat(300), name: 'n' } })).toEqual(['q too_long']);
  });

  it('treats an empty value of a required parameter as missing', () => {
    expect(problems(Required, { query: { q: 'x', name: '' } })).toEqual(['name required']);
    expect(problems(Required, { body: { q: 'x', name: null } }, WRITE)).toEqual(['name required']);
    expect(problems(Base, { body: { q: '' } }, WRITE)).toEqual(['q required']);
  });
});
