import { type CloseReason } from '#libs/contracts';
import { type AnomalyEvent } from '../types.js';
import { continueAnomaly, openAnomaly, OPEN_NONE, OPEN_VALUES, slotScore } from './anomaly-state.js';
import { ExpectedRange } from './expected-range.js';
import { F } from './layout.js';
import { acceptNewNormal, calm, follow, learn, learnAside, restartDeviations } from './learning.js';
import { Measurement } from './measurement.js';
import { rememberValue } from './novelty.js';
import { chooseSeason, recordSeason, SeasonalPoint } from './season.js';
import { rememberRange } from './seen-range.js';
import { type SeriesRecord } from './series-record.js';
import { type ZoneClock } from './zone-clock.js';

const { max, min } = Math;

/** Points before the first verdict. */
export const WARM_UP_POINTS = 100;
/** Values further from the first one than this are taken as this far away: squares stay finite, floats do not overflow. */
const FARTHEST = 1e36;

/** The verdict of one slot, in the series' own unit. NaN before the warm-up is over. */
export interface Verdict {
  value: number;
  yhat: number;
  lower: number;
  upper: number;
  /** 0..1; 0.5 and more is anomalous. */
  score: number;
  anomalous: boolean;
}

/**
 * The detector of one analysed value after the other. It owns scratch space only; all memory lies in the record, so
 * one detector serves any number of series.
 */
export class SeriesDetector {
  readonly verdict: Verdict = { value: NaN, yhat: NaN, lower: NaN, upper: NaN, score: 0, anomalous: false };
  private readonly season = new SeasonalPoint();
  private readonly measured = new Measurement();
  private readonly range = new ExpectedRange();

  /** `events` receives what happens to anomalies. */
  constructor(private readonly events: (event: AnomalyEvent) => void) {}

  /**
   * Scores a finite value (rate for counters) at a slot later than all before it, then learns it.
   * `backfill` marks an anomaly that opens here as history. The result is in `verdict` until the next call.
   */
  score(
    record: SeriesRecord,
    clock: ZoneClock,
    timestamp: number,
    value: number,
    seriesId: number,
    backfill: boolean,
  ): void {
    const { f } = record;
    const { season, measured, verdict } = this;
    if (f[F.count] === 0) begin(f, timestamp, value);
    const relative = max(-FARTHEST, min(FARTHEST, value - f[F.origin]!));
    const resolution = f[F.resolution]! > 0 ? f[F.resolution]! : 60;
    const slotsPerDay = max(1, 86_400 / resolution);
    season.locate(record, clock.localSeconds(timestamp));
    measured.take(record, season, relative);

    verdict.value = value;
    let closed: CloseReason | null = null;
    if (f[F.count]! < WARM_UP_POINTS) {
      verdict.yhat = verdict.lower = verdict.upper = NaN;
      verdict.score = 0;
      verdict.anomalous = false;
    } else {
      closed = this.judge(record, timestamp, resolution, seriesId, backfill);
    }

    if (f[F.open] === OPEN_VALUES || closed === 'adapted') learnAside(record, measured);
    else {
      learn(record, season, measured, slotsPerDay);
      f[F.rangeAge] = f[F.rangeAge]! - 1;
    }
    follow(record, measured, slotsPerDay);
    if (closed === 'adapted') acceptNewNormal(record);
    if (closed !== null) calm(f);
    rememberValue(record, relative);
    rememberRange(f, relative, measured.smooth, timestamp);
    recordSeason(record, season, relative);
    if (chooseSeason(record, season, relative, timestamp, slotsPerDay)) {
      restartDeviations(record);
      f[F.rangeAge] = 0;
    }
    f[F.count] = f[F.count]! + 1;
    f[F.lastAnalysed] = timestamp;
  }

  /** Verdict on the measured point; returns why an open anomaly closed with it. */
  private judge(
    record: SeriesRecord,
    timestamp: number,
    resolution: number,
    seriesId: number,
    backfill: boolean,
  ): CloseReason | null {
    const { f } = record;
    const { season, measured, range, verdict } = this;
    const origin = f[F.origin]!;
    range.read(record, season, measured);
    verdict.yhat = range.expected + origin;
    verdict.lower = range.lower + origin;
    verdict.upper = range.upper + origin;
    verdict.score = slotScore(f, measured.total, timestamp);
    verdict.anomalous = verdict.score >= 0.5;
    if (f[F.open] === OPEN_VALUES) {
      const event = continueAnomaly(record, measured, range, timestamp, verdict.score, resolution, seriesId);
      if (event === null) return null;
      this.events(event);
      return event.closeReason;
    }
    if (f[F.open] === OPEN_NONE && verdict.anomalous) {
      this.events(openAnomaly(record, season, measured, range, timestamp, verdict.score, seriesId, backfill));
    }
    return null;
  }
}

function begin(f: Float64Array, timestamp: number, value: number): void {
  f[F.origin] = value;
  f[F.firstAnalysed] = timestamp;
  f[F.previous] = 0;
  f[F.roughness] = 1;
}
