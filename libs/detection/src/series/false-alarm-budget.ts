import { B, F, P, W } from './layout.js';
import { type SeriesRecord } from './series-record.js';

const { exp, log, max, min, pow } = Math;

/**
 * The bar that evidence has to reach. What comes near it without being clear trouble says how often chance will reach it: the
 * bar rises until that is no more often than the budget. Besides, a series that keeps alarming has to show more each time.
 */

const DAY_SECONDS = 86_400;
/** False alarms a month that the shipped bar aims at where tails are heavy, by near misses; the lowest bar keeps other series far below. */
export const DEFAULT_BUDGET = 5;
const BUDGET_A_DAY = DEFAULT_BUDGET / 30;
/** Evidence that opens an anomaly while nothing is known of near misses. */
export const LOWEST_BAR = 0.67;
/** A near miss has evidence from here to there. */
const NEAR = 0.5;
const CLEAR = 1.5;
/** Memory of near misses. */
const MEMORY_SECONDS = 8 * DAY_SECONDS;
/** Near misses a day that may all be small true trouble; what is beyond is chance, and held to a share of the budget. */
const TROUBLE_A_DAY = 1;
const CHANCE_SHARE = 0.04;
/** Mean logarithm up to which the tail of chance is taken to fall off exponentially, how fast it gets heavy beyond, and its limit. */
const LIGHT_TAIL = 0.25;
const GETS_HEAVY = 3;
const HEAVIEST = 0.6;
const LIGHTEST = 0.001;
/** How far a heavy tail goes is little known from its near misses: chance is taken to come up to so many times more often. */
const UNSURE = 3;
/** Logarithm of the size beyond which a near miss is none: means of logarithms are cut there. */
const CUT_AT = log(3);
const CUT_STEPS = 12;
/** Exponent of the tail of near misses, true trouble among them: their mean logarithm, with so many usual ones added. */
const USUAL_EXPONENT = 0.2;
const USUAL_MISSES = 4;
const CUT_TAIL = 1.1;
const LEAST_EXPONENT = 0.1;
const MOST_EXPONENT = 0.5;
/** Rows that part two episodes, and when rows take half an hour or more. */
const APART_ROWS = 10;
const APART_SLOW_ROWS = 3;
const SLOW_SECONDS = 1800;
/** Anomalies within five and within twenty days that cost nothing, and what each further one does to the bar. */
const FREE = 3;
const FREE_MEMORY_SECONDS = 5 * DAY_SECONDS;
const RISE = 1.2;
const FREE_LONG = 12;
const FREE_LONG_MEMORY_SECONDS = 20 * DAY_SECONDS;
const RISE_LONG = 1.4;
/** Evidence over its bar that goes on with an episode. */
export const LOUD = 0.5;
/** Rows for which one episode is evidence of an anomaly: later it is news only when it doubles. */
const SPEAKS_ROWS = 120;

/** Share of a count that is left after so many seconds, for a memory of so many. */
function left(seconds: number, memory: number): number {
  return seconds > 0 ? memory / (memory + seconds) : 1;
}

/** Rows that part two episodes of a series with that many seconds between rows. */
export function apartRows(resolution: number): number {
  return resolution >= SLOW_SECONDS ? APART_SLOW_ROWS : APART_ROWS;
}

/** What near misses let the bar be, in evidence, where no budget was asked for; counts this one. `gap`: seconds since the row before. */
export function barFor(record: SeriesRecord, evidence: number, gap: number): number {
  const { f, p } = record;
  const row = f[F.count]!;
  const kept = left(gap, MEMORY_SECONDS);
  p[P.nearMisses] = p[P.nearMisses]! * kept;
  p[P.nearLogs] = p[P.nearLogs]! * kept;
  p[P.judgedSeconds] = min(MEMORY_SECONDS, p[P.judgedSeconds]! + max(0, gap));
  if (evidence >= NEAR) countNearMiss(record, evidence, row);
  const often = (p[P.nearMisses] * DAY_SECONDS) / max(p[P.judgedSeconds], DAY_SECONDS);
  if (often <= BUDGET_A_DAY) return LOWEST_BAR;
  const mean = (p[P.nearLogs] + USUAL_EXPONENT * USUAL_MISSES) / (p[P.nearMisses] + USUAL_MISSES);
  const bar = NEAR * pow(often / BUDGET_A_DAY, max(LEAST_EXPONENT, min(MOST_EXPONENT, CUT_TAIL * mean)));
  return max(LOWEST_BAR, bar, barOfChance(often - TROUBLE_A_DAY, CHANCE_SHARE * BUDGET_A_DAY, mean));
}

/**
 * What chance reaches so rarely as the budget says, by a generalised Pareto tail of near misses. Its scale is their mean logarithm,
 * corrected for the cut; its shape is the same where tails are heavy, and 0 (exponential) where they are not. The heavier, the
 * less do near misses say of what is far beyond them, so that chance counts more.
 */
function barOfChance(often: number, budget: number, mean: number): number {
  if (often <= budget) return 0;
  const scale = withoutCut(mean);
  const shape = min(scale, max(LIGHTEST, GETS_HEAVY * (scale - LIGHT_TAIL)));
  const unsure = 1 + (UNSURE * shape) / scale;
  return NEAR * (1 + (scale / shape) * (pow((unsure * often) / budget, shape) - 1));
}

/** Mean of an exponential distribution whose mean is `mean` where it is cut at CUT_AT. */
function withoutCut(mean: number): number {
  let whole = mean;
  for (let step = 0; step < CUT_STEPS && whole < HEAVIEST; step++) {
    const beyond = exp(-CUT_AT / whole);
    const before = whole;
    whole = mean + (CUT_AT * beyond) / (1 - beyond);
    if (whole === before) break;
  }
  return min(HEAVIEST, whole);
}

function countNearMiss({ w, p }: SeriesRecord, evidence: number, row: number): void {
  if (row - w[W.nearRow]! > APART_ROWS) {
    p[P.nearMisses] = p[P.nearMisses]! + 1;
    p[P.nearPeak] = NEAR;
  }
  w[W.nearRow] = row;
  const peak = p[P.nearPeak]!;
  if (evidence <= peak) return;
  p[P.nearPeak] = evidence;
  if (peak > CLEAR) return;
  if (evidence <= CLEAR) {
    p[P.nearLogs] = p[P.nearLogs]! + log(evidence / peak);
  } else {
    // Clear trouble is no sign of a heavy tail.
    p[P.nearMisses] = max(0, p[P.nearMisses]! - 1);
    p[P.nearLogs] = max(0, p[P.nearLogs]! - log(peak / NEAR));
  }
}

/**
 * Evidence over its bar (1 opens an anomaly) of a series that has had its anomalies; counts this one. `free`: anomalies that cost
 * nothing, in those of the shipped level; `loud`: evidence over its bar that goes on with an episode; `isOfBefore`: the row shows
 * what rows before it have made, and is not itself far out.
 */
export function afterEpisodes(
  { f, w, p, b }: SeriesRecord,
  evidence: number,
  gap: number,
  resolution: number,
  isOfBefore: boolean,
  free = 1,
  loud = LOUD,
): number {
  const row = f[F.count]!;
  p[P.episodes] = p[P.episodes]! * left(gap, FREE_MEMORY_SECONDS);
  p[P.longEpisodes] = p[P.longEpisodes]! * left(gap, FREE_LONG_MEMORY_SECONDS);
  let told = evidence;
  if (p[P.episodes] > free * FREE) told /= pow(RISE, p[P.episodes] - free * FREE);
  if (p[P.longEpisodes] > free * FREE_LONG) told /= pow(RISE_LONG, p[P.longEpisodes] - free * FREE_LONG);
  const apart = apartRows(resolution);
  if (row - w[W.loudRow]! > apart) {
    w[W.loudFrom] = row;
    p[P.loudMost] = 0;
  }
  // What grows slowly has not spoken before it has opened something.
  if (p[P.loudMost]! < 1) w[W.loudFrom] = row;
  // An anomaly of this episode has ended, and what it was about has not (the level that was there before a long anomaly).
  const hasEnded = b[B.open] === 0 && w[W.alarmRow]! >= w[W.loudFrom]! && row - w[W.loudRow]! <= 1;
  if (told >= loud) w[W.loudRow] = row;
  const isReported = row - w[W.loudFrom]! > SPEAKS_ROWS || (isOfBefore && hasEnded);
  if (isReported && told < 2 * p[P.loudMost]!) {
    told = min(told, 0.49 + (0.5 * told) / (1 + told));
  } else if (told > p[P.loudMost]!) p[P.loudMost] = told;
  if (told >= 1) {
    if (row - w[W.alarmRow]! > apart) {
      p[P.episodes] = p[P.episodes] + 1;
      p[P.longEpisodes] = p[P.longEpisodes] + 1;
    }
    w[W.alarmRow] = row;
  }
  return told;
}
