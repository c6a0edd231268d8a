import { type Aggregation, type MetricType } from '#libs/contracts';
import { analysedValue } from './series/points/analysed-value.js';
import { noteInterval } from './series/points/pace.js';
import { gatesOf } from './series/anomaly/gates.js';
import { B, F, RECORD_BYTES } from './series/record/layout.js';
import { createRecord } from './series/reset-record.js';
import { type Companion, SeriesDetector } from './series/series-detector.js';
import { crossGap } from './series/silence.js';
import { ZoneClock } from './series/points/zone-clock.js';
import { type AnomalyEvent, type SeriesMoment, type SeriesTerms, type SeriesVerdicts } from './types.js';

/** Options for reading a stored series. */
export interface DetectSeriesOptions extends SeriesTerms {
  type: MetricType;
  /** Ignored, because rows are slots already; accepted so that the definition of a metric can be passed on. */
  aggregation?: Aggregation;
  /** Slot length in seconds of a stored series; omitted, every row is a separate slot. */
  slotSeconds?: number;
  /** IANA zone in which time of day and day of week are read; UTC when omitted. */
  timezone?: string;
  /** Id in the events; 0 when omitted. */
  seriesId?: number;
  /** Return the evidence of this row, by kind. */
  evidenceAt?: number;
  /** Continue from here: the rows before it are not run again and have no verdict in the result. */
  resumeAt?: SeriesMoment;
  /** Keep the moment before this row, for a later run over the same rows. */
  keepBefore?: number;
}

/** Runs together with a detector. `note` receives each row that has a verdict, after it is judged. */
export interface RunCompanion extends Companion {
  note(row: number): void;
}

/**
 * Runs the detector over one stored series, point by point, with the same code as a live shard. Timestamps in Unix
 * seconds. The verdict of a row depends only on this row and earlier ones. Rows without a verdict have NaN and score 0:
 * the warm-up, values that are not finite, timestamps that are not later than all before them, and the first reading of
 * a counter.
 *
 * Throws RangeError if the two columns differ in length.
 */
export function detectSeries(
  timestamps: Float64Array,
  values: Float64Array,
  options: DetectSeriesOptions,
  companion?: RunCompanion,
): SeriesVerdicts {
  const rows = timestamps.length;
  if (values.length !== rows) throw new RangeError(`${rows} timestamps but ${values.length} values`);
  const { type, slotSeconds = 0, timezone = 'UTC', seriesId = 0, periodSeconds } = options;
  const { sensitivity = 1, budgetPerMonth } = options;
  const anomalies: AnomalyEvent[] = [];
  const note = (event: AnomalyEvent): void => {
    anomalies.push(event);
  };
  const detector = new SeriesDetector(note, companion);
  const gates = gatesOf(options);
  const terms = { clock: new ZoneClock(timezone), sensitivity, budgetPerMonth, gates };
  const bytes = new ArrayBuffer(RECORD_BYTES);
  const record = createRecord(periodSeconds, bytes);
  const { f, b } = record;
  const { resumeAt, keepBefore, evidenceAt } = options;
  if (resumeAt !== undefined) new Uint8Array(bytes).set(resumeAt.state);
  const result: SeriesVerdicts = {
    values: new Float64Array(rows).fill(NaN),
    yhat: new Float64Array(rows).fill(NaN),
    lower: new Float64Array(rows).fill(NaN),
    upper: new Float64Array(rows).fill(NaN),
    alarm: new Float64Array(rows),
    kind: new Uint8Array(rows),
    anomalous: new Uint8Array(rows),
    anomalies,
  };
  const { shown } = detector.judge.sizes;
  if (evidenceAt !== undefined) result.evidence = shown.slice().fill(NaN);
  const { verdict } = detector;
  for (let row = resumeAt?.row ?? 0; row < rows; row++) {
    if (row === keepBefore) result.moment = { row, state: new Uint8Array(bytes.slice(0)) };
    const slot = slotSeconds > 0 ? Math.floor(timestamps[row]! / slotSeconds) * slotSeconds : timestamps[row]!;
    const raw = values[row]!;
    if (!Number.isFinite(raw) || !Number.isFinite(slot) || slot <= f[F.newestSlot]!) continue;
    crossGap(record, gates, slot, slotSeconds, seriesId, true, note);
    if (!Number.isNaN(f[F.newestPoint]!)) noteInterval(record, slot - f[F.newestPoint]!);
    f[F.newestPoint] = f[F.newestSlot] = slot;
    const value = analysedValue(record, type, slot, raw, slotSeconds, f[F.resolution]!);
    if (Number.isNaN(value)) continue;
    detector.score(record, terms, slot, value, seriesId, true);
    result.values[row] = verdict.value;
    result.yhat[row] = verdict.yhat;
    result.lower[row] = verdict.lower;
    result.upper[row] = verdict.upper;
    result.alarm[row] = verdict.alarm;
    result.kind[row] = verdict.anomalous ? 1 + b[B.kind]! : 0;
    result.anomalous[row] = verdict.anomalous ? 1 : 0;
    companion?.note(row);
    if (row === evidenceAt) result.evidence!.set(shown);
  }
  return result;
}
