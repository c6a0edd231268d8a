import { IsBoolean, IsInt, IsNumber, Max, Min } from 'class-validator';
import { MAX_ROW_ID, type ParamKind, type ParamOptions, type ParamSchema } from './param-kind.js';
import { type ParamRule, rule, ruledKind } from './param-rule.js';
import { Param } from './param.decorator.js';

export interface NumberBounds {
  min?: number;
  max?: number;
  /** What the number is, for messages: "Unix milliseconds". */
  meaning?: string;
}

const INTEGER = /^[+-]?\d+$/;
/** Each text has a single interpretation, so a long text that does not match costs no more than its length. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Whole number. */
export const IntParam = (options: ParamOptions<number> & NumberBounds = {}): PropertyDecorator =>
  Param(intKind(options), options);

/** Id of a row as a parameter; the handler checks whether the row exists. */
export const RowIdParam = (options: ParamOptions<number> = {}): PropertyDecorator =>
  IntParam({ ...options, min: 1, max: MAX_ROW_ID });

/** Finite number. */
export const NumParam = (options: ParamOptions<number> & NumberBounds = {}): PropertyDecorator =>
  Param(numKind(options), options);

export function intKind(bounds: NumberBounds = {}): ParamKind<number> {
  const { min = -Number.MAX_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = bounds;
  return ruledKind({
    schema: () => ({ type: 'integer', ...boundsSchema(bounds) }),
    toValue: toInteger,
    rules: [
      bounds.meaning === undefined ? IS_INTEGER : isIntegerOf(bounds.meaning),
      ...inRange(min, max, bounds.meaning),
    ],
  });
}

export function numKind(bounds: NumberBounds = {}): ParamKind<number> {
  const { min = -Infinity, max = Infinity } = bounds;
  return ruledKind({
    schema: () => ({ type: 'number', ...boundsSchema(bounds) }),
    toValue: (raw) => numberOf(raw, DECIMAL),
    rules: [rule('not_number', 'must be a finite number', (options) => IsNumber({}, options)), ...inRange(min, max)],
  });
}

function boundsSchema({ min, max }: NumberBounds): ParamSchema {
  return { ...(min === undefined ? {} : { minimum: min }), ...(max === undefined ? {} : { maximum: max }) };
}

const IS_INTEGER = rule('not_integer', 'must be an integer', IsInt);

export const isIntegerOf = (meaning: string): ParamRule =>
  rule('not_integer', `must be ${meaning} as an integer`, IsInt);

export function toInteger(raw: unknown): unknown {
  return numberOf(raw, INTEGER);
}

function numberOf(raw: unknown, form: RegExp): unknown {
  const value = typeof raw === 'string' && form.test(raw.trim()) ? Number(raw) : raw;
  // The API has no negative zero.
  return value === 0 ? 0 : value;
}

function inRange(min: number, max: number, meaning?: string): ParamRule[] {
  const says = outOfRange(min, max, meaning);
  return [
    ...(min === -Infinity ? [] : [rule('out_of_range', says, (options) => Min(min, options))]),
    ...(max === Infinity ? [] : [rule('out_of_range', says, (options) => Max(max, options))]),
  ];
}

/** The sentence about a number outside its bounds, which belong to the range. */
function outOfRange(min: number, max: number, meaning?: string): string {
  const mustBe = meaning === undefined ? 'must be' : `must be ${meaning},`;
  const isBoundedBelow = min > -Number.MAX_SAFE_INTEGER;
  const isBoundedAbove = max < Number.MAX_SAFE_INTEGER;
  if (isBoundedBelow && !isBoundedAbove) return `${mustBe} at least ${String(min)}`;
  if (isBoundedAbove && !isBoundedBelow) return `${mustBe} at most ${String(max)}`;
  return `${mustBe} ${String(min)} to ${String(max)}`;
}

/** `true` or `false`; as text also `1` or `0`. */
export const BoolParam = (options: ParamOptions<boolean> = {}): PropertyDecorator => Param(BOOL_KIND, options);

const TRUTH = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

export const BOOL_KIND = ruledKind<boolean>({
  schema: () => ({ type: 'boolean' }),
  toValue: (raw) => (typeof raw === 'string' ? (TRUTH.get(raw.trim()) ?? raw) : raw),
  rules: [rule('not_boolean', 'must be true or false', IsBoolean)],
});
