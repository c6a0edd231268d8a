import { B, F, P, W } from '../record/layout.js';
import { type SeriesRecord } from '../record/series-record.js';

const { max, min } = Math;

/**
 * The minimum bar that evidence must reach, the same for every series of any age, and the definition of an episode,
 * whose continuation is not news.
 */

const DAY_SECONDS = 86_400;
/** Default budget: false alarms a month. */
export const DEFAULT_BUDGET = 5;
/**
 * Evidence that opens an anomaly: by its own tail, the value that a series of minutes reaches once in TAIL_DAYS
 * (sizes.ts).
 */
export const LOWEST_BAR = 0.67;
/** Maximum of the counted time for which a series has been judged. */
const MEMORY_SECONDS = 8 * DAY_SECONDS;
/** Number of rows that separate two episodes, and the number if rows take half an hour or more. */
const APART_ROWS = 10;
const APART_SLOW_ROWS = 3;
const SLOW_SECONDS = 1800;
/** Memory of anomalies: how rare they are is a part of their severity. */
const EPISODES_MEMORY_SECONDS = 20 * DAY_SECONDS;
/** Evidence over its bar from which a row continues an episode. */
export const LOUD = 0.5;
/** Number of rows for which one episode is evidence of an anomaly: afterwards it is news only if it doubles. */
const SPEAKS_ROWS = 120;

/** Remaining share of a count after this many seconds, with a memory of `memory` seconds. */
function left(seconds: number, memory: number): number {
  return seconds > 0 ? memory / (memory + seconds) : 1;
}

/** Number of rows that separate two episodes of a series with this many seconds between rows. */
export function apartRows(resolution: number): number {
  return resolution >= SLOW_SECONDS ? APART_SLOW_ROWS : APART_ROWS;
}

/** Counts the time for which a series has been judged; `gap`: seconds since the row before. */
export function countJudged({ p }: SeriesRecord, gap: number): void {
  p[P.judgedSeconds] = min(MEMORY_SECONDS, p[P.judgedSeconds]! + max(0, gap));
}

/**
 * Evidence over its bar (1 opens an anomaly), less the part that continues an episode that has opened one; counts this
 * episode. `loud`: evidence over its bar that continues an episode; `isOfBefore`: the evidence is that of earlier rows,
 * and this row itself is not far out.
 */
export function afterEpisodes(
  { f, w, p, b }: SeriesRecord,
  evidence: number,
  gap: number,
  resolution: number,
  isOfBefore: boolean,
  loud = LOUD,
): number {
  const row = f[F.count]!;
  p[P.longEpisodes] = p[P.longEpisodes]! * left(gap, EPISODES_MEMORY_SECONDS);
  let reported = evidence;
  const apart = apartRows(resolution);
  if (row - w[W.loudRow]! > apart) {
    w[W.loudFrom] = row;
    p[P.loudMost] = 0;
  }
  // Slowly growing evidence does not count before it has opened an anomaly.
  if (p[P.loudMost]! < 1) w[W.loudFrom] = row;
  // An anomaly of this episode has ended, but its cause has not (the level that existed before a long anomaly).
  const hasEnded = b[B.open] === 0 && w[W.alarmRow]! >= w[W.loudFrom]! && row - w[W.loudRow]! <= 1;
  if (reported >= loud) w[W.loudRow] = row;
  const isReported = row - w[W.loudFrom]! > SPEAKS_ROWS || (isOfBefore && hasEnded);
  if (isReported && reported < 2 * p[P.loudMost]!) {
    reported = min(reported, 0.49 + (0.5 * reported) / (1 + reported));
  } else if (reported > p[P.loudMost]!) p[P.loudMost] = reported;
  if (reported >= 1) {
    if (row - w[W.alarmRow]! > apart) p[P.longEpisodes] = p[P.longEpisodes] + 1;
    w[W.alarmRow] = row;
  }
  return reported;
}
