import { type Schema } from '../../lib/api';
import { areNameLines, linesOf, type NamedTexts, textsOf } from './name-lines';

export type Source = Schema<'SourceDto'>;
export type SourceType = Source['type'];
export const SOURCE_TYPES: readonly SourceType[] = ['promql', 'graphite', 'influxql', 'sql'];
export const METRIC_TYPES = ['gauge', 'counter', 'rate'] as const;

const DAY = 86_400;

/** A source in its form; numbers as typed. */
export interface SourceDraft {
  type: SourceType;
  name: string;
  url: string;
  query: string;
  username: string;
  /** Seconds. */
  interval: string;
  /** Seconds. */
  lag: string;
  backfillDays: string;
  nameTemplate: string;
  metricType: (typeof METRIC_TYPES)[number] | '';
  unit: string;
  /** Seconds. */
  timeout: string;
  maxSeries: string;
  /** Only for the type promql. */
  writeBack: boolean;
}

/**
 * Values that are never written to the storage of the tab. An empty password and masked values mean the stored ones.
 */
export interface SourceSecrets {
  password: string;
  /** One `name=value` per line. */
  headers: string;
}

export const NEW_SOURCE: SourceDraft = {
  type: 'promql',
  name: '',
  url: '',
  query: '',
  username: '',
  interval: '60',
  lag: '60',
  backfillDays: '14',
  nameTemplate: '',
  metricType: '',
  unit: '',
  timeout: '30',
  maxSeries: '10000',
  writeBack: false,
};

export function draftOfSource(source: Source): SourceDraft {
  const { type, name, url, query, username } = source;
  return {
    ...{ type, name, url, query, username },
    interval: String(source.interval_seconds),
    lag: String(source.lag_seconds),
    backfillDays: String(Number((source.backfill_seconds / DAY).toFixed(3))),
    nameTemplate: source.name_template,
    metricType: source.metric_type ?? '',
    unit: source.unit ?? '',
    timeout: String(source.timeout_seconds),
    maxSeries: String(source.max_series),
    writeBack: source.write_back,
  };
}

export const secretsOf = (source: { headers_set: NamedTexts } | null): SourceSecrets => ({
  password: '',
  headers: source === null ? '' : linesOf(source.headers_set),
});

/** Minimum and maximum of each number, as typed. */
const NUMBERS = {
  interval: [10, DAY],
  lag: [0, DAY],
  backfillDays: [0, 90],
  timeout: [1, 120],
  maxSeries: [1, 100_000],
} as const;
type NumberField = keyof typeof NUMBERS;
export const NUMBER_FIELDS = Object.keys(NUMBERS) as NumberField[];
export const limitsOf = (field: NumberField): readonly [number, number] => NUMBERS[field];

/** API names of the form fields. */
export const API_FIELD = {
  name: 'name',
  type: 'type',
  url: 'url',
  query: 'query',
  username: 'username',
  password: 'password',
  headers: 'headers_set',
  interval: 'interval_seconds',
  lag: 'lag_seconds',
  backfillDays: 'backfill_seconds',
  nameTemplate: 'name_template',
  metricType: 'metric_type',
  unit: 'unit',
  timeout: 'timeout_seconds',
  maxSeries: 'max_series',
  writeBack: 'write_back',
} as const;
export type SourceField = keyof typeof API_FIELD;

/** Invalid fields. */
export function lacksOf(draft: SourceDraft, { headers }: SourceSecrets): ReadonlySet<SourceField> {
  const lacks = new Set<SourceField>();
  for (const field of ['name', 'url', 'query'] as const) if (draft[field].trim() === '') lacks.add(field);
  for (const field of NUMBER_FIELDS) {
    const [least, most] = NUMBERS[field];
    const text = draft[field].trim();
    const number = Number(text);
    const isWhole = field === 'backfillDays' || Number.isInteger(number);
    if (text === '' || !isWhole || !(number >= least && number <= most)) lacks.add(field);
  }
  if (!areNameLines(headers)) lacks.add('headers');
  return lacks;
}

/** The body for the API. */
export function bodyOfSource(draft: SourceDraft, { password, headers }: SourceSecrets) {
  const { type, metricType, unit } = draft;
  return {
    type,
    name: draft.name.trim(),
    url: draft.url.trim(),
    query: draft.query.trim(),
    username: draft.username.trim(),
    ...(password === '' ? {} : { password }),
    headers_set: textsOf(headers),
    interval_seconds: Number(draft.interval),
    lag_seconds: Number(draft.lag),
    backfill_seconds: Math.round(Number(draft.backfillDays) * DAY),
    name_template: draft.nameTemplate.trim(),
    metric_type: metricType === '' ? null : metricType,
    unit: unit.trim() === '' ? null : unit.trim(),
    timeout_seconds: Number(draft.timeout),
    max_series: Number(draft.maxSeries),
    write_back: type === 'promql' && draft.writeBack,
  };
}

/** The share of the backfill that has been read, 0 to 1. */
export function backfilledShare({ backfill_seconds: all, watermark_timestamp: upTo }: Source, now: number): number {
  if (all === 0) return 1;
  if (upTo === null) return 0;
  return Math.min(1, Math.max(0, 1 - (now - upTo) / all));
}
