import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { METRIC_LABEL } from '#libs/contracts';
import { NAME_LABEL } from './promql.types.js';
import { type LabelSet, labelsOf } from './series-labels.js';
import { valueText } from './series-values.js';
import { type Series } from './series.types.js';

/** Form of names that older versions of Prometheus do not support. */
export type NameForm = 'underscores' | 'utf-8';

/** Version 1.0.0 of the text format introduced names with any characters. */
const TYPES: Readonly<Record<NameForm, string>> = {
  underscores: 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores',
  'utf-8': 'text/plain; version=1.0.0; charset=utf-8; escaping=allow-utf-8',
};

const PLAIN_NAME = /^[A-Za-z_:][A-Za-z0-9_:]*$/;
const PLAIN_LABEL = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The form that a client requests in its `Accept` header. */
function nameFormOf(accept: string | undefined): NameForm {
  return /;\s*escaping\s*=\s*"?allow-utf-8"?\s*(?:[;,]|$)/i.test((accept ?? '').slice(0, 1000))
    ? 'utf-8'
    : 'underscores';
}

/** The form of names that the request asks for. */
export const WantedNameForm = createParamDecorator((_: unknown, context: ExecutionContext): NameForm =>
  nameFormOf(context.switchToHttp().getRequest<Request>().get('accept')),
);

export function contentTypeOf(form: NameForm): string {
  return TYPES[form];
}

/**
 * The name and the labels of a series in a form. If a name had to be changed, the label `metric` has the original one:
 * two names may become equal.
 */
export function exposedOf(series: Series, form: NameForm): { name: string; labels: LabelSet } {
  const { [NAME_LABEL]: name = '', ...labels } = labelsOf(series);
  const isPlain = PLAIN_NAME.test(name) && Object.keys(labels).every((key) => PLAIN_LABEL.test(key));
  if (form === 'utf-8' || isPlain) return { name, labels };
  const escaped = Object.entries(labels).map(([key, value]): [string, string] => [escapedName(key, false), value]);
  return {
    name: escapedName(name, true),
    labels: { ...Object.fromEntries(escaped), [METRIC_LABEL]: labels[METRIC_LABEL] ?? series.row.name },
  };
}

/**
 * A label that is missing here would get the value of the scraper; an empty value means that there is none, as in
 * Prometheus.
 */
const NOT_OF_SCRAPER = ['instance', 'job'];

/** A line of the text format; `timestamp` in Unix seconds. */
export function lineOf(name: string, labels: LabelSet, value: number, timestamp: number): string {
  const missing = NOT_OF_SCRAPER.filter((key) => !(key in labels)).map((key): [string, string] => [key, '']);
  const pairs = [...Object.entries(labels), ...missing].map(
    ([key, text]) => `${labelText(key)}="${escapedValue(text)}"`,
  );
  const isPlain = PLAIN_NAME.test(name);
  const inside = (isPlain ? pairs : [quoted(name), ...pairs]).join(',');
  return `${isPlain ? name : ''}{${inside}} ${valueText(value)} ${String(Math.round(timestamp * 1000))}\n`;
}

/**
 * The type is `untyped`, which Prometheus also exports for federated metrics: the reader must know which metrics are
 * counters.
 */
export function headOf(name: string): string {
  return `# TYPE ${PLAIN_NAME.test(name) ? name : quoted(name)} untyped\n`;
}

function escapedName(name: string, withColon: boolean): string {
  const plain = name.replace(withColon ? /[^A-Za-z0-9_:]/gu : /[^A-Za-z0-9_]/gu, '_');
  return /^\d/.test(plain) ? `_${plain}` : plain;
}

const labelText = (key: string): string => (PLAIN_LABEL.test(key) ? key : quoted(key));

const quoted = (text: string): string => `"${escapedValue(text)}"`;

const escapedValue = (text: string): string =>
  text.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
