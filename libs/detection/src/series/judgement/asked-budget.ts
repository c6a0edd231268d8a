import { apartRows } from './false-alarm-budget.js';
import { B, F, P, W } from '../record/layout.js';
import { type SeriesRecord } from '../record/series-record.js';

const { exp, log, max, min, pow } = Math;

/**
 * The bar of a series with a requested budget of false alarms: the evidence that chance reaches as often as the budget
 * allows. Each series has a level that evidence exceeds about twice a day. The height of the episodes above it
 * determines the tail of chance beyond it, where the budget is. The level is learnt even if no budget is set, so that a
 * new budget applies immediately.
 */

const DAY_SECONDS = 86_400;
/** Memory of episodes over the level; for a young series its age, down to the second value. */
const MEMORY_SECONDS = 20 * DAY_SECONDS;
const MIN_MEMORY_SECONDS = DAY_SECONDS / 4;
/** Target number of episodes a day over the level, and the target per row for series with few rows a day. */
const EPISODES_A_DAY = 2;
const EPISODES_OF_ROWS = 0.03;
/** Number of rows before the first evidence, and number of rows between two moves of the level. */
const FIRST_ROW = 60;
const MOVE_ROWS = 32;
/** Number of rows after which a run of evidence over the level no longer counts as one episode. */
const ENDLESS_ROWS = 120;
const FIRST_LEVEL = 0.2;
const MIN_LEVEL = 0.02;
/** Largest move of the logarithm of the level. */
const MAX_MOVE = 0.1;
/** Assumed initial number of episodes at the level. */
const FIRST_EPISODES = 0.5;
/** Assumed mean logarithm of peak over level, and the number of episodes that this assumption counts as. */
const USUAL_EXCESS = 0.11;
const USUAL_EPISODES = 2;
/**
 * Trouble is not evidence about chance: logarithms count up to this many times their mean. The second constant is the
 * share of the mean of chance that this cap leaves.
 */
const MAX_EXCESS = 2.5;
const LEFT_OF_EXCESS = 1 - exp(-MAX_EXCESS);
/**
 * Mean logarithm up to which a tail is a Weibull tail (normal, exponential), and how fast it then becomes a Pareto
 * tail.
 */
const LIGHT_TAIL = 0.15;
const GETS_HEAVY = 4;
/** Factors of the uncertainty of the tail, for light tails first, where an error of the level also counts. */
const UNKNOWN_LIGHT = 1.3;
const UNKNOWN_HEAVY = 1;
/** Ratio of known episodes to counted ones: faded episodes were also observed. */
const KNOWN_OF_COUNTED = 1.5;
/** Minimum depth of the bar, as a share of the depth of the level: limits how far the bar is below the level. */
const MIN_REACH = 0.3;

/**
 * The minimum bar, in levels of chance; lower for light tails, where chance hardly exceeds the level (q99 over q90 is
 * 1.57 for a normal tail and 2 for an exponential one).
 */
const OFTEN = 2;
const OFTEN_IF_LIGHT = 1.8;
const HEAVY_FROM = 1.7;
const HEAVY_BY = 0.15;
/**
 * Mean logarithm of a peak over the level from which episodes start to lack a usual size, the value from which they
 * certainly lack one, and how often a day they may then open an anomaly.
 */
const RESTLESS_FROM = 1;
const RESTLESS_AT = 1.3;
const RESTLESS_A_DAY = 1 / 7;

/** Learns the evidence of a row; `gap`: seconds since the row before; `resolution`: usual seconds between rows. */
export function learnChance(record: SeriesRecord, evidence: number, gap: number, resolution: number): void {
  const { f, p } = record;
  const row = f[F.count]!;
  if (row <= FIRST_ROW) {
    if (row === FIRST_ROW) begin(record);
    return;
  }
  if (row % MOVE_ROWS === 0) moveLevel(record, row, f[F.lastAnalysed]! + gap, resolution);
  if (evidence > p[P.chanceLevel]!) countEpisode(record, evidence, row, resolution);
}

function begin({ f, w, p }: SeriesRecord): void {
  p[P.chanceLevel] = FIRST_LEVEL;
  w[W.chanceRow] = -1e9;
  f[F.chanceAt] = f[F.lastAnalysed]!;
}

/** Evidence that chance exceeds about twice a day. */
export function chanceLevel({ p }: SeriesRecord): number {
  return p[P.chanceLevel]!;
}

/**
 * Minimum bar of a series that is often far out, by its level of chance: OFTEN times that level. If episodes exceed the
 * level so far that they have no usual size (a queue that is mostly empty), it is the value that they reach once a week
 * by a Pareto tail.
 */
export function barOfUnrest(record: SeriesRecord, resolution: number): number {
  const { p } = record;
  const excess = meanExcess(p);
  const inner = p[P.size90]!;
  const heavy = inner > 0 ? shareBeyond(p[P.size99]! / inner, HEAVY_FROM, HEAVY_BY) : 1;
  const level = (OFTEN_IF_LIGHT + (OFTEN - OFTEN_IF_LIGHT) * heavy) * p[P.chanceLevel]!;
  const restless = shareBeyond(excess, RESTLESS_FROM, RESTLESS_AT - RESTLESS_FROM);
  if (restless === 0) return level;
  const often = episodesADay(p, wantedADay(resolution));
  return max(level, p[P.chanceLevel]! * pow(max(1, often / RESTLESS_A_DAY), restless * excess));
}

/** 0 up to `from`, 1 from `from + by` on. */
function shareBeyond(value: number, from: number, by: number): number {
  return max(0, min(1, (value - from) / by));
}

function countEpisode(record: SeriesRecord, evidence: number, row: number, resolution: number): void {
  const { w, p } = record;
  const level = p[P.chanceLevel]!;
  if (row - w[W.chanceRow]! > apartRows(resolution) || isEndless(record, row)) {
    p[P.chanceEpisodes] = p[P.chanceEpisodes]! + 1;
    p[P.chancePeak] = level;
    w[W.chanceFrom] = row;
  }
  w[W.chanceRow] = row;
  const peak = p[P.chancePeak]!;
  if (evidence <= peak) return;
  const most = MAX_EXCESS * meanExcess(p);
  p[P.chanceLogs] = p[P.chanceLogs]! + min(most, log(evidence / level)) - min(most, log(peak / level));
  p[P.chancePeak] = evidence;
}

/**
 * The level is so low that evidence hardly falls below it, and one episode would never end. The rows of an anomaly are
 * one episode.
 */
function isEndless({ w, b }: SeriesRecord, row: number): boolean {
  return row - w[W.chanceFrom]! > ENDLESS_ROWS && b[B.open] === 0;
}

/** Mean logarithm of a peak over the level. */
function meanExcess(p: Float32Array): number {
  return (p[P.chanceLogs]! / LEFT_OF_EXCESS + USUAL_EXCESS * USUAL_EPISODES) / (p[P.chanceEpisodes]! + USUAL_EPISODES);
}

/**
 * Forgets old episodes, and moves the level towards the target frequency; the counts are converted to those that the
 * new level would have had.
 */
function moveLevel(record: SeriesRecord, row: number, now: number, resolution: number): void {
  const { f, w, p } = record;
  const since = max(0, now - f[F.chanceAt]!);
  const age = now - f[F.firstAnalysed]!;
  const memory = min(MEMORY_SECONDS, max(MIN_MEMORY_SECONDS, age));
  const kept = memory / (memory + since);
  f[F.chanceAt] = now;
  p[P.chanceSeconds] = p[P.chanceSeconds]! * kept + since;
  p[P.chanceEpisodes] = p[P.chanceEpisodes]! * kept;
  p[P.chanceLogs] = p[P.chanceLogs]! * kept;
  // An episode is compared with the level at its start.
  if (row - w[W.chanceRow]! <= apartRows(resolution) && !isEndless(record, row)) return;
  const wanted = wantedADay(resolution);
  const often = episodesADay(p, wanted);
  const excess = meanExcess(p);
  const level = max(MIN_LEVEL, p[P.chanceLevel]! * exp(max(-MAX_MOVE, min(MAX_MOVE, excess * log(often / wanted)))));
  const factor = pow(p[P.chanceLevel]! / level, 1 / excess);
  const episodes = max(0, (p[P.chanceEpisodes] + FIRST_EPISODES) * factor - FIRST_EPISODES);
  p[P.chanceLogs] =
    p[P.chanceLogs] * factor + max(0, episodes - p[P.chanceEpisodes] * factor) * excess * LEFT_OF_EXCESS;
  p[P.chanceEpisodes] = episodes;
  p[P.chanceLevel] = level;
  p[P.chancePeak] = max(level, p[P.chancePeak]!);
}

/**
 * Evidence that chance reaches this often. `budget`: episodes a day. The tail beyond the level is a Weibull tail if it
 * is light, and a Pareto tail if it is heavy; both are based on how often the level is reached and how far episodes
 * exceed it. Few episodes leave both uncertain, and most false alarms come from bars that are too low on some series:
 * the bar is therefore the value at which the mean over all plausible tails is the budget.
 */
export function barOfBudget(record: SeriesRecord, budget: number, resolution: number): number {
  const { p } = record;
  const episodes = p[P.chanceEpisodes]!;
  const often = episodesADay(p, wantedADay(resolution));
  const excess = meanExcess(p);
  // One row in exp(depth) is over the level.
  const depth = max(1, log(rowsADay(resolution) / often));
  const heavy = max(0, min(1, GETS_HEAVY * (excess - LIGHT_TAIL)));
  let reach = log(often / budget);
  if (reach > 0) {
    const unsure = (1 - heavy) * (depth + reach) * log(1 + reach / depth) + heavy * reach;
    const counts = UNKNOWN_LIGHT + heavy * (UNKNOWN_HEAVY - UNKNOWN_LIGHT);
    const known = KNOWN_OF_COUNTED * episodes + USUAL_EPISODES;
    reach += min(reach, (counts * unsure * unsure) / (2 * known));
  }
  const part = max(MIN_REACH, 1 + reach / depth);
  const logs = heavy > 0 ? (pow(part, heavy) - 1) / heavy : log(part);
  return max(MIN_LEVEL, p[P.chanceLevel]!) * exp(excess * depth * logs);
}

function wantedADay(resolution: number): number {
  return min(EPISODES_A_DAY, EPISODES_OF_ROWS * rowsADay(resolution));
}

function episodesADay(p: Float32Array, wanted: number): number {
  return (p[P.chanceEpisodes]! + FIRST_EPISODES) / (p[P.chanceSeconds]! / DAY_SECONDS + FIRST_EPISODES / wanted);
}

function rowsADay(resolution: number): number {
  return max(3, DAY_SECONDS / max(resolution, 1));
}
