import { type ParamKind, ParamProblem } from '../../common/validation/param-kind.js';
import {
  BOOL_KIND,
  enumKind,
  intKind,
  listKind,
  strKind,
  type TextBounds,
} from '../../common/validation/param.decorators.js';
import { type Field, type FieldType } from './service-fields.types.js';

interface FieldTexts {
  label: string;
  help: string;
}

const field = <T>(
  texts: FieldTexts,
  type: FieldType,
  kind: ParamKind<unknown>,
  rest: Partial<Field<T>> = {},
): Field<T> => ({
  ...texts,
  type,
  required: false,
  options: [],
  default: null,
  leadsTo: null,
  isAddressPart: false,
  kind,
  ...rest,
});

export const optionalText = (texts: FieldTexts, bounds: TextBounds = {}): Field<string | null> =>
  field(texts, 'string', strKind(bounds));

/** A host that connections go to. */
export const optionalHost = (texts: FieldTexts): Field<string | null> =>
  field(texts, 'string', strKind({ pattern: /^[^\s/@]+$/, says: 'must be a host name or address' }), {
    leadsTo: 'host',
  });

export const requiredText = (texts: FieldTexts, bounds: TextBounds = {}): Field<string> =>
  field(texts, 'string', strKind(bounds), { required: true });

export const ofKind = (texts: FieldTexts, kind: ParamKind<string>): Field<string | null> =>
  field(texts, 'string', kind);

/** Printable ASCII: secrets travel in headers. */
const SECRET: TextBounds = { max: 500, pattern: /^[ -~]+$/, says: 'must contain only printable ASCII characters' };

export const optionalSecret = (texts: FieldTexts, bounds: TextBounds = SECRET): Field<string | null> =>
  field(texts, 'secret', strKind(bounds));

export const requiredSecret = (texts: FieldTexts, bounds: TextBounds = SECRET): Field<string> =>
  field(texts, 'secret', strKind(bounds), { required: true });

export const number = (texts: FieldTexts, bounds: { min: number; max: number; default: number }): Field<number> =>
  field(texts, 'int', intKind(bounds), { default: bounds.default });

/** The same field as a part of the address of the service. */
export const addressPart = <T>(part: Field<T>): Field<T> => ({ ...part, isAddressPart: true });

export const flag = (texts: FieldTexts, standard: boolean): Field<boolean> =>
  field(texts, 'bool', BOOL_KIND, { default: standard });

export const choice = <const T extends string>(texts: FieldTexts, options: readonly T[], standard: T): Field<T> =>
  field(texts, 'select', enumKind(options), { options, default: standard });

export const texts = (
  texts: FieldTexts,
  {
    options = [],
    item = {},
    max,
    standard,
  }: { options?: readonly string[]; item?: TextBounds; max: number; standard: readonly string[] },
): Field<readonly string[]> =>
  field(texts, 'list', listKind(options.length > 0 ? enumKind(options) : strKind(item), { maxItems: max }), {
    options,
    default: standard,
  });

/** Fractions between 0 and 1. */
export const fractions = (texts: FieldTexts, max: number, standard: readonly number[]): Field<readonly number[]> =>
  field(texts, 'list', listKind(FRACTION, { minItems: 1, maxItems: max }), { default: standard });

const FRACTION: ParamKind<number> = {
  schema: () => ({ type: 'number', minimum: 0, maximum: 1 }),
  convert: (raw) => {
    const value = typeof raw === 'string' && /^(?:\d+(?:\.\d+)?|\.\d+)$/.test(raw.trim()) ? Number(raw) : raw;
    if (typeof value !== 'number') return ParamProblem.of('not_number', 'must be a number');
    return value >= 0 && value <= 1 ? value : ParamProblem.of('out_of_range', 'must be between 0 and 1');
  },
};

const LABEL_NAME = /^[A-Za-z_]\w{0,99}$/;

const MAX_LABELS = 20;

const LONGEST_LABEL = 200;

export const labels = (texts: FieldTexts): Field<Readonly<Record<string, string>>> =>
  field(texts, 'object', LABELS, { default: {} });

const LABELS: ParamKind<Record<string, string>> = {
  shape: 'object',
  schema: () => ({ type: 'object', description: 'Names and values of labels, at most 20' }),
  cleared: {},
  convert: (raw) => {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
      return ParamProblem.of('not_object', 'must be an object');
    const entries = Object.entries(raw);
    if (entries.length > MAX_LABELS)
      return ParamProblem.of('too_many', `must have at most ${String(MAX_LABELS)} labels`);
    const isSound = ([name, value]: [string, unknown]): boolean =>
      LABEL_NAME.test(name) && typeof value === 'string' && value !== '' && value.length <= LONGEST_LABEL;
    return entries.every(isSound)
      ? Object.fromEntries(entries as [string, string][])
      : ParamProblem.of(
          'bad_format',
          'must have names of letters, digits and _ that begin with no digit, and values of 1 to 200 characters',
        );
  },
};

const LONGEST_URL = 2000;

const URL_TEXT = strKind({ max: LONGEST_URL });

/** http or https, without login and fragment. Its destination is also checked by the rules of the operator. */
const TARGET: ParamKind<string> = {
  schema: () => ({ type: 'string', format: 'uri', maxLength: LONGEST_URL }),
  convert: (raw, context) => {
    const text = URL_TEXT.convert(raw, context);
    if (text instanceof ParamProblem) return text;
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || !['http:', 'https:'].includes(url.protocol))
      return ParamProblem.of('bad_format', 'must be a web address that begins with https://');
    if (url.username !== '' || url.password !== '')
      return ParamProblem.of('bad_format', 'must not contain a user name or password: they have fields of their own');
    return url.hash === '' ? text : ParamProblem.of('bad_format', 'must not have a fragment (a part after #)');
  },
};

export const requiredUrl = (texts: FieldTexts): Field<string> =>
  field(texts, 'url', TARGET, { required: true, leadsTo: 'url' });

export const urlOr = (texts: FieldTexts, standard: string): Field<string> =>
  field(texts, 'url', TARGET, { default: standard, leadsTo: 'url' });

/** An address that is itself a credential. */
export const requiredSecretUrl = (texts: FieldTexts): Field<string> =>
  field(texts, 'secret', TARGET, { required: true, leadsTo: 'url' });
