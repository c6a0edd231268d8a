import { type CloseReason } from '#libs/contracts';
import { type AnomalyEvent } from '../types.js';
import { continueAnomaly, openAnomaly, OPEN_NONE, OPEN_VALUES } from './anomaly-state.js';
import {
  NOVELTY_LEVEL,
  noveltyEvidence,
  SCORE_LEVEL,
  scoreEvidence,
  scoreOf,
  scoreQuietRows,
  SPIKE_LEVEL,
  spikeEvidence,
  tellNovelty,
  tellScore,
} from './channels.js';
import { learnShape } from './distribution-shape.js';
import { ExpectedRange } from './expected-range.js';
import { type Gates, isUntold, told } from './gates.js';
import { Judge } from './judge.js';
import { F, LEVEL_ROWS, LEVEL_ROWS_AT } from './layout.js';
import { acceptNewNormal, calm, follow, learn, learnAside, restartDeviations } from './learning.js';
import { Measurement } from './measurement.js';
import { Parts } from './parts.js';
import { rememberRange } from './seen-range.js';
import { chooseSeason, recordSeason, SeasonalPoint } from './season.js';
import { restartAnalysis } from './reset-record.js';
import { searchSeason } from './season-search.js';
import { type SeriesRecord } from './series-record.js';
import { type ZoneClock } from './zone-clock.js';

const { abs, max, min } = Math;

/** Points before the first verdict. */
export const WARM_UP_POINTS = 100;
/** The first value is elsewhere when it is this many ranges of the last rows away. */
const ELSEWHERE = 1e4;
/** Rows outside of the expected range, this many usual deviations out, that open an anomaly, and its score. */
const OUTSIDE_ROWS = 8;
const OUTSIDE_LEAST_ROWS = 3;
const OUTSIDE_SECONDS = 3600;
const OUTSIDE_SPREADS = 6;
const STAYS_OUTSIDE = 1.1;
/** The same of a creep out of the range of days: near misses on its way raise the bar. */
const LEFT_RANGE = 1.4;
/** Evidence of a value that still stands still. */
const STILL_STUCK = 0.9;
/** Values further from the first one than this are taken as this far away: squares stay finite, floats do not overflow. */
const FARTHEST = 1e36;

/** How a series is judged, besides by its own points. */
export interface JudgedBy {
  clock: ZoneClock;
  /** Evidence counts this many times; of an anomaly only where no budget was asked for. */
  sensitivity: number;
  /** False alarms a month that were asked for; left out: the shipped level. */
  budgetPerMonth?: number | undefined;
  gates: Gates;
}

/** The verdict of one slot, in the series' own unit. NaN before the warm-up is over. */
export interface Verdict {
  value: number;
  yhat: number;
  lower: number;
  upper: number;
  /** 0..1 each; 0.5 and more is an alarm of that channel. */
  novelty: number;
  spike: number;
  score: number;
  /** Evidence over its bar, 0..1: an anomaly opens at 0.5. */
  alarm: number;
  /** An anomaly is open. */
  anomalous: boolean;
}

/**
 * The detector of one analysed value after the other. It owns scratch space only; all memory lies in the record, so
 * one detector serves any number of series.
 */
export class SeriesDetector {
  readonly verdict: Verdict = {
    value: NaN,
    yhat: NaN,
    lower: NaN,
    upper: NaN,
    novelty: 0,
    spike: 0,
    score: 0,
    alarm: 0,
    anomalous: false,
  };
  readonly parts = new Parts();
  readonly measured = new Measurement();
  readonly judge = new Judge();
  readonly season = new SeasonalPoint();
  /** Evidence of the spike channel at the last point. */
  spike = 0;
  /** Evidence of the score at the last point, before quiet rows. */
  private scoreEvidence = 0;
  private readonly range = new ExpectedRange();

  /** `events` receives what happens to anomalies. */
  constructor(private readonly events: (event: AnomalyEvent) => void) {}

  /**
   * Scores a finite value (rate for counters) at a slot later than all before it, then learns it.
   * `backfill` marks an anomaly that opens here as history. The result is in `verdict` until the next call.
   */
  score(
    record: SeriesRecord,
    { clock, sensitivity, budgetPerMonth, gates }: JudgedBy,
    timestamp: number,
    value: number,
    seriesId: number,
    backfill: boolean,
  ): void {
    const { f } = record;
    const { season, measured, parts, range, judge, verdict } = this;
    judge.asked = budgetPerMonth;
    if (f[F.count] === WARM_UP_POINTS && abs(value) < FARTHEST && beganElsewhere(record)) restartAnalysis(record);
    if (f[F.count] === 0) begin(f, timestamp, value);
    const relative = max(-FARTHEST, min(FARTHEST, value - f[F.origin]!));
    const resolution = f[F.resolution]! > 0 ? f[F.resolution]! : 60;
    const slotsPerDay = max(1, 86_400 / resolution);
    season.resolution = resolution;
    season.locate(record, timestamp, clock.localSeconds(timestamp));
    measured.take(record, season, relative);
    parts.take(record, season, relative, measured.ownDeviation);
    measured.takeLasting(f, parts.lasting);
    judge.expect(record, season);
    range.read(f, season, judge.forecasters, judge.sizes.hour);

    verdict.value = value;
    const wasOpen = f[F.open] === OPEN_VALUES;
    let closed: CloseReason | null = null;
    if (f[F.count]! < WARM_UP_POINTS) {
      verdict.yhat = verdict.lower = verdict.upper = NaN;
      verdict.novelty = verdict.spike = verdict.score = verdict.alarm = this.spike = 0;
      verdict.anomalous = false;
      judge.take(record, season, relative, 0, 0);
    } else {
      this.weigh(f, resolution, sensitivity);
      const lasting = this.lastingEvidence(f, resolution);
      judge.take(record, season, relative, lasting, this.stuckEvidence(f));
      // A budget that was asked for sets the level alone: at 1.5 times what chance reaches, chance comes a hundred times as often.
      verdict.alarm = scoreOf(budgetPerMonth === undefined ? sensitivity * judge.evidence : judge.evidence, 1);
      closed = this.decide(record, gates, timestamp, resolution, seriesId, backfill);
    }

    if (f[F.open] === OPEN_VALUES || closed === 'adapted') learnAside(record, measured);
    else {
      learn(record, season, measured, slotsPerDay);
      learnShape(f, measured.ownDeviation);
    }
    // Also of the row with which an anomaly opens: it is one of those that lie outside.
    if (!wasOpen) range.learn(f, relative);
    follow(record, measured, slotsPerDay);
    if (closed === 'adapted') acceptNewNormal(record, timestamp - f[F.start]!);
    if (closed !== null) {
      calm(f);
      judge.sizes.calm(record);
      if (closed !== 'adapted') judge.close(record, season);
    }
    rememberRange(f, relative, measured.smooth, timestamp);
    recordSeason(record, season, relative);
    if (chooseSeason(record, season, relative, timestamp, slotsPerDay)) restartDeviations(record);
    searchSeason(record, timestamp, relative);
    f[F.count] = f[F.count]! + 1;
    f[F.lastAnalysed] = timestamp;
  }

  /** The three scores. */
  private weigh(f: Float64Array, resolution: number, sensitivity: number): void {
    const { measured, parts, verdict } = this;
    const stepSize = Measurement.beyondChance(measured.zStep);
    const recentSize = Measurement.beyondChance(measured.zRecent);
    const spike = (this.spike = spikeEvidence(parts.values, stepSize, recentSize));
    const novelty = scoreOf(sensitivity * noveltyEvidence(parts.values), NOVELTY_LEVEL);
    verdict.novelty = tellNovelty(f, novelty);
    verdict.spike = scoreOf(sensitivity * spike, SPIKE_LEVEL);
    // A value that stands still is news once: while its anomaly is open it goes on, which is no evidence of another.
    const frozen = f[F.open] === OPEN_VALUES ? 0 : measured.frozen;
    const evidence = max(scoreEvidence(parts.values, spike), frozen);
    const score = scoreOf(sensitivity * evidence, SCORE_LEVEL);
    this.scoreEvidence = evidence;
    verdict.score = tellScore(f, score, resolution);
  }

  /**
   * Evidence of what is not large in any row but lasts, 1 where it opens an anomaly by itself: rows that stay outside the range, a
   * creep out of the range of days, a level or a restlessness that is rare for the series and beyond chance.
   */
  private lastingEvidence(f: Float64Array, resolution: number): number {
    const { measured, range } = this;
    const staysOutside = this.staysOutside(f, resolution);
    if (f[F.quietRows]! > 0) f[F.quietRows] = f[F.quietRows]! - 1;
    if (f[F.open] === OPEN_VALUES) return 0;
    const least = measured.hasLeftRange ? LEFT_RANGE : staysOutside ? STAYS_OUTSIDE : 0;
    if (f[F.quietRows]! > 0 || !measured.lasts(range.isOutside(measured.value))) return least;
    return max(least, this.scoreEvidence / SCORE_LEVEL);
  }

  /** Evidence of a value that stands still: news once, later no more than that it goes on. */
  private stuckEvidence(f: Float64Array): number {
    const { measured } = this;
    if (measured.frozen === 0) return 0;
    return f[F.open] === OPEN_VALUES ? STILL_STUCK : measured.frozen / SCORE_LEVEL;
  }

  /**
   * Row after row outside the expected range, to one side: no chance, and seen where rare huge values have made every size
   * look possible.
   */
  private staysOutside(f: Float64Array, resolution: number): boolean {
    const side = this.range.sideOf(this.measured.value);
    const before = f[F.outsideRun]!;
    const run = side === 0 ? 0 : before * side > 0 ? before + side : side;
    f[F.outsideRun] = run;
    const isFar = abs(this.measured.zChange) > OUTSIDE_SPREADS;
    const rows = max(OUTSIDE_LEAST_ROWS, min(OUTSIDE_ROWS, OUTSIDE_SECONDS / resolution));
    return f[F.open] !== OPEN_VALUES && abs(run) >= rows && isFar;
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
    const { f } = record;
    const { season, measured, parts, range, verdict } = this;
    const origin = f[F.origin]!;
    verdict.yhat = range.expected + origin;
    verdict.lower = range.drawnLower + origin;
    verdict.upper = range.drawnUpper + origin;
    let reason: CloseReason | null = null;
    // An anomaly lasts to the end of the slot.
    const end = timestamp + resolution;
    if (f[F.open] === OPEN_VALUES) {
      const wasUntold = isUntold(f);
      const event = continueAnomaly(
        record,
        measured,
        parts,
        range,
        timestamp,
        verdict.alarm,
        this.judge.goesOn,
        resolution,
        seriesId,
      );
      this.tell(told(f, event, gates, end, wasUntold));
      reason = event?.closeReason ?? null;
      // What an anomaly leaves behind in the means of the last rows is no other one.
      if (reason !== null) f[F.quietRows] = scoreQuietRows(resolution);
    } else if (f[F.open] === OPEN_NONE && verdict.alarm >= 0.5) {
      const { alarm } = verdict;
      const due = this.judge.sizes.isDue ? this.judge.forecasters.due : 0;
      const event = openAnomaly(record, season, measured, parts, range, timestamp, alarm, due, seriesId, backfill);
      this.tell(told(f, event, gates, end, false));
    }
    verdict.anomalous = f[F.open] === OPEN_VALUES;
    return reason;
  }

  private tell(event: AnomalyEvent | null): void {
    if (event !== null) this.events(event);
  }
}

/**
 * True when the first value has nothing to do with the series (a counter's overflow, a sender's placeholder): values are
 * kept relative to it, and would lose their own digits.
 */
function beganElsewhere({ f, p }: SeriesRecord): boolean {
  let low = Infinity;
  let high = -Infinity;
  for (let i = LEVEL_ROWS_AT; i < LEVEL_ROWS_AT + LEVEL_ROWS; i++) {
    low = min(low, p[i]!);
    high = max(high, p[i]!);
  }
  const distance = max(low, -high);
  // A constant after another first value has lost nothing; one that moves, yet shows no range, has.
  return distance >= FARTHEST / 2 || (f[F.moves]! > WARM_UP_POINTS / 2 && distance > ELSEWHERE * (high - low));
}

function begin(f: Float64Array, timestamp: number, value: number): void {
  f[F.origin] = value;
  f[F.firstAnalysed] = timestamp;
  f[F.previous] = 0;
}
