import { type ErrorDetail } from '#libs/contracts';
import { type ParamKind, ParamProblem } from '../../../common/validation/param-kind.js';
import { Check, exactlyOne } from '../../../common/validation/param-registry.js';
import { IntParam, NumParam, ObjectListParam, Param, StrParam } from '../../../common/validation/param.decorators.js';

const MAX_PROPERTIES = 10;
const LONGEST_VALUE = 100;
const PROPERTY_NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;
const MAX_AT_ONCE = 100;

/** Names and short texts, which become labels of the metric. */
const PROPERTIES: ParamKind<Record<string, string>> = {
  shape: 'object',
  schema: () => ({ type: 'object' }),
  convert: (raw) => {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
      return ParamProblem.of('not_object', 'must be an object');
    }
    const entries = Object.entries(raw as Record<string, unknown>);
    if (entries.length > MAX_PROPERTIES) {
      return ParamProblem.of('too_many', `must have at most ${String(MAX_PROPERTIES)} members`);
    }
    const faults = entries.flatMap(([name, value]) => problemOf(name, value));
    return faults.length > 0 ? new ParamProblem(faults) : (Object.fromEntries(entries) as Record<string, string>);
  },
};

function problemOf(name: string, value: unknown): { path: string; code: 'bad_format' | 'too_long'; says: string }[] {
  if (!PROPERTY_NAME.test(name)) {
    return [{ path: '', code: 'bad_format', says: 'must have names of letters, digits and _ . - up to 64 characters' }];
  }
  if (typeof value !== 'string' || hasControlCharacter(value)) {
    return [{ path: name, code: 'bad_format', says: 'must be a string of one line' }];
  }
  if (value.length > LONGEST_VALUE) {
    return [{ path: name, code: 'too_long', says: `must have at most ${String(LONGEST_VALUE)} characters` }];
  }
  return [];
}

/** Control characters of ASCII: line feeds above all. */
function hasControlCharacter(text: string): boolean {
  return Array.from(text).some((character) => character < ' ' || character === '\u007f');
}

const NAME = { pattern: /^[A-Za-z0-9_.-]{1,100}$/, says: 'must be 1 to 100 letters, digits and _ . -' } as const;

export class SentEventParams {
  @StrParam({ required: true, ...NAME, example: 'checkout' })
  event!: string;

  @IntParam({ min: 1, max: 1000, default: 1, description: 'How often it happened' })
  count!: number;

  @NumParam({ description: 'Something measured along with it; the mean of a minute is a metric of its own' })
  value?: number;

  @Param(PROPERTIES, {
    description: 'Up to 10 short texts, which become labels of the metrics',
    example: { page: 'cart' },
  })
  properties?: Readonly<Record<string, string>>;
}

@Check<SendEventsParams>(belongToOne)
@Check<SendEventsParams>(exactlyOne('event', 'events'))
export class SendEventsParams {
  @StrParam({ ...NAME, example: 'checkout' })
  event?: string;

  @IntParam({ min: 1, max: 1000, description: 'How often it happened; default 1' })
  count?: number;

  @NumParam({ description: 'Something measured along with it; the mean of a minute is a metric of its own' })
  value?: number;

  @Param(PROPERTIES, {
    description: 'Up to 10 short texts, which become labels of the metrics',
    example: { page: 'cart' },
  })
  properties?: Readonly<Record<string, string>>;

  @ObjectListParam(() => SentEventParams, {
    minItems: 1,
    maxItems: MAX_AT_ONCE,
    description: 'Several events in one call, in place of the other members',
  })
  events?: readonly SentEventParams[];
}

/** Members that describe one event have no meaning together with a list of events. */
function belongToOne(_: unknown, { given }: { given: ReadonlySet<string> }): ErrorDetail[] {
  if (!given.has('events')) return [];
  return ['count', 'value', 'properties']
    .filter((field) => given.has(field))
    .map((field) => ({
      field,
      code: 'unknown_parameter',
      message: `${field} must be in the items of events, not beside them`,
    }));
}
