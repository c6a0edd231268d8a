import { forgetJobs } from '../season/day-jobs.js';
import {
  B,
  DAY_BUCKETS,
  F,
  P,
  PERIOD_FOUND,
  PERIOD_GIVEN,
  PERIOD_OF_DAY,
  SEARCH_AT,
  SEARCH_CELLS,
} from '../record/layout.js';
import { restartDeviations } from './learning.js';
import { StepRow } from '../record/packed-row.js';
import { forgetRecurrence } from '../judgement/recurrence.js';
import { forgetProfiles, SEASON_NONE } from '../season/season.js';
import { type SeriesRecord } from '../record/series-record.js';

const { abs, ceil, floor, max, min, round } = Math;
const { isNaN } = Number;

/**
 * Finds seasons of other lengths than the day in the data. Means of twenty minutes are stored for five days. Once a
 * day, the mean squared difference of means that are a lag apart is compared over all lags. A lag is a period if the
 * difference is a local minimum and is small compared with the difference at lags half a period away and at a day, also
 * at multiples of the lag. A period that was found on two days in a row, over five of its repetitions, becomes the
 * period of the daily profile, as if it had been configured.
 *
 * Source of the difference function and its threshold: de Cheveigné and Kawahara, YIN, a fundamental frequency
 * estimator for speech and music, 2002.
 */

const DAY_SECONDS = 86_400;
const WEEK_SECONDS = 604_800;
/** Lengths of a cell, and factor by which rows may be slower than a cell. Slower series have too few rows a day. */
const CELL_SECONDS = [1200, 1800, 3600];
const SLOWER = 1.25;
/** Number of cells between two searches: a day of cells of twenty minutes. */
const SEARCH_EVERY = 72;
/** Minimum length of a period in cells, and minimum number of periods in the ring. */
const MIN_LAG = 3;
const MIN_PERIODS = 3;
/** Number of periods over which a period must have been found, and number of successive searches. */
const SEEN_PERIODS = 5;
const SEEN_SEARCHES = 2;
/** Lengths found by successive searches count as equal if they differ by at most this share. */
const SAME_LENGTH = 0.02;
/** Number of successive searches without the active period after which it is dropped. */
const MISSED_SEARCHES = 3;
/** Number of cells on each side that are clamped to the next one: a few outliers are not a season. */
const ODD_CELLS = 3;
const KNOWN_SHARE = 0.6;
/** Share of the pairs at a lag that must be known: if there are fewer, as next to a gap, no lag is compared with it. */
const PAIRS_SHARE = 0.25;
/**
 * Largest difference at a period, relative to that at half a period from it, to that at a day, and to that at a day
 * which is a season itself.
 */
const SHARE = 0.45;
const SHARE_OF_DAY = 0.5;
const SHARE_OF_SEASONAL_DAY = 0.05;
const SEASONAL_DAY = 0.5;
/** The same for the active period. */
const STILL_SHARE = 0.6;
const STILL_SHARE_OF_DAY = 0.8;
/** The same for single multiples, from which the length is computed. */
const MULTIPLE_SHARE = 0.45;
/** Factor of these shares in the first check, which uses every other cell. */
const FIRST_LOOK = 0.75;
/** The shortest period is chosen whose share is at most this many times that of the best one. */
const ABOUT_AS_GOOD = 1.25;
const ABOUT_AS_GOOD_SHARE = 0.04;
/** Multiples of fewer cells than this are read at one lag, longer ones at the best of three. */
const WIDE_LAG = 8;
/** Precision of a lag, as a share of a cell; lengths are rounded to the roundest number of seconds within it. */
const LAG_KNOWN = 0.05;
const ROUND_SECONDS = [3600, 1800, 600, 300, 60, 10, 1];
/**
 * Share of a difference in length by which the current length moves, and shares of the length that do not count as a
 * difference.
 */
const FOLLOWED = 0.5;
const SAME_SHARE = 1 / 16 / DAY_BUCKETS;

/** The ring: a value that is more than a few extents outside is an outlier, until there are too many. */
const ring = new StepRow(SEARCH_AT, SEARCH_CELLS, F.searchScale, P.searchUnit);

const values = new Float32Array(SEARCH_CELLS);
const smooth = new Float32Array(SEARCH_CELLS);
/** The lowest cells, and the highest ones with the opposite sign. */
const lowest = new Float64Array(ODD_CELLS + 1);
const highest = new Float64Array(ODD_CELLS + 1);
const differences = new Float64Array(SEARCH_CELLS);
/** Sums of the differences of all shorter lags. */
const sums = new Float64Array(SEARCH_CELLS + 1);

/**
 * Adds a value to the ring. About once a day, searches it for a season and changes the period of the record
 * accordingly.
 */
export function searchSeason(record: SeriesRecord, timestamp: number, value: number): void {
  const { f, p, b } = record;
  if (b[B.periodSource] === PERIOD_GIVEN) return;
  const visit = floor(timestamp / p[P.searchCell]!);
  if (visit !== p[P.searchVisit]) enterCell(record, timestamp);
  f[F.searchSum] = f[F.searchSum]! + value;
  p[P.searchCount] = p[P.searchCount]! + 1;
}

function enterCell(record: SeriesRecord, timestamp: number): void {
  const { f, p, b } = record;
  const cell = cellFor(f[F.resolution]!);
  if (cell !== p[P.searchCell]) restartSearch(record, cell, timestamp);
  const visit = floor(timestamp / cell);
  const before = p[P.searchVisit]!;
  if (!isNaN(before)) {
    ring.write(record, placeOf(before), f[F.searchSum]! / p[P.searchCount]!);
    const skipped = min(visit, before + SEARCH_CELLS);
    for (let i = before + 1; i < skipped; i++) ring.write(record, placeOf(i), NaN);
  }
  p[P.searchVisit] = cell === 0 ? NaN : visit;
  f[F.searchSum] = p[P.searchCount] = 0;
  // An open anomaly is judged until its end by the expectation at its start.
  if (!(visit - p[P.searchedAt]! >= SEARCH_EVERY) || b[B.open] !== 0) return;
  p[P.searchedAt] = visit;
  search(record, visit, cell, timestamp);
}

/** Index of a cell in the ring, also for times before the epoch. */
function placeOf(visit: number): number {
  const rest = visit % SEARCH_CELLS;
  return rest < 0 ? rest + SEARCH_CELLS : rest;
}

function cellFor(resolution: number): number {
  for (const cell of CELL_SECONDS) if (resolution <= SLOWER * cell) return cell;
  return 0;
}

/** Starts cells of another length; the found season remains until they contradict it. */
function restartSearch(record: SeriesRecord, cell: number, timestamp: number): void {
  const { p, b } = record;
  ring.forget(record);
  p[P.searchCell] = cell;
  p[P.searchVisit] = NaN;
  p[P.searchFrom] = p[P.searchedAt] = floor(timestamp / cell);
  p[P.searchPeriod] = b[B.searchSeen] = b[B.searchMissed] = 0;
}

function search(record: SeriesRecord, visit: number, cell: number, timestamp: number): void {
  const { f, p, b } = record;
  const cells = min(SEARCH_CELLS, visit - p[P.searchFrom]!);
  const isReadable = readCells(record, visit - cells, cells);
  if (b[B.periodSource] === PERIOD_FOUND) {
    const length = isReadable ? visibleLength(cells, cell, f[F.period]!) : NaN;
    // After a gap, there is too little data.
    if (isNaN(length)) return;
    if (length > 0) {
      b[B.searchMissed] = 0;
      follow(record, length, timestamp);
      return;
    }
    b[B.searchMissed] = b[B.searchMissed]! + 1;
    if (b[B.searchMissed] < MISSED_SEARCHES) return;
    acceptPeriod(record, DAY_SECONDS, PERIOD_OF_DAY);
    return;
  }
  const lag = isReadable ? findLag(cells, cell) : 0;
  const length = lag === 0 ? 0 : lengthOf(lag, cells, cell);
  const isAgain = length > 0 && abs(length - p[P.searchPeriod]!) < SAME_LENGTH * length;
  b[B.searchSeen] = length === 0 ? 0 : isAgain ? b[B.searchSeen]! + 1 : 1;
  p[P.searchPeriod] = length;
  if (b[B.searchSeen] < SEEN_SEARCHES) return;
  if (cells + (b[B.searchSeen] - 1) * SEARCH_EVERY < SEEN_PERIODS * lag) return;
  acceptPeriod(record, length, PERIOD_FOUND);
}

/**
 * Reads the ring, starting with a cell. Outliers are clamped, and values are slightly smoothed, because no period is a
 * whole number of cells.
 */
function readCells(record: SeriesRecord, from: number, cells: number): boolean {
  ring.refit(record);
  let known = 0;
  lowest.fill(Infinity);
  highest.fill(Infinity);
  for (let i = 0; i < cells; i++) {
    const value = (values[i] = ring.read(record, placeOf(from + i)));
    if (isNaN(value)) continue;
    known++;
    if (value < lowest[ODD_CELLS]!) keep(lowest, value);
    if (-value < highest[ODD_CELLS]!) keep(highest, -value);
  }
  const low = lowest[ODD_CELLS]!;
  const high = -highest[ODD_CELLS]!;
  if (known < KNOWN_SHARE * cells || !(high > low)) return false;
  for (let i = 0; i < cells; i++) {
    const value = values[i]!;
    values[i] = value > high ? high : value < low ? low : value;
  }
  for (let i = 0; i < cells; i++) {
    const here = values[i]!;
    const before = i === 0 ? here : values[i - 1]!;
    const after = i === cells - 1 ? here : values[i + 1]!;
    smooth[i] = (2 * here + (isNaN(before) ? here : before) + (isNaN(after) ? here : after)) / 4;
  }
  return true;
}

/** Inserts a value into the smallest ones, in ascending order; the largest of them is dropped. */
function keep(smallest: Float64Array, value: number): void {
  let at = ODD_CELLS;
  for (; at > 0 && smallest[at - 1]! > value; at--) smallest[at] = smallest[at - 1]!;
  smallest[at] = value;
}

/**
 * Fills `differences` for lags below `end`, from every cell or every other one, and their sums, which are NaN from the
 * first unknown difference on.
 */
function readDifferences(cells: number, end: number, step: number): void {
  for (let lag = 1; lag < end; lag++) {
    let sum = 0;
    let pairs = 0;
    for (let i = lag; i < cells; i += step) {
      const change = smooth[i]! - smooth[i - lag]!;
      if (change === change) {
        sum += change * change;
        pairs++;
      }
    }
    differences[lag] = pairs * step >= PAIRS_SHARE * (cells - lag) ? sum / pairs : NaN;
    sums[lag + 1] = sums[lag]! + differences[lag]!;
  }
}

/** Lags below this are compared: two thirds of the cells, so that a third of them has a partner. */
function endOfLags(cells: number): number {
  return floor((2 * cells) / 3) + 2;
}

/** The lag of the season, in cells; 0 when there is none. */
function findLag(cells: number, cell: number): number {
  const most = floor(cells / MIN_PERIODS);
  const dayLag = round(DAY_SECONDS / cell);
  if (most < MIN_LAG || dayLag > (2 * cells) / 3) return 0;
  readDifferences(cells, max(most + 2, dayLag + 1), 2);
  if (!isWorthALook(most, dayLag)) return 0;
  const end = endOfLags(cells);
  readDifferences(cells, end, 1);
  if (isNaN(sums[end]!)) return 0;
  let best = 0;
  let least = Infinity;
  for (let lag = MIN_LAG; lag <= most; lag++) {
    const share = shareAt(lag, end);
    if (share >= least) continue;
    least = share;
    best = lag;
  }
  if (!(least <= SHARE)) return 0;
  const enough = max(ABOUT_AS_GOOD * least, least + ABOUT_AS_GOOD_SHARE);
  for (let lag = MIN_LAG; lag < best; lag++) {
    const share = shareAt(lag, end);
    if (share > min(enough, SHARE)) continue;
    best = lag;
    break;
  }
  const ofDay = shareAtDay(dayLag, end) < SEASONAL_DAY ? SHARE_OF_SEASONAL_DAY : SHARE_OF_DAY;
  const weekLag = round(WEEK_SECONDS / cell);
  const ofWeek = weekLag < end ? differences[weekLag]! : Infinity;
  const others = min(differenceOfDay(dayLag, end), ofWeek);
  return differenceAt(best) < ofDay * others ? best : 0;
}

/** A first check whether any lag could be a period. */
function isWorthALook(most: number, dayLag: number): boolean {
  for (let lag = MIN_LAG; lag <= most; lag++) {
    const here = differences[lag]!;
    if (here > FIRST_LOOK * differences[dayLag]! || here > FIRST_LOOK * meanBetween(lag / 4, (3 * lag) / 4)) continue;
    if (isLowPoint(lag)) return true;
  }
  return false;
}

function isLowPoint(lag: number): boolean {
  return differences[lag]! <= differences[lag - 1]! && differences[lag]! <= differences[lag + 1]!;
}

/** The lag, or its neighbour with a smaller difference. */
function lowerNextTo(lag: number): number {
  if (differences[lag - 1]! < differences[lag]!) return lag - 1;
  return differences[lag + 1]! < differences[lag]! ? lag + 1 : lag;
}

/** Mean difference of the lags between two lags. */
function meanBetween(from: number, until: number): number {
  const first = ceil(from);
  const end = floor(until) + 1;
  return (sums[end]! - sums[first]!) / (end - first);
}

/** Difference at a lag, where a multiple of a period is expected. */
function near(lag: number): number {
  return min(differences[lag - 1]!, differences[lag]!, differences[lag + 1]!);
}

/** Mean difference at one and two periods. */
function differenceAt(lag: number): number {
  return (differences[lag]! + near(2 * lag)) / 2;
}

/**
 * Differences at a lag and its multiples, relative to those at half a lag from them; Infinity if the lag is not a local
 * minimum.
 */
function shareAt(lag: number, end: number): number {
  if (!isLowPoint(lag)) return Infinity;
  let there = differences[lag]!;
  let off = meanBetween(lag / 4, 0.75 * lag);
  for (let times = 2; times <= 3 && times * lag + 1 < end; times++) {
    there += lag < WIDE_LAG ? differences[times * lag]! : near(times * lag);
    off += meanBetween((times - 0.75) * lag, (times - 0.25) * lag);
  }
  return there / off;
}

/** The same for the day. */
function shareAtDay(dayLag: number, end: number): number {
  if (2 * dayLag >= end) return Infinity;
  const off = meanBetween(dayLag / 4, 0.75 * dayLag) + meanBetween(1.25 * dayLag, 1.75 * dayLag);
  return (differences[dayLag]! + differences[2 * dayLag]!) / off;
}

/** The remaining difference at a lag of a day. */
function differenceOfDay(dayLag: number, end: number): number {
  const next = differences[dayLag]!;
  return 2 * dayLag < end ? min(next, (next + differences[2 * dayLag]!) / 2) : next;
}

/**
 * Length in seconds of the period near a lag, computed from all of its multiples; 0 if one of them is not a local
 * minimum: a shape that recurs only at roughly the same distance is not a season, because its phase soon differs.
 */
function lengthOf(lag: number, cells: number, cell: number): number {
  const end = endOfLags(cells);
  const off = MULTIPLE_SHARE * meanBetween(lag / 4, 0.75 * lag);
  let length = lowestAround(lag);
  let times = 1;
  for (; (times + 1) * length + 2 < end; times++) {
    const at = lowerNextTo(round((times + 1) * length));
    if (!isLowPoint(at) || differences[at]! > off) return 0;
    length = lowestAround(at) / (times + 1);
  }
  return roundedTo(length * cell, (LAG_KNOWN * cell) / times);
}

/** The minimum of the parabola through a local minimum and its neighbours. */
function lowestAround(lag: number): number {
  const before = differences[lag - 1]!;
  const after = differences[lag + 1]!;
  const bend = before - 2 * differences[lag]! + after;
  return bend > 0 ? lag + max(-0.5, min(0.5, (before - after) / (2 * bend))) : lag;
}

/** The roundest number of seconds within the known range of a length. */
function roundedTo(seconds: number, known: number): number {
  for (const unit of ROUND_SECONDS) {
    const rounded = round(seconds / unit) * unit;
    if (abs(rounded - seconds) <= known) return rounded;
  }
  return seconds;
}

/**
 * Length in seconds of the active period as the ring shows it now; 0 if it is not visible, NaN if the ring is too short
 * to show it.
 */
function visibleLength(cells: number, cell: number, period: number): number {
  const lag = round(period / cell);
  const dayLag = round(DAY_SECONDS / cell);
  if (2 * max(lag, dayLag) + 2 > cells) return NaN;
  if (lag < MIN_LAG) return 0;
  const end = endOfLags(cells);
  readDifferences(cells, end, 1);
  if (isNaN(sums[end]!)) return NaN;
  const at = lowerNextTo(lag);
  if (!(shareAt(at, end) <= STILL_SHARE)) return 0;
  if (differenceAt(at) > STILL_SHARE_OF_DAY * differenceOfDay(dayLag, end)) return 0;
  // Visible, but not at all of its multiples: the length stays.
  return lengthOf(at, cells, cell) || period;
}

/** The current length moves towards the observed one; the position in the period stays. */
function follow({ f }: SeriesRecord, length: number, timestamp: number): void {
  const period = f[F.period]!;
  const difference = abs(length - period);
  if (difference <= SAME_SHARE * period || difference > SAME_LENGTH * period) return;
  const followed = period + FOLLOWED * (length - period);
  f[F.periodStart] = timestamp - ((timestamp - f[F.periodStart]!) / period) * followed;
  f[F.period] = followed;
}

/** Another period becomes that of the daily profile: everything that was learnt with the previous one is dropped. */
function acceptPeriod(record: SeriesRecord, period: number, source: number): void {
  const { f, p, b } = record;
  if (b[B.season] !== SEASON_NONE) {
    b[B.season] = SEASON_NONE;
    restartDeviations(record);
  }
  f[F.period] = p[P.shortestPeriod] = period;
  b[B.periodSource] = source;
  f[F.periodStart] = p[P.searchPeriod] = b[B.searchSeen] = b[B.searchMissed] = 0;
  forgetProfiles(record);
  f[F.dayVisit] = p[P.edgeHigh] = NaN;
  p.fill(0, P.levelError, P.weeklyChecked + 1);
  p[P.dailyGain] = p[P.weeklyGain] = 0;
  f[F.daySum] = p[P.dayCount] = 0;
  p.fill(0, P.edgeDays, P.edgeDay + 1);
  p[P.edgeRun] = 0;
  forgetJobs(record);
  forgetRecurrence(record);
}
