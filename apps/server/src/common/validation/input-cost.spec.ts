import { jest } from '@jest/globals';
import { isComposable } from '#libs/contracts';
import { ChipsParam } from '../../data/chips/chips-param.decorators.js';
import { MetricParam } from '../../data/metric-ref/metric-ref.decorators.js';
import { ValidationFailedError } from '../errors/app-error.js';
import { MAX_CONTAINERS, refuseTooManyContainers } from '../http/body-parsing.js';
import { packedPairs } from '../http/large-body.js';
import { type ParamContext } from './param-kind.js';
import {
  BoolParam,
  EmailParam,
  EnumParam,
  IntParam,
  intKind,
  JsonObjectParam,
  ListParam,
  NumParam,
  ObjectListParam,
  ObjectParam,
  PasswordParam,
  StrParam,
  strKind,
  TimestampParam,
  TimezoneParam,
} from './param.decorators.js';
import { readParameters } from './params.pipe.js';
import { MAX_NAME_PARTS, MAX_NAMES } from './request-parameters.js';

const WRITE: ParamContext = { now: 1_760_000_000, write: true, refuseUnknown: true };

class Part {
  @StrParam() name?: string;
}

class Kinds {
  @IntParam() int?: number;
  @NumParam() num?: number;
  @BoolParam() bool?: boolean;
  @TimestampParam() timestamp?: number;
  @StrParam({ pattern: /^[a-z]+$/ }) str?: string;
  @StrParam({ max: 5000, multiline: true }) long?: string;
  @EnumParam(['a', 'b']) word?: string;
  @EmailParam() email?: string;
  @TimezoneParam() zone?: string;
  @PasswordParam() password?: string;
  @ListParam(strKind()) texts?: string[];
  @ListParam(intKind()) ints?: number[];
  @ObjectParam(() => Part) object?: Part;
  @ObjectListParam(() => Part) objects?: Part[];
  @JsonObjectParam() free?: Record<string, unknown>;
  @MetricParam() metric?: unknown;
  @ChipsParam() chips?: unknown;
}

const UNITS = [
  '9',
  '.',
  ' ',
  '\\',
  '"',
  '\\"',
  '[',
  '{',
  ',',
  '=',
  'a@',
  '*',
  'a.',
  '\u0301\u0316',
  '𝒜',
  '\n',
  '\ud800',
];

function problems(sent: { body?: unknown; query?: unknown }): string[] {
  try {
    readParameters({ type: Kinds, query: sent.query ?? {}, body: sent.body ?? {}, form: false }, WRITE);
    return [];
  } catch (error) {
    if (!(error instanceof ValidationFailedError)) throw error;
    return error.details.map(({ field, code }) => `${field} ${code}`);
  }
}

const compose = String.prototype.normalize;

describe('a long text', () => {
  it.each([
    'int',
    'num',
    'bool',
    'timestamp',
    'str',
    'long',
    'word',
    'email',
    'zone',
    'password',
    'texts',
    'ints',
    'object',
    'objects',
    'free',
    'metric',
    'chips',
  ])('is validated for the parameter %s in time proportional to its length', (name) => {
    let normalised = 0;
    const endless: string[] = [];
    const spy = jest.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string) {
      normalised += this.length;
      if (!isComposable(this)) endless.push(name);
      return compose.call(this, 'NFC');
    });
    try {
      for (const unit of UNITS) {
        const text = unit.repeat(100_000 / unit.length);
        normalised = 0;
        for (const sent of [text, `x${text}`, `${text}x`]) {
          const found = problems({ body: { [name]: sent } });
          expect(found.length).toBeLessThanOrEqual(1);
        }
        expect(normalised).toBeLessThan(10 * text.length);
      }
    } finally {
      spy.mockRestore();
    }
    expect(endless).toEqual([]);
  });
});

describe('names of parameters', () => {
  const dotted = (count: number): Record<string, number> =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`free.a${String(i)}`, i]));

  it('are limited in number, in body and query', () => {
    expect(problems({ body: dotted(MAX_NAMES) })).toEqual([]);
    expect(problems({ body: dotted(MAX_NAMES + 1) })).toEqual(['body too_many']);
    expect(problems({ query: dotted(MAX_NAMES + 1) })).toEqual(['query too_many']);
  });

  it('are merged with one copy for all dotted names', () => {
    const assign = jest.spyOn(Object, 'assign');
    const copies = (count: number): number => {
      assign.mockClear();
      problems({ body: { ...dotted(count), free: { x: 1 } } });
      return assign.mock.calls.length;
    };
    const [once, twice] = [copies(400), copies(800)];
    assign.mockRestore();
    expect(twice).toBe(once);
  });

  it('are limited in the number of their parts', () => {
    const parts = (count: number): string => ['free', ...Array.from({ length: count - 1 }, () => 'a')].join('.');
    expect(problems({ body: { [parts(MAX_NAME_PARTS)]: 1 } })).toEqual([]);
    expect(problems({ body: { [parts(MAX_NAME_PARTS + 1)]: 1 } })).toEqual([expect.stringContaining('too_long')]);
    expect(problems({ body: { [parts(400_000)]: 1 } })).toEqual([expect.stringContaining('too_long')]);
  });

  it('are shortened in problems', () => {
    const [problem = ''] = problems({ body: { ['x'.repeat(100_000)]: 1 } });
    expect(problem).toMatch(/^x{100}… unknown_parameter$/);
  });

  it('that occur in query and body are compared with fewer than five conversions to text', () => {
    const stringify = jest.spyOn(JSON, 'stringify');
    problems({
      body: { free: { a: 'x'.repeat(1000) } },
      query: { free: Array.from({ length: 900 }, (_, i) => String(i)) },
    });
    const calls = stringify.mock.calls.length;
    stringify.mockRestore();
    expect(calls).toBeLessThan(5);
  });

  it('that occur twice are not converted to text when a value is a file or a long series', () => {
    const stringify = jest.spyOn(JSON, 'stringify');
    const bulk = [Buffer.alloc(100_000), packedPairs(Array.from({ length: 50_000 }, (_, row) => [row, row]))];
    const found = bulk.map((free) => problems({ body: { free }, query: { free: 'x' } }));
    const longest = Math.max(0, ...stringify.mock.results.map(({ value }) => String(value).length));
    stringify.mockRestore();
    for (const some of found) expect(some).toContain('free duplicate_parameter');
    expect(longest).toBeLessThan(1000);
  });
});

describe('objects and lists of a body', () => {
  it('are counted before they are created', () => {
    const body = (count: number): Buffer => Buffer.from(`{"a":[${'[],'.repeat(count - 3)}[]]}`);
    expect(() => refuseTooManyContainers(body(MAX_CONTAINERS))).not.toThrow();
    expect(() => refuseTooManyContainers(body(MAX_CONTAINERS + 1))).toThrow();
  });
});
