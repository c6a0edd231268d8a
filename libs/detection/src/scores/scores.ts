import { scoreOf } from '../series/judgement/alarm-score.js';
import { B, F } from '../series/record/layout.js';
import { rateOfSpread, towards } from '../series/learning/learning.js';
import { discountOf, inSpreads, leastBeyondChance, type Measurement } from '../series/expectation/measurement.js';
import { type SeasonalPoint } from '../series/season/season.js';
import { type Companion, WARM_UP_POINTS } from '../series/series-detector.js';
import { type SeriesRecord } from '../series/record/series-record.js';
import {
  NOVELTY_LEVEL,
  noveltyEvidence,
  SCORE_LEVEL,
  scoreEvidence,
  SPIKE_LEVEL,
  spikeEvidence,
  reportedNovelty,
  reportedScore,
} from './channels.js';
import { Parts } from './parts.js';
import { createScoreRecord, resetScoreRecord, S, STREAM_DEVIATION } from './score-record.js';
import { resetTail } from './tail.js';

const { abs, max, min } = Math;

/**
 * Multiples of the usual distance between which a deviation gradually exceeds chance: not at all at the first, fully at
 * the second.
 */
const CHANCE_FROM = 4;
const CHANCE_UNTIL = 6;

/**
 * The three scores of one series, row by row, next to its detector, for benchmarks. They read the expectation of the
 * detector and do not change the detector.
 */
export class Scores implements Companion {
  /** 0..1 each, of the last row; 0.5 and more is an alarm of that channel. */
  novelty = 0;
  spike = 0;
  score = 0;
  /** Evidence of the spike channel. */
  spikeEvidence = 0;
  readonly parts = new Parts();
  private readonly memory = createScoreRecord();
  private step = 0;
  private recent = 0;

  /** Scores and learns a measured row. Call it before the row is judged. */
  take(record: SeriesRecord, at: SeasonalPoint, measured: Measurement, sensitivity: number): void {
    const { memory, parts } = this;
    const { f } = memory;
    const series = record.f;
    const { value, ownDeviation } = measured;
    const n = series[F.count]!;
    const discount = discountOf(n);
    const least = leastBeyondChance(record.p);
    this.step = value - series[F.previous]!;
    this.recent = value - f[S.recentMean]!;
    const zStep = inSpreads(this.step, max(f[S.stepSpread]!, least)) / discount;
    const zRecent = inSpreads(this.recent, max(f[S.recentSpread]!, least)) / discount;
    parts.take(memory, record, at, value, ownDeviation);
    if (n < WARM_UP_POINTS) {
      this.novelty = this.spike = this.score = this.spikeEvidence = 0;
      return;
    }
    const spike = (this.spikeEvidence = spikeEvidence(parts.values, beyondChance(zStep), beyondChance(zRecent)));
    this.novelty = reportedNovelty(f, scoreOf(sensitivity * noveltyEvidence(parts.values), NOVELTY_LEVEL), n);
    this.spike = scoreOf(sensitivity * spike, SPIKE_LEVEL);
    // A constant value is news only once: while its anomaly is open, it is not evidence of another one.
    const frozen = record.b[B.open] === 1 ? 0 : measured.frozen;
    const evidence = max(scoreEvidence(parts.values, spike), frozen);
    this.score = reportedScore(f, scoreOf(sensitivity * evidence, SCORE_LEVEL), at.resolution);
  }

  /** Learns the usual steps of a normal row. */
  learn(record: SeriesRecord, slotsPerDay: number): void {
    const { f } = this.memory;
    const rate = rateOfSpread(record.f, slotsPerDay);
    f[S.stepSpread] = towards(f[S.stepSpread]!, abs(this.step), rate, record);
    f[S.recentSpread] = towards(f[S.recentSpread]!, abs(this.recent), rate, record);
  }

  /** Another expectation became active: deviations from it have a different size. */
  restartDeviations(): void {
    resetTail(this.memory, STREAM_DEVIATION);
  }

  /** The series is analysed again from the start. */
  restart(): void {
    resetScoreRecord(this.memory);
  }
}

/** Share 0..1 of a distance (in usual distances) that exceeds chance. */
function beyondChance(z: number): number {
  return max(0, min(1, (abs(z) - CHANCE_FROM) / (CHANCE_UNTIL - CHANCE_FROM)));
}
