import { type ParamOptions } from '../../../common/validation/param-kind.js';
import { predicate, rule, ruledKind } from '../../../common/validation/param-rule.js';
import { Param } from '../../../common/validation/param.decorator.js';

/** Values of request headers by name. */
export type HeaderValues = Readonly<Record<string, string>>;

const MAX_HEADERS = 20;
const MAX_VALUE_LENGTH = 4000;
const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const VALUE = /^[\x20-\x7e\x80-\xff]*$/;
/** Headers that the connection itself sets. */
const OWN = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** A JSON object, also as text: in a document one variable replaces all of it. */
function headersOf(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  try {
    return JSON.parse(raw) as unknown;
  } catch {
    return raw;
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function areHeaders(value: unknown): boolean {
  const entries = Object.entries(value as Record<string, unknown>);
  return entries.every(
    ([name, text]) =>
      NAME.test(name) &&
      !OWN.has(name.toLowerCase()) &&
      typeof text === 'string' &&
      text.length <= MAX_VALUE_LENGTH &&
      VALUE.test(text),
  );
}

/** Headers of requests: at most 20. A masked value means the stored one. */
export const HeadersParam = (options: ParamOptions<HeaderValues> = {}): PropertyDecorator =>
  Param(
    ruledKind<HeaderValues>({
      shape: 'object',
      cleared: {},
      schema: () => ({ type: 'object', additionalProperties: { type: 'string', maxLength: MAX_VALUE_LENGTH } }),
      toValue: headersOf,
      rules: [
        rule('not_object', 'must be an object of header names and values', predicate('isHeaders', isObject)),
        rule(
          'too_many',
          `must have at most ${String(MAX_HEADERS)} headers`,
          predicate('hasFewHeaders', (value) => isObject(value) && Object.keys(value).length <= MAX_HEADERS),
        ),
        rule(
          'bad_format',
          'must contain names and values of request headers, except headers that a connection sets itself',
          predicate('areHeaders', (value) => isObject(value) && areHeaders(value)),
        ),
      ],
    }),
    options,
  );
