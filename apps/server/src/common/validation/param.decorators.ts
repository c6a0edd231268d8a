import { applyDecorators } from '@nestjs/common';
import { type ClassTransformOptions, Expose, Transform } from 'class-transformer';
import { isEmail, ValidateBy } from 'class-validator';
import { COMMON_PASSWORDS } from './common-passwords.js';
import {
  type ParamContext,
  type ParamFault,
  MAX_ROW_ID,
  type ParamKind,
  type ParamOptions,
  ParamProblem,
  type ParamSchema,
} from './param-kind.js';
import { type ParamsClass, paramsOf, registerParam } from './param-registry.js';
import { characters, cleanText, isEmpty, splitList, unquote } from './param-text.js';
import { MAX_UNKNOWN_NAMED } from './request-parameters.js';
import { timezoneNames } from './timezones.js';

/** Holds what was sent, so that nothing but its own conversion ever looks inside. */
export class RawValue {
  constructor(readonly value: unknown) {}
}

export interface TransformOptionsWithContext extends ClassTransformOptions {
  paramContext: ParamContext;
}

/** 2000-01-01: no time of the API lies before it. */
export const EARLIEST_TIMESTAMP = 946_684_800;
/** 2100-01-01: the end of times that may lie in the future. */
const LATEST_TIMESTAMP = 4_102_444_800;
/** Clocks of senders and ours may differ by this much. */
const CLOCK_SLACK_SECONDS = 60;

/**
 * A field that is a parameter: conversion from all forms on the wire, rule, and documentation at once. The other
 * decorators of this file are built on it; a new type of parameter is a new `ParamKind`.
 */
export function Param<T>(kind: ParamKind<T>, options: ParamOptions<T> = {}): PropertyDecorator {
  const documented: ParamKind<T> = { ...kind, schema: () => describe(kind, options) };
  return applyDecorators(
    Expose(),
    Transform(({ obj, key, options: transformOptions }) => {
      const sent = (obj as Partial<Record<string, RawValue>>)[key];
      const { paramContext } = transformOptions as TransformOptionsWithContext;
      return valueOf(sent?.value, kind, options, paramContext);
    }),
    ValidateBy({ name: 'param', validator: { validate: (value) => !(value instanceof ParamProblem) } }),
    (prototype: object, name: string | symbol) =>
      registerParam(prototype, {
        name: String(name),
        kind: documented,
        options: options,
      }),
  );
}

function valueOf<T>(raw: unknown, kind: ParamKind<T>, options: ParamOptions<T>, context: ParamContext): unknown {
  const empty = isEmpty(raw);
  // A fetch that names nothing to choose from chooses from all, in a list as in a text.
  const choosesNothing = empty || (Array.isArray(raw) && raw.length === 0);
  if (raw === undefined || (choosesNothing && !context.write)) {
    if (options.required === true) return ParamProblem.of('required', 'is required');
    return options.default;
  }
  if (empty) {
    if (options.nullable === true) return null;
    return kind.cleared ?? ParamProblem.of('required', 'must not be empty');
  }
  return kind.convert(raw, context);
}

function describe<T>(kind: ParamKind<T>, options: ParamOptions<T>): ParamSchema {
  const schema = kind.schema();
  return {
    ...schema,
    ...(options.default === undefined ? {} : { default: options.default }),
    ...(options.nullable === true ? { nullable: true } : {}),
  };
}

// ---------- numbers

export interface NumberBounds {
  min?: number;
  max?: number;
}

const INTEGER = /^[+-]?\d+$/;
/** One way to read each text, so that a long one that does not fit costs no more than its length. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Whole number. */
export const IntParam = (options: ParamOptions<number> & NumberBounds = {}): PropertyDecorator =>
  Param(intKind(options), options);

/** Id of a row, when it is a parameter; whether there is such a row is for the handler to say. */
export const RowIdParam = (options: ParamOptions<number> = {}): PropertyDecorator =>
  IntParam({ ...options, min: 1, max: MAX_ROW_ID });

/** Finite number. */
export const NumParam = (options: ParamOptions<number> & NumberBounds = {}): PropertyDecorator =>
  Param(numKind(options), options);

export function intKind({ min, max }: NumberBounds = {}): ParamKind<number> {
  const lowest = min ?? -Number.MAX_SAFE_INTEGER;
  const highest = max ?? Number.MAX_SAFE_INTEGER;
  return {
    schema: () => ({
      type: 'integer',
      ...(min === undefined ? {} : { minimum: min }),
      ...(max === undefined ? {} : { maximum: max }),
    }),
    convert: (raw) => {
      const value = typeof raw === 'string' && INTEGER.test(raw.trim()) ? Number(raw) : raw;
      if (typeof value !== 'number' || !Number.isInteger(value)) {
        return ParamProblem.of('not_integer', 'must be an integer');
      }
      return within(value, lowest, highest);
    },
  };
}

export function numKind({ min, max }: NumberBounds = {}): ParamKind<number> {
  return {
    schema: () => ({
      type: 'number',
      ...(min === undefined ? {} : { minimum: min }),
      ...(max === undefined ? {} : { maximum: max }),
    }),
    convert: (raw) => {
      const value = typeof raw === 'string' && DECIMAL.test(raw.trim()) ? Number(raw) : raw;
      if (typeof value !== 'number' || !Number.isFinite(value)) {
        return ParamProblem.of('not_number', 'must be a finite number');
      }
      return within(value, min ?? -Infinity, max ?? Infinity);
    },
  };
}

function within(value: number, min: number, max: number): number | ParamProblem {
  if (value >= min && value <= max) return value === 0 ? 0 : value;
  if (max === Infinity) return ParamProblem.of('out_of_range', `must be at least ${String(min)}, got ${String(value)}`);
  return ParamProblem.of('out_of_range', `must be ${String(min)} to ${String(max)}, got ${String(value)}`);
}

// ---------- truth

/** `true` or `false`; as text also `1` or `0`. */
export const BoolParam = (options: ParamOptions<boolean> = {}): PropertyDecorator => Param(BOOL, options);

const TRUTH = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  ['1', true],
  [false, false],
  ['false', false],
  ['0', false],
]);

const BOOL: ParamKind<boolean> = {
  schema: () => ({ type: 'boolean' }),
  convert: (raw) =>
    TRUTH.get(typeof raw === 'string' ? raw.trim() : raw) ?? ParamProblem.of('not_boolean', 'must be true or false'),
};

// ---------- texts

export interface TextBounds {
  /** Length in characters. With `min: 0` an empty text is a value. */
  min?: number;
  max?: number;
  pattern?: RegExp;
  /** What a text that does not fit the pattern is told: "must look like HH:MM". */
  says?: string;
  /** Line feeds are allowed. */
  multiline?: boolean;
}

/** Text, trimmed and normalised. 1 to 255 characters unless said otherwise. */
export const StrParam = (options: ParamOptions<string> & TextBounds = {}): PropertyDecorator =>
  Param(strKind(options), options);

export function strKind({ min = 1, max = 255, pattern, says, multiline = false }: TextBounds = {}): ParamKind<string> {
  return {
    schema: () => ({
      type: 'string',
      minLength: min,
      maxLength: max,
      ...(pattern === undefined ? {} : { pattern: pattern.source }),
    }),
    ...(min === 0 ? { cleared: '' } : {}),
    convert: (raw) => {
      const text = textOf(raw, multiline);
      if (text instanceof ParamProblem) return text;
      const length = characters(text);
      if (length === 0 && min > 0) return ParamProblem.of('required', 'must not be empty');
      if (length < min) return ParamProblem.of('too_short', `must have at least ${String(min)} characters`);
      if (length > max) return ParamProblem.of('too_long', `must have at most ${String(max)} characters`);
      if (pattern !== undefined && !pattern.test(text)) {
        return ParamProblem.of('bad_format', says ?? `must match ${pattern.source}`);
      }
      return text;
    },
  };
}

/** Text of a scalar; a bare JSON number is taken by its decimal form, as it would be in a query. */
function textOf(raw: unknown, multiline = false): string | ParamProblem {
  if (typeof raw === 'number') return String(raw);
  if (typeof raw !== 'string') return ParamProblem.of('bad_format', 'must be a text');
  return cleanText(raw, multiline);
}

/** One of a few words. */
export const EnumParam = <T extends string>(values: readonly T[], options: ParamOptions<T> = {}): PropertyDecorator =>
  Param(enumKind(values), options);

export function enumKind<T extends string>(values: readonly T[]): ParamKind<T> {
  const allowed = new Map<unknown, T>(values.map((value) => [value, value]));
  return {
    schema: () => ({ type: 'string', enum: [...values] }),
    convert: (raw) =>
      allowed.get(typeof raw === 'string' ? raw.trim() : raw) ??
      ParamProblem.of('not_one_of', `must be one of ${values.join(', ')}`),
  };
}

/** Without the quoted forms, which mail servers and people take for several addresses. */
export function isPlainEmail(text: string): boolean {
  return isEmail(text) && !/[\s<>,;"\\]/.test(text);
}

const EMAIL: ParamKind<string> = {
  schema: () => ({ type: 'string', format: 'email', maxLength: 254 }),
  convert: (raw) => {
    const text = strKind({ max: 254 }).convert(raw, NO_CONTEXT);
    if (text instanceof ParamProblem) return text;
    return isPlainEmail(text) ? text : ParamProblem.of('bad_format', 'must be an e-mail address');
  },
};

/** E-mail address as typed; compare it ignoring case. */
export const EmailParam = (options: ParamOptions<string> = {}): PropertyDecorator => Param(EMAIL, options);

/** Name of a time zone that GET /misc/timezones lists. */
export const TimezoneParam = (options: ParamOptions<string> = {}): PropertyDecorator =>
  Param(
    {
      schema: () => ({ type: 'string', example: 'Europe/Oslo' }),
      convert: (raw) => {
        const text = textOf(raw);
        if (text instanceof ParamProblem) return text;
        return timezoneNames().has(text)
          ? text
          : ParamProblem.of('unknown_timezone', 'must be a time zone of GET /misc/timezones');
      },
    },
    options,
  );

/** A password that is being chosen: 12 to 200 characters, none of the well-known ones; in the body only. */
export const PasswordParam = (options: ParamOptions<string> = {}): PropertyDecorator =>
  Param(
    {
      schema: () => ({ type: 'string', format: 'password', minLength: 12, maxLength: 200 }),
      convert: (raw) => {
        const text = strKind({ min: 12, max: 200 }).convert(raw, NO_CONTEXT);
        if (text instanceof ParamProblem || !COMMON_PASSWORDS.has(text.toLowerCase())) return text;
        return ParamProblem.of('weak_password', 'is on the list of common passwords');
      },
    },
    { ...options, bodyOnly: true },
  );

/** A password that is being shown as proof: any text up to 200 characters; in the body only. */
export const GivenPasswordParam = (options: ParamOptions<string> = {}): PropertyDecorator =>
  Param(
    { ...strKind({ max: 200 }), schema: () => ({ type: 'string', format: 'password', maxLength: 200 }) },
    { ...options, bodyOnly: true },
  );

// ---------- times

export interface TimestampBounds {
  /** Unix seconds; default the year 2000. */
  min?: number;
  /** Unix seconds; default 60 s after now. */
  max?: number;
}

/** Unix seconds. */
export const TimestampParam = (options: ParamOptions<number> & TimestampBounds = {}): PropertyDecorator =>
  Param(
    {
      schema: () => ({
        type: 'integer',
        format: 'int64',
        minimum: options.min ?? EARLIEST_TIMESTAMP,
        ...(options.max === undefined ? {} : { maximum: options.max }),
      }),
      convert: (raw, context) => {
        const max = options.max ?? Math.floor(context.now) + CLOCK_SLACK_SECONDS;
        return intKind({ min: options.min ?? EARLIEST_TIMESTAMP, max }).convert(raw, context);
      },
    },
    options,
  );

/** Unix seconds that may lie in the future, up to the year 2100. */
export const FutureTimestampParam = (options: ParamOptions<number> & TimestampBounds = {}): PropertyDecorator =>
  TimestampParam({ max: LATEST_TIMESTAMP, ...options });

// ---------- lists and objects

export interface ListBounds {
  minItems?: number;
  /** Default 1000. */
  maxItems?: number;
}

/**
 * List of items of one kind: a JSON array, or one text with commas. Repeated items count once.
 * `@ListParam(enumKind(METRIC_STATES), { default: ['active'] })`, `@ListParam(intKind({ min: 1 }))`
 */
export const ListParam = <T extends string | number>(
  item: ParamKind<T>,
  options: ParamOptions<readonly T[]> & ListBounds = {},
): PropertyDecorator => Param(listKind(item, options), options);

export function listKind<T>(item: ParamKind<T>, { minItems = 0, maxItems = 1000 }: ListBounds = {}): ParamKind<T[]> {
  return {
    shape: 'list',
    schema: () => ({
      type: 'array',
      items: item.schema(),
      ...(minItems === 0 ? {} : { minItems }),
      maxItems,
    }),
    ...(minItems === 0 ? { cleared: [] } : {}),
    convert: (raw, context) => {
      const items = itemsOf(raw);
      if (items === undefined) return ParamProblem.of('not_list', 'must be a list');
      if (items.length > maxItems) return ParamProblem.of('too_many', `must have at most ${String(maxItems)} items`);
      const values = items.map((entry) => item.convert(entry ?? '', context));
      const faults = values.flatMap((value, index) =>
        value instanceof ParamProblem ? faultsOfItem(value, index) : [],
      );
      if (faults.length > 0) return new ParamProblem(faults);
      const unique = [...new Set(values as T[])];
      if (unique.length < minItems) return ParamProblem.of('too_few', `must have at least ${String(minItems)} items`);
      return unique;
    },
  };
}

/** A list of plain values is one field as it was sent; members of objects in a list have paths of their own. */
function faultsOfItem({ faults }: ParamProblem, index: number): ParamFault[] {
  return faults.map(({ path, code, says }) =>
    path === '' ? { path, code, says: `${says} (item ${String(index + 1)})` } : { path: step(index, path), code, says },
  );
}

/** Items of a list in any of its forms; undefined when it is none. */
function itemsOf(raw: unknown): unknown[] | undefined {
  if (Array.isArray(raw)) return raw as unknown[];
  if (typeof raw === 'number') return [raw];
  return typeof raw === 'string' ? splitList(raw).map(unquote) : undefined;
}

/**
 * Object whose members are parameters of their own (a JSON object, or dotted names): `@ObjectParam(() => FlagsParams)`.
 */
export const ObjectParam = <T extends object>(
  type: () => ParamsClass<T>,
  options: ParamOptions<T> = {},
): PropertyDecorator => Param(objectKind(type), options);

/** List of such objects, JSON only. */
export const ObjectListParam = <T extends object>(
  type: () => ParamsClass<T>,
  options: ParamOptions<readonly T[]> & ListBounds = {},
): PropertyDecorator => {
  const list = listKind(objectKind(type), options);
  const convert: typeof list.convert = (raw, context) =>
    typeof raw === 'string' ? ParamProblem.of('not_list', 'must be a list of objects') : list.convert(raw, context);
  return Param({ ...list, convert }, options);
};

export function objectKind<T extends object>(type: () => ParamsClass<T>): ParamKind<T> {
  return {
    shape: 'object',
    schema: () => {
      const specs = [...paramsOf(type()).values()];
      return {
        type: 'object',
        properties: Object.fromEntries(
          specs.map(({ name, kind, options: { description } }) => [name, { ...kind.schema(), description }]),
        ),
        required: specs.filter(({ options }) => options.required).map(({ name }) => name),
      };
    },
    convert: (raw, context) => {
      if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
        return ParamProblem.of('not_object', 'must be an object');
      }
      return readMembers(type(), raw, context);
    },
  };
}

function readMembers<T extends object>(type: ParamsClass<T>, raw: object, context: ParamContext): T | ParamProblem {
  const specs = paramsOf(type);
  const result = new type();
  const faults: ParamFault[] = [];
  if (context.refuseUnknown) {
    const unknown = Object.keys(raw).filter((name) => !specs.has(name));
    faults.push(...unknown.slice(0, MAX_UNKNOWN_NAMED).map(unknownMember));
  }
  for (const { name, kind, options } of specs.values()) {
    const sent = Object.hasOwn(raw, name) ? (raw as Record<string, unknown>)[name] : undefined;
    const value = valueOf(sent, kind, options, context);
    if (value instanceof ParamProblem) {
      faults.push(...value.faults.map((fault) => ({ ...fault, path: step(name, fault.path) })));
    } else if (value !== undefined) {
      (result as Record<string, unknown>)[name] = value;
    }
  }
  return faults.length > 0 ? new ParamProblem(faults) : result;
}

function unknownMember(name: string): ParamFault {
  return { path: name, code: 'unknown_parameter', says: 'is not a parameter of this call' };
}

function step(head: string | number, rest: string): string {
  return rest === '' ? String(head) : `${String(head)}.${rest}`;
}

/** For kinds that do not look at it. */
const NO_CONTEXT: ParamContext = { now: 0, write: true, refuseUnknown: true };

/** Any JSON object, taken as it is; its reader checks it. */
export const JsonObjectParam = (options: ParamOptions<Record<string, unknown>> = {}): PropertyDecorator =>
  Param(
    {
      shape: 'object',
      schema: () => ({ type: 'object' }),
      convert: (raw) =>
        typeof raw === 'object' && raw !== null && !Array.isArray(raw)
          ? (raw as Record<string, unknown>)
          : ParamProblem.of('not_object', 'must be an object'),
    },
    options,
  );
