import { type MetricType, storableText } from '#libs/contracts';
import { type SeriesHeader } from '../batch/parsed-batch.js';
import { displayNameOf } from '../names/metric-name.js';

/** Metadata of a metric family. Sent with samples or, by older senders, in separate bodies. */
export interface MetricMetadata {
  /** Family name as sent: without `_bucket`, `_count`, `_sum` for histograms and summaries. */
  family: string;
  /** `counter`, `gauge`, `histogram`, `gaugehistogram`, `summary`, `info`, `stateset` or `unknown`. */
  kind: string;
  help: string;
  unit: string;
}

/** Maximum length of a stored family, text and unit: names have 1024 characters, units far fewer. */
const MAX_FAMILY_LENGTH = 2048;
const MAX_HELP_LENGTH = 1000;
const MAX_UNIT_LENGTH = 64;

/** The sent metadata in a form that can be stored. */
export function keptMetadata({ family, kind, help, unit }: MetricMetadata): MetricMetadata {
  return {
    family: family.slice(0, MAX_FAMILY_LENGTH),
    kind,
    help: storableText(help, MAX_HELP_LENGTH),
    unit: storableText(unit, MAX_UNIT_LENGTH),
  };
}

/** Values of MetricMetadata.MetricType in `types.proto`, which are those of Metadata.MetricType in version 2.0 too. */
const KINDS = ['unknown', 'counter', 'gauge', 'histogram', 'gaugehistogram', 'summary', 'info', 'stateset'];

/** Kinds whose family is several series with separate suffixes. */
const COMPOUND_KINDS: readonly string[] = ['histogram', 'gaugehistogram', 'summary'];

/** Suffixes that identify counters if there is no other information (Prometheus naming practice). */
const COUNTER_SUFFIX = /_(?:total|count|sum|bucket)$/;

export function kindOf(number: number): string {
  return KINDS[number] ?? 'unknown';
}

/** The kind of a word in the text format: `untyped` and any other word are unknown. */
export function kindNamed(name: string): string {
  return KINDS.includes(name) ? name : 'unknown';
}

/** Family of a series by its name (without labels) and the kind of its family. */
export function familyName(displayName: string, kind: string): string {
  return COMPOUND_KINDS.includes(kind) ? displayName.replace(/_(?:count|sum|bucket)$/, '') : displayName;
}

/** Fills in type, unit and description: from metadata of the same body, else from the suffix of the name. */
export function describeSeries(series: readonly SeriesHeader[], metadata: readonly MetricMetadata[]): void {
  const families = new Map(metadata.map((entry) => [entry.family, entry]));
  for (const header of series) {
    const displayName = displayNameOf(header.name);
    const suffix = counterSuffixOf(displayName);
    if (families.size > 0) {
      const family =
        families.get(displayName) ??
        familyOfPart(families.get(displayName.slice(0, displayName.length - suffix.length)), suffix);
      if (family !== undefined) describe(header, family, suffix);
    }
    header.type ??= suffix === '' ? null : 'counter';
  }
}

function describe(header: SeriesHeader, family: MetricMetadata, suffix: string): void {
  header.description = family.help === '' ? null : family.help;
  // A count has no unit, whatever is counted.
  if (family.unit !== '' && suffix !== '_count' && suffix !== '_bucket') header.unit = family.unit;
  header.type ??= typeFromFamily(family, suffix);
}

/** `_total` and the like; empty if the name ends otherwise. */
function counterSuffixOf(displayName: string): string {
  // The last letter is sufficient for most names.
  const last = displayName.charCodeAt(displayName.length - 1);
  if (last !== LETTER_L && last !== LETTER_T && last !== LETTER_M) return '';
  return COUNTER_SUFFIX.exec(displayName)?.[0] ?? '';
}

const LETTER_L = 0x6c;
const LETTER_M = 0x6d;
const LETTER_T = 0x74;

/** The family if its kind has series with that suffix. */
function familyOfPart(family: MetricMetadata | undefined, suffix: string): MetricMetadata | undefined {
  if (family === undefined) return undefined;
  if (suffix === '_total') return family.kind === 'counter' ? family : undefined;
  return COMPOUND_KINDS.includes(family.kind) ? family : undefined;
}

function typeFromFamily(family: MetricMetadata, suffix: string): MetricType | null {
  switch (family.kind) {
    case 'counter':
    case 'histogram':
      return 'counter';
    case 'summary':
      return suffix === '' ? 'gauge' : 'counter';
    case 'gauge':
    case 'gaugehistogram':
    case 'info':
    case 'stateset':
      return 'gauge';
    default:
      return null;
  }
}
