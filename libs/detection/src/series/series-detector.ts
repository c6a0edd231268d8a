import { type CloseReason } from '#libs/contracts';
import { type AnomalyEvent } from '../types.js';
import {
  continueAnomaly,
  endOfLastAnomalous,
  openAnomaly,
  OPEN_NONE,
  OPEN_VALUES,
  UNKNOWN_PACE_SECONDS,
} from './anomaly/anomaly-state.js';
import { scoreOf } from './judgement/alarm-score.js';
import { learnShape } from './expectation/distribution-shape.js';
import { type Lasting, LEFT_RANGE, NOTHING_LASTS, STAYS_OUTSIDE } from './judgement/evidence.js';
import { ExpectedRange, LASTING_SHARE } from './expectation/expected-range.js';
import { type Gates, isUnreported, reportedEvent } from './anomaly/gates.js';
import { Judge } from './judgement/judge.js';
import { B, F, P } from './record/layout.js';
import {
  acceptNewNormal,
  resetAfterAnomaly,
  follow,
  learn,
  learnAside,
  restartDeviations,
} from './learning/learning.js';
import { Measurement } from './expectation/measurement.js';
import { rememberRange } from './expectation/seen-range.js';
import { chooseSeason, recordSeason, SeasonalPoint } from './season/season.js';
import { restartAnalysis } from './reset-record.js';
import { searchSeason } from './learning/season-search.js';
import { type SeriesRecord } from './record/series-record.js';
import { type ZoneClock } from './points/zone-clock.js';

const { abs, max, min } = Math;

/** Number of points before the first verdict. */
export const WARM_UP_POINTS = 100;
/** The first value is unrelated to the series if its distance is this many ranges of the last rows. */
const ELSEWHERE = 1e4;
/** Number of rows of the warm-up after which the range of a series is known. */
const FIRST_RANGE_ROWS = 24;
/** Number of rows outside the expected range that open an anomaly, and their minimum distance in usual deviations. */
const OUTSIDE_ROWS = 8;
const OUTSIDE_LEAST_ROWS = 3;
const OUTSIDE_SECONDS = 3600;
const OUTSIDE_SPREADS = 6;
/** Mean deviation of the last rows, in usual deviations, from which a row outside the range is part of a shift. */
const SHIFTED_SPREADS = 10;
/** -log10 of the probability of a run of equal values that opens an anomaly. */
const STUCK_LEVEL = 7;
/** Evidence of a value that is still constant. */
const STILL_STUCK = 0.9;
/** Values further from the first one than this are clamped: squares stay finite, floats do not overflow. */
const FARTHEST = 1e36;
/** Values within this distance count as equal to it: values stored in floats must not vanish next to others. */
const NEAREST = 1e-30;

/** Input for the judgement of a series, in addition to its points. */
export interface JudgedBy {
  clock: ZoneClock;
  /** Factor of the evidence; for opening an anomaly, only if no budget was requested. */
  sensitivity: number;
  /** Requested number of false alarms a month; omitted: the default level. */
  budgetPerMonth?: number | undefined;
  gates: Gates;
}

/** Runs together with a detector, row by row, without any effect on its verdicts. */
export interface Companion {
  /** Called when a row has been measured and is not judged yet. */
  take(record: SeriesRecord, at: SeasonalPoint, measured: Measurement, sensitivity: number): void;
  /** Called when the row was a normal one. */
  learn(record: SeriesRecord, slotsPerDay: number): void;
  /** Called when another expectation has become active. */
  restartDeviations(): void;
  /** Called when the series is analysed again from the start. */
  restart(): void;
}

/** The verdict of one slot, in the unit of the series. NaN before the warm-up is over. */
export interface Verdict {
  value: number;
  yhat: number;
  lower: number;
  upper: number;
  /** Evidence over its bar, 0..1: an anomaly opens at 0.5. */
  alarm: number;
  /** True while an anomaly is open. */
  anomalous: boolean;
}

/**
 * Judges analysed values one at a time. The detector has only scratch space; all state is in the record, so one
 * detector serves any number of series.
 */
export class SeriesDetector {
  readonly verdict: Verdict = {
    value: NaN,
    yhat: NaN,
    lower: NaN,
    upper: NaN,
    alarm: 0,
    anomalous: false,
  };
  readonly measured = new Measurement();
  readonly judge = new Judge();
  readonly season = new SeasonalPoint();
  private readonly range = new ExpectedRange();

  /** `events` receives the events of anomalies. With a `companion`, the detector serves only one series. */
  constructor(
    private readonly events: (event: AnomalyEvent) => void,
    private readonly companion?: Companion,
  ) {}

  /**
   * Scores a finite value (a rate for counters) at a slot later than all before it, then learns it. `backfill` marks an
   * anomaly that opens here as history. The result is in `verdict` until the next call.
   */
  score(
    record: SeriesRecord,
    { clock, sensitivity, budgetPerMonth, gates }: JudgedBy,
    timestamp: number,
    value: number,
    seriesId: number,
    backfill: boolean,
  ): void {
    const { f, b } = record;
    const { season, measured, range, judge, verdict, companion } = this;
    judge.asked = budgetPerMonth;
    if (f[F.count] === WARM_UP_POINTS && abs(value) < FARTHEST && beganElsewhere(record)) {
      restartAnalysis(record);
      companion?.restart();
    }
    if (f[F.count] === 0) begin(record, timestamp, value);
    const away = max(-FARTHEST, min(FARTHEST, value - f[F.origin]!));
    const relative = abs(away) < NEAREST ? 0 : away;
    const resolution = f[F.resolution]! > 0 ? f[F.resolution]! : UNKNOWN_PACE_SECONDS;
    const slotsPerDay = max(1, 86_400 / resolution);
    season.resolution = resolution;
    season.locate(record, timestamp, clock.localSeconds(timestamp));
    measured.take(record, season, relative);
    companion?.take(record, season, measured, sensitivity);
    judge.expect(record, season);
    range.read(record, season, judge.forecasters, judge.sizes.hour);

    verdict.value = value;
    const wasOpen = b[B.open] === OPEN_VALUES;
    let closed: CloseReason | null = null;
    if (f[F.count]! < WARM_UP_POINTS) {
      verdict.yhat = verdict.lower = verdict.upper = NaN;
      verdict.alarm = 0;
      noteFirstRange(record, relative);
      verdict.anomalous = false;
      judge.take(record, season, relative, NOTHING_LASTS, 0);
    } else {
      judge.take(record, season, relative, this.lasting(record, resolution), this.stuckEvidence(record));
      // A requested budget sets only the level: chance reaches 1.5 times a value a hundred times less often.
      verdict.alarm = scoreOf(budgetPerMonth === undefined ? sensitivity * judge.evidence : judge.evidence, 1);
      closed = this.decide(record, gates, timestamp, resolution, seriesId, backfill);
    }

    if (b[B.open] === OPEN_VALUES || closed === 'adapted') learnAside(record, measured);
    else {
      learn(record, measured, slotsPerDay);
      learnShape(record.p, measured.ownDeviation);
      companion?.learn(record, slotsPerDay);
    }
    // Also for the row that opens an anomaly: it is one of the rows outside the range.
    if (!wasOpen) range.learn(record, relative);
    follow(record, measured, slotsPerDay);
    if (closed === 'adapted') acceptNewNormal(record, timestamp - f[F.start]!);
    if (closed !== null) {
      resetAfterAnomaly(record);
      judge.sizes.resetAfterAnomaly(record);
      if (closed === 'adapted') judge.accept(record, season);
      else judge.close(record, season);
    }
    rememberRange(record, relative, measured.smooth, timestamp);
    recordSeason(record, season, relative);
    if (chooseSeason(record, season, relative, timestamp, slotsPerDay)) {
      restartDeviations(record);
      companion?.restartDeviations();
    }
    searchSeason(record, timestamp, relative);
    f[F.count] = f[F.count]! + 1;
    f[F.lastAnalysed] = timestamp;
  }

  /**
   * Evidence that lasts but that no single row shows: rows that stay outside the range, a small shift, a creep out of
   * the range of days.
   */
  private lasting(record: SeriesRecord, resolution: number): Lasting {
    const { b } = record;
    const staysOutside = this.staysOutside(record, resolution);
    if (b[B.open] === OPEN_VALUES) return NOTHING_LASTS;
    const { measured, range } = this;
    if (measured.hasLeftRange) return LEFT_RANGE;
    const hasShifted = abs(measured.zSustained) > SHIFTED_SPREADS && range.sideOf(measured.value, LASTING_SHARE) !== 0;
    return staysOutside || hasShifted ? STAYS_OUTSIDE : NOTHING_LASTS;
  }

  /** Evidence of a constant value: news once, later only its continuation. */
  private stuckEvidence({ b }: SeriesRecord): number {
    const { measured } = this;
    if (measured.frozen === 0) return 0;
    return b[B.open] === OPEN_VALUES ? STILL_STUCK : measured.frozen / STUCK_LEVEL;
  }

  /**
   * Successive rows outside the expected range on one side are not chance. This also detects anomalies in series whose
   * rare huge values make every size look possible.
   */
  private staysOutside({ p, b }: SeriesRecord, resolution: number): boolean {
    const side = this.range.sideOf(this.measured.value, LASTING_SHARE);
    const before = p[P.outsideRun]!;
    const run = side === 0 ? 0 : before * side > 0 ? before + side : side;
    p[P.outsideRun] = run;
    const isFar = abs(this.measured.zChange) > OUTSIDE_SPREADS;
    const rows = max(OUTSIDE_LEAST_ROWS, min(OUTSIDE_ROWS, OUTSIDE_SECONDS / resolution));
    return b[B.open] !== OPEN_VALUES && abs(run) >= rows && isFar;
  }

  /** Verdict on the measured point; returns why an open anomaly closed with it. */
  private decide(
    record: SeriesRecord,
    gates: Gates,
    timestamp: number,
    resolution: number,
    seriesId: number,
    backfill: boolean,
  ): CloseReason | null {
    const { f, b } = record;
    const { season, measured, judge, range, verdict } = this;
    const origin = f[F.origin]!;
    verdict.yhat = range.expected + origin;
    verdict.lower = range.drawnLower + origin;
    verdict.upper = range.drawnUpper + origin;
    let reason: CloseReason | null = null;
    if (b[B.open] === OPEN_VALUES) {
      const wasUnreported = isUnreported(record);
      const event = continueAnomaly(record, measured, judge, range, timestamp, verdict.alarm, resolution, seriesId);
      // The rows of the return do not count.
      this.report(reportedEvent(record, event, gates, endOfLastAnomalous(record), wasUnreported));
      reason = event?.closeReason ?? null;
    } else if (b[B.open] === OPEN_NONE && verdict.alarm >= 0.5) {
      const { alarm } = verdict;
      const missed = judge.sizes.isMissed ? judge.forecasters.missed : 0;
      const event = openAnomaly(record, season, measured, judge, range, timestamp, alarm, missed, seriesId, backfill);
      this.report(reportedEvent(record, event, gates, endOfLastAnomalous(record), false));
    }
    verdict.anomalous = b[B.open] === OPEN_VALUES;
    return reason;
  }

  private report(event: AnomalyEvent | null): void {
    if (event !== null) this.events(event);
  }
}

/** Records the range of the last rows of the warm-up. */
function noteFirstRange({ f }: SeriesRecord, value: number): void {
  const isFirst = f[F.count]! <= WARM_UP_POINTS - FIRST_RANGE_ROWS;
  f[F.rangeBeforeMin] = isFirst ? value : min(f[F.rangeBeforeMin]!, value);
  f[F.rangeBeforeMax] = isFirst ? value : max(f[F.rangeBeforeMax]!, value);
}

/**
 * True if the first value is unrelated to the series (an overflow of a counter, a placeholder of the sender): values
 * are stored relative to it, and would lose their own digits.
 */
function beganElsewhere({ f, p }: SeriesRecord): boolean {
  const low = f[F.rangeBeforeMin]!;
  const high = f[F.rangeBeforeMax]!;
  const distance = max(low, -high);
  // A constant after an unrelated first value has lost no digits; a series that changes but has no range has.
  return distance >= FARTHEST / 2 || (p[P.sameShare]! < 0.5 && distance > ELSEWHERE * (high - low));
}

function begin({ f }: SeriesRecord, timestamp: number, value: number): void {
  f[F.origin] = value;
  f[F.firstAnalysed] = timestamp;
  f[F.previous] = 0;
}
