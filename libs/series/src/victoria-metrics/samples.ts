import { lowerBound, type PointColumns } from '../points/point-columns.js';
import { ROLLUP_LABEL, type RollupDay, rollupDaysOf, rollupLines, ROLLUP_NAME } from './rollup-samples.js';
import { type SeriesName } from './series-name.js';
import { halvesOf, isExact, roughSample, roundedSample, valueOf } from './exact-values.js';
import { type ExportedLine, type SampleLine } from './vm-client.js';

/** Contains the id of a series, and its generation after a hyphen unless it is the first. */
const ID_LABEL = 'plumbline_id';
const ORG_LABEL = 'plumbline_org';
/** Name and label of the halves of values. */
const HALVES_NAME = 'plumbline_exact';
const HALF_LABEL = 'half';
const HALVES = ['high', 'low'] as const;
/** Default number of labels beyond which a server drops them. */
const MAX_OWN_LABELS = 27;
const NAME_OF_UNNAMED = 'plumbline_series';

/**
 * A slot as samples: its start, and the number of milliseconds by which it is later than the first write of the slot.
 */
export interface NewSample {
  timestamp: number;
  later: number;
  value: number;
}

/** Maximum number of samples per slot: all within its first second. */
export const MAX_SAMPLES_OF_SLOT = 1000;

/** Points of a series in an answer, and roll-ups that came from another store. */
export interface FoundPoints extends PointColumns {
  /** Milliseconds by which the newest sample of each slot is later than its start. */
  later: Float64Array;
  /** Oldest first. */
  days: RollupDay[];
}

export const NOTHING_FOUND: FoundPoints = {
  timestamps: new Float64Array(),
  values: new Float64Array(),
  later: new Float64Array(),
  days: [],
};

export function idLabelOf(id: number, generation: number): string {
  return generation === 0 ? String(id) : `${String(id)}-${String(generation)}`;
}

export function selectorOf(idLabels: readonly string[]): string {
  // Digits and hyphens: none of them is special in a regular expression.
  return idLabels.length === 1 ? `{${ID_LABEL}="${idLabels[0]!}"}` : `{${ID_LABEL}=~"${idLabels.join('|')}"}`;
}

/** The lines with samples of a series. @param isWild the halves of all values are needed */
export function linesOf(
  idLabel: string,
  { org, name, labels }: SeriesName,
  samples: readonly NewSample[],
  isWild: boolean,
): SampleLine[] {
  const timestamps = samples.map(({ timestamp, later }) => timestamp * 1000 + later);
  const lines: SampleLine[] = [
    {
      metric: {
        ...ownLabels(labels),
        __name__: shownName(name),
        [ID_LABEL]: idLabel,
        [ORG_LABEL]: String(org),
      },
      timestamps,
      values: samples.map(({ value }) => (isWild ? roughSample(value) : roundedSample(value))),
    },
  ];
  const inexact = [...samples.keys()].filter((i) => isWild || !isExact(samples[i]!.value));
  if (inexact.length === 0) return lines;
  for (const half of HALVES) {
    lines.push({
      metric: { __name__: HALVES_NAME, [HALF_LABEL]: half, [ID_LABEL]: idLabel, [ORG_LABEL]: String(org) },
      timestamps: inexact.map((i) => timestamps[i]!),
      values: inexact.map((i) => halvesOf(samples[i]!.value)[half]),
    });
  }
  return lines;
}

/** The lines with roll-ups of a series, for this store and for MetricsQL. */
export function linesOfRollups(
  idLabel: string,
  { org, name, labels }: SeriesName,
  days: readonly RollupDay[],
): SampleLine[] {
  const id = { [ID_LABEL]: idLabel, [ORG_LABEL]: String(org) };
  return rollupLines(days, { id, own: ownLabels(labels), name: shownName(name) });
}

function ownLabels(labels: SeriesName['labels']): Record<string, string> {
  const sorted = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.slice(0, MAX_OWN_LABELS));
}

const shownName = (name: string): string => (name === '' ? NAME_OF_UNNAMED : name);

interface Gathered {
  rollups: ExportedLine[];
  samples: Map<number, number>;
  high: Map<number, number>;
  low: Map<number, number>;
}

/** The exported points, by the label with the id: the newest value of each slot, ascending. */
export function pointsOf(lines: readonly ExportedLine[]): Map<string, FoundPoints> {
  const found = new Map<string, Gathered>();
  for (const line of lines) {
    const { metric, timestamps, values } = line;
    const label = metric[ID_LABEL]!;
    const gathered: Gathered = found.get(label) ?? { samples: new Map(), high: new Map(), low: new Map(), rollups: [] };
    found.set(label, gathered);
    if (metric[ROLLUP_LABEL] !== undefined) continue;
    if (metric.__name__ === ROLLUP_NAME) {
      gathered.rollups.push(line);
      continue;
    }
    const half = HALVES.find((name) => metric.__name__ === HALVES_NAME && metric[HALF_LABEL] === name);
    const to = gathered[half ?? 'samples'];
    for (const [i, timestamp] of timestamps.entries()) to.set(timestamp, numberOf(values[i]));
  }
  return new Map(Array.from(found, ([label, gathered]) => [label, newestOf(gathered)]));
}

/** Row of a slot; undefined if there is none. */
export function rowOf({ timestamps }: PointColumns, timestamp: number): number | undefined {
  const row = lowerBound(timestamps, timestamp);
  return timestamps[row] === timestamp ? row : undefined;
}

function newestOf({ samples, high, low, rollups }: Gathered): FoundPoints {
  const newest = new Map<number, number>();
  for (const sample of samples.keys()) {
    const slot = Math.floor(sample / 1000);
    if (sample > (newest.get(slot) ?? -1)) newest.set(slot, sample);
  }
  const timestamps = Float64Array.from(newest.keys()).sort();
  const later = timestamps.map((slot) => newest.get(slot)! - slot * 1000);
  const values = timestamps.map((slot) => {
    const sample = newest.get(slot)!;
    const [upper, lower] = [high.get(sample), low.get(sample)];
    return upper === undefined || lower === undefined ? samples.get(sample)! : valueOf(upper, lower);
  });
  return { timestamps, values, later, days: rollupDaysOf(rollups) };
}

/** A value beyond float64 is exported as text, one that is not a number as null: all of them also have halves. */
function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number(value);
}
