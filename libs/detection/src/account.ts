import { ANOMALY_KINDS, type AnomalyKind } from '#libs/contracts';
import { detectSeries, type DetectSeriesOptions } from './detect-series.js';
import { type EvidenceName, EVIDENCE_NAMES } from './series/judgement/evidence.js';
import { type AnomalyEvent, type SeriesMoment, type SeriesVerdicts } from './types.js';

/**
 * Explains why an anomaly opened, and which changes would have prevented it. The detector runs again over the same rows
 * and over changed rows. Nothing is estimated: every statement is the result of a run.
 */

/** Incremented with every change of the detector that can change the verdicts of a series. */
export const DETECTOR_VERSION = 10;

/** Number of rows before the opening that may be part of the cause of the anomaly. */
const RUN_UP_ROWS = 60;
/** Number of rows after the opening in which a changed series must open no anomaly. */
const FOLLOWING_ROWS = 240;
/** The limit is searched to the first share of its distance from the peak, and rounded within the second one. */
const PRECISION = 1 / 500;
const ROUNDING = 1 / 50;
const MAX_TRIES = 12;
/** Maximum number of silent slots that are tried. */
const MAX_SILENT_SLOTS = 100_000;

/** The data of a recorded anomaly. */
export interface RecordedOpening {
  /** Unix seconds: first and last anomalous slot; the last one is null while the anomaly is open. */
  start: number;
  end: number | null;
  kind: AnomalyKind;
}

/** Changes with which an anomaly would not have opened. */
export interface Counterfactual {
  /** An anomaly does not open if all its values are on this side of `value`; null if no single limit prevents it. */
  side: 'below' | 'above' | null;
  value: number | null;
  /** The smallest tried limit with which the anomaly still opened; null if `value` is null. */
  opensAt: number | null;
  /** The anomaly would not have opened if it had been shorter than this; null if the first slot was enough. */
  seconds: number | null;
}

/** The explanation of a verdict, computed by a run over the stored rows. */
export interface VerdictAccount {
  /** True if an anomaly opened at the same slot. If false, there are no other statements. */
  isReproduced: boolean;
  /** Unix seconds: the rows that were read. */
  from: number;
  until: number;
  /**
   * At the slot that opened the anomaly: evidence of each kind, in limits, and evidence over its bar as a score (0..1).
   */
  parts: Record<EvidenceName, number> | null;
  alarm: number | null;
  expected: number | null;
  lower: number | null;
  upper: number | null;
  counterfactual: Counterfactual | null;
}

/**
 * Runs the detector over the rows of a series up to the end of a recorded anomaly. Columns and options are those of
 * `detectSeries`. Throws RangeError if the columns differ in length.
 */
export function accountOf(
  timestamps: Float64Array,
  values: Float64Array,
  options: DetectSeriesOptions,
  recorded: RecordedOpening,
): VerdictAccount {
  const { slotSeconds = 0 } = options;
  const first = rowFrom(timestamps, slotSeconds > 0 ? floorTo(recorded.start, slotSeconds) : recorded.start);
  const afterEnd = rowFrom(timestamps, (recorded.end ?? Infinity) + 1);
  const rows = Math.min(timestamps.length, Math.max(afterEnd, first + 1), first + FOLLOWING_ROWS);
  const series = { timestamps: timestamps.subarray(0, rows), values: values.subarray(0, rows) };
  const keepBefore = Math.max(0, Math.min(first, rows - 1) - RUN_UP_ROWS);
  const run = detectSeries(series.timestamps, series.values, { ...options, evidenceAt: first, keepBefore });
  const isReproduced = run.anomalies.some(
    ({ type, startTimestamp }) => type !== 'closed' && startTimestamp === recorded.start,
  );
  const nothing: VerdictAccount = {
    isReproduced,
    from: timestamps[0] ?? recorded.start,
    until: timestamps[rows - 1] ?? recorded.start,
    parts: null,
    alarm: null,
    expected: null,
    lower: null,
    upper: null,
    counterfactual: null,
  };
  if (recorded.kind === 'missing_data') return { ...nothing, ...silenceOf(series, first, options, recorded) };
  if (!isReproduced || first >= rows) return nothing;
  const finite = (column: Float64Array): number | null => (Number.isFinite(column[first]!) ? column[first]! : null);
  const parts = Object.fromEntries(EVIDENCE_NAMES.map((name, kind) => [name, run.evidence![kind]!]));
  return {
    ...nothing,
    parts: parts as Record<EvidenceName, number>,
    alarm: run.alarm[first]!,
    expected: finite(run.yhat),
    lower: finite(run.lower),
    upper: finite(run.upper),
    counterfactual: new Trial(series, run, first, options).counterfactual(recorded.kind),
  };
}

interface Rows {
  timestamps: Float64Array;
  values: Float64Array;
}

/** The rows around an opening, which are judged repeatedly with changed values. */
class Trial {
  private readonly moment: SeriesMoment;
  private readonly timestamps: Float64Array;
  private readonly raw: Float64Array;
  private readonly analysed: Float64Array;
  private readonly yhat: Float64Array;
  private readonly lower: Float64Array;
  private readonly upper: Float64Array;
  /** Row of the opening. */
  private readonly at: number;

  constructor(
    series: Rows,
    run: SeriesVerdicts,
    first: number,
    private readonly options: DetectSeriesOptions,
  ) {
    this.moment = { row: 0, state: run.moment!.state };
    const begin = run.moment!.row;
    this.at = first - begin;
    this.timestamps = series.timestamps.slice(begin);
    this.raw = series.values.slice(begin);
    this.analysed = run.values.slice(begin);
    this.yhat = run.yhat.slice(begin);
    this.lower = run.lower.slice(begin);
    this.upper = run.upper.slice(begin);
  }

  counterfactual(kind: AnomalyKind): Counterfactual | null {
    const { at } = this;
    const isUp = this.analysed[at]! >= this.yhat[at]!;
    const rows = kind === 'flatline' ? at + 1 - this.beginOfStillness() : this.rowsNeeded();
    const begin = Math.min(at + 1 - rows, this.beginOfRun(isUp));
    const limit = kind === 'flatline' || kind === 'variance_change' ? null : this.limit(isUp, begin);
    const seconds = rows > 1 ? this.timestamps[at]! - this.timestamps[at - rows + 1]! + this.step() : null;
    if (limit === null && seconds === null) return null;
    const side = limit === null ? null : isUp ? 'below' : 'above';
    return { side, value: limit?.value ?? null, opensAt: limit?.opensAt ?? null, seconds };
  }

  /**
   * Number of rows up to the opening that are needed for it if the rows before them are as expected; 1: this row alone
   * is enough.
   */
  private rowsNeeded(): number {
    const { at, raw, analysed, yhat, timestamps } = this;
    // A change of one row of a counter also changes all rows after it.
    if (this.options.type !== 'gauge') return 1;
    const opensAfter = (rows: number): boolean => {
      const changed = raw.slice(0, at + 1);
      for (let row = 0; row <= at - rows; row++) if (Number.isFinite(yhat[row]!)) changed[row] = yhat[row]!;
      return this.openings(changed).some(({ startTimestamp }) => startTimestamp === timestamps[at]);
    };
    if (!Number.isFinite(analysed[at]!) || opensAfter(1)) return 1;
    let [few, enough] = [1, at];
    if (!opensAfter(enough)) return 1;
    while (enough - few > 1) {
      const middle = Math.floor((few + enough) / 2);
      if (opensAfter(middle)) enough = middle;
      else few = middle;
    }
    return enough;
  }

  /** The largest distance from the usual value that opens no anomaly if all values beyond it are clamped to it. */
  private limit(isUp: boolean, begin: number): { value: number; opensAt: number } | null {
    const sign = isUp ? 1 : -1;
    const usual = this.yhat[this.at]!;
    let most = -Infinity;
    for (let row = begin; row < this.analysed.length; row++) most = Math.max(most, sign * this.analysed[row]!);
    const opens = (bound: number): boolean => this.opens(this.limited(begin, sign, bound), begin);
    let quiet = sign * usual;
    let loud = most;
    if (!(loud > quiet) || opens(quiet)) return null;
    const wanted = (loud - quiet) * PRECISION;
    for (let tries = 0; tries < MAX_TRIES && loud - quiet > wanted; tries++) {
      const middle = (quiet + loud) / 2;
      if (opens(middle)) loud = middle;
      else quiet = middle;
    }
    const rounded = roundedDown(quiet, (quiet - sign * usual) * ROUNDING);
    const value = rounded > sign * usual && !opens(rounded) ? rounded : quiet;
    return { value: sign * value, opensAt: sign * loud };
  }

  /**
   * The raw values, with the analysed values from `begin` on clamped to a limit; `bound` and the values are multiplied
   * by `sign`.
   */
  private limited(begin: number, sign: number, bound: number): Float64Array {
    const changed = this.raw.slice();
    let less = 0;
    for (let row = begin; row < changed.length; row++) {
      const value = this.analysed[row]!;
      const beyond = Math.max(0, sign * value - bound) * sign;
      const isKnown = Number.isFinite(value) && Number.isFinite(beyond);
      if (this.options.type === 'counter') {
        // A counter that was reset counts from zero.
        if (row > 0 && this.raw[row]! < this.raw[row - 1]!) less = 0;
        if (isKnown && row > 0) less += beyond * (this.timestamps[row]! - this.timestamps[row - 1]!);
        changed[row] = this.raw[row]! - less;
      } else if (isKnown && beyond !== 0) {
        changed[row] = value === 0 ? 0 : this.raw[row]! * ((sign * bound) / value);
      }
    }
    return changed;
  }

  private step(): number {
    const { at } = this;
    const { slotSeconds = 0 } = this.options;
    return slotSeconds > 0 ? slotSeconds : this.timestamps[at]! - this.timestamps[at - 1]!;
  }

  /** First of the rows before the opening that were outside their range on the same side. */
  private beginOfRun(isUp: boolean): number {
    let begin = this.at;
    while (begin > 0) {
      const value = this.analysed[begin - 1]!;
      const isOutside = isUp ? value > this.upper[begin - 1]! : value < this.lower[begin - 1]!;
      if (!isOutside) break;
      begin--;
    }
    return begin;
  }

  private beginOfStillness(): number {
    let begin = this.at;
    while (begin > 0 && this.analysed[begin - 1] === this.analysed[this.at]) begin--;
    return begin;
  }

  /** True if an anomaly of values opens at or after row `begin`. Values that the limit makes constant are ignored. */
  private opens(raw: Float64Array, begin: number): boolean {
    const since = this.timestamps[begin]!;
    return this.openings(raw).some((event) => event.startTimestamp >= since && isOfValues(event));
  }

  private openings(raw: Float64Array): AnomalyEvent[] {
    const { timestamps, moment, options } = this;
    return detectSeries(timestamps.subarray(0, raw.length), raw, { ...options, resumeAt: moment }).anomalies;
  }
}

const isOfValues = ({ kind }: AnomalyEvent): boolean => kind !== 'missing_data' && kind !== 'flatline';

/** The shortest silence that is reported: the next point is moved until no silence is reported any more. */
function silenceOf(
  { timestamps, values }: Rows,
  first: number,
  options: DetectSeriesOptions,
  { start, end }: RecordedOpening,
): Partial<VerdictAccount> {
  const last = first - 1;
  if (last < 1) return {};
  const step = options.slotSeconds && options.slotSeconds > 0 ? options.slotSeconds : start - timestamps[last]!;
  const run = detectSeries(timestamps.subarray(0, first), values.subarray(0, first), { ...options, keepBefore: last });
  const resumeAt = { row: 0, state: run.moment!.state };
  const opens = (slots: number): boolean => {
    const times = Float64Array.of(timestamps[last]!, timestamps[last]! + slots * step);
    const rows = Float64Array.of(values[last]!, values[last]!);
    const { anomalies } = detectSeries(times, rows, { ...options, resumeAt });
    return anomalies.some(({ kind }) => kind === ANOMALY_KINDS[SILENCE]);
  };
  const known = end === null ? MAX_SILENT_SLOTS : Math.ceil((end - timestamps[last]!) / step) + 1;
  let loud = Math.min(MAX_SILENT_SLOTS, Math.max(2, known));
  if (!opens(loud)) return {};
  let quiet = 1;
  while (loud - quiet > 1) {
    const middle = Math.floor((quiet + loud) / 2);
    if (opens(middle)) loud = middle;
    else quiet = middle;
  }
  const counterfactual = { side: null, value: null, opensAt: null, seconds: loud * step };
  return { isReproduced: true, counterfactual };
}

const SILENCE = ANOMALY_KINDS.indexOf('missing_data');

const floorTo = (time: number, step: number): number => Math.floor(time / step) * step;

/** The first row at or after a time; the number of rows if there is none. */
function rowFrom(timestamps: Float64Array, time: number): number {
  const row = timestamps.findIndex((timestamp) => timestamp >= time);
  return row < 0 ? timestamps.length : row;
}

/**
 * Rounds towards minus infinity, to a multiple of the largest 1, 2 or 5 times a power of ten that is at most `room`.
 */
function roundedDown(value: number, room: number): number {
  if (!(room > 0)) return value;
  const power = 10 ** Math.floor(Math.log10(room));
  const step = [5, 2, 1].map((digit) => digit * power).find((candidate) => candidate <= room) ?? power;
  // Not divided by the step: 0.1 has no exact binary representation, but 10 has.
  const rounded = step < 1 ? Math.floor(value * (1 / step)) / Math.round(1 / step) : Math.floor(value / step) * step;
  return Number.isFinite(rounded) ? rounded : value;
}
