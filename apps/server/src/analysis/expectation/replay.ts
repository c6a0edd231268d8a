import { LRUCache } from 'lru-cache';
import {
  accountOf,
  detectSeries,
  type RecordedOpening,
  type SeriesMoment,
  type SeriesTerms,
  type VerdictAccount,
} from '#libs/detection';
import { type MetricType } from '#libs/contracts';
import { HOUR } from '../../common/time.js';

/** A stored series, the settings of its detector, and the requested results. */
export interface ReplayRequest {
  /** The same for all requests of a metric. */
  metricId: number;
  timestamps: Float64Array;
  values: Float64Array;
  type: MetricType;
  slotSeconds: number;
  timezone: string;
  /** The detection terms from the tuning of the series; null: the defaults. */
  terms: SeriesTerms | null;
  /** First row with a requested verdict; the rows before it are the warm-up. */
  firstRow: number;
}

/** A stored series, and an anomaly in it to be explained. */
export interface AccountRequest extends Pick<
  ReplayRequest,
  'timestamps' | 'values' | 'type' | 'slotSeconds' | 'timezone' | 'terms'
> {
  recorded: RecordedOpening;
  /** Additional rows of the series around the opening. */
  shape: { from: number; until: number };
}

/** An explanation, and the analysed values (for counters the rate) of the requested rows. */
export interface AccountResult {
  account: VerdictAccount;
  timestamps: Float64Array;
  values: Float64Array;
}

/** Verdicts of the rows from `firstRow` on; columns as in SeriesVerdicts. */
export interface ReplayResult {
  values: Float64Array;
  yhat: Float64Array;
  lower: Float64Array;
  upper: Float64Array;
  alarm: Float64Array;
  anomalous: Uint8Array;
  kind: Uint8Array;
}

/** Maximum number of metrics whose last detector state is cached, about 7 KB each. */
const KEPT_MOMENTS = 2000;
/** A state is cached at the start of one of these intervals: successive windows share it. */
const STRETCH_SECONDS = 6 * HOUR;

interface KeptMoment extends SeriesMoment {
  /** Hash of the rows before the cached state. */
  fingerprint: string;
}

/**
 * Runs detectors on stored series. The next window of a metric is usually near the last one: the run then continues
 * from a cached state shortly before it, provided that no row before that state has changed.
 */
export class Replays {
  private readonly moments = new LRUCache<string, KeptMoment>({ max: KEPT_MOMENTS });

  replay({ metricId, timestamps, values, type, slotSeconds, timezone, terms, firstRow }: ReplayRequest): ReplayResult {
    const key = [metricId, type, slotSeconds, timezone, JSON.stringify(terms)].join(' ');
    const known = this.moments.get(key);
    const isGood =
      known !== undefined &&
      known.row <= firstRow &&
      known.fingerprint === fingerprintOf(timestamps, values, known.row);
    const keepBefore = rowToKeep(timestamps, firstRow);
    const verdicts = detectSeries(timestamps, values, {
      type,
      slotSeconds,
      timezone,
      ...terms,
      keepBefore,
      ...(isGood && { resumeAt: known }),
    });
    const { moment } = verdicts;
    if (moment !== undefined) {
      this.moments.set(key, { ...moment, fingerprint: fingerprintOf(timestamps, values, moment.row) });
    }
    return {
      values: verdicts.values.slice(firstRow),
      yhat: verdicts.yhat.slice(firstRow),
      lower: verdicts.lower.slice(firstRow),
      upper: verdicts.upper.slice(firstRow),
      alarm: verdicts.alarm.slice(firstRow),
      anomalous: verdicts.anomalous.slice(firstRow),
      kind: verdicts.kind.slice(firstRow),
    };
  }
}

/** Runs the detector on a series and on changed versions of it, to find why an anomaly opened. */
export function accountFor(request: AccountRequest): AccountResult {
  const { recorded, shape, timestamps, values, terms, ...series } = request;
  const options = { ...series, ...terms };
  const account = accountOf(timestamps, values, options, recorded);
  const first = timestamps.findIndex((time) => time >= shape.from);
  const after = timestamps.findIndex((time) => time > shape.until);
  const [from, until] = [first < 0 ? timestamps.length : first, after < 0 ? timestamps.length : after];
  const analysed = analysedOf(timestamps, values, options, from, until);
  return { account, timestamps: timestamps.slice(from, until), values: analysed };
}

/** Values as the detector sees them, which depend at most on the preceding row. */
function analysedOf(
  timestamps: Float64Array,
  values: Float64Array,
  options: Pick<ReplayRequest, 'type' | 'slotSeconds'>,
  from: number,
  until: number,
): Float64Array {
  const before = Math.max(0, from - 1);
  return detectSeries(timestamps.slice(before, until), values.slice(before, until), options).values.slice(
    from - before,
  );
}

/** The first row of the interval of `firstRow`. */
function rowToKeep(timestamps: Float64Array, firstRow: number): number {
  const first = timestamps[firstRow];
  if (first === undefined) return firstRow;
  const start = Math.floor(first / STRETCH_SECONDS) * STRETCH_SECONDS;
  let row = firstRow;
  while (row > 0 && timestamps[row - 1]! >= start) row--;
  return row;
}

/** FNV-1a over the bits of the first rows, with two offsets: 64 bits. */
function fingerprintOf(timestamps: Float64Array, values: Float64Array, rows: number): string {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (const column of [timestamps, values]) {
    const words = new Uint32Array(column.buffer, column.byteOffset, rows * 2);
    for (const word of words) {
      low = Math.imul(low ^ word, 0x01000193);
      high = Math.imul(high ^ (word >>> 15) ^ (word << 17), 0x85ebca6b);
    }
  }
  return `${String(rows)} ${String(low >>> 0)} ${String(high >>> 0)}`;
}
