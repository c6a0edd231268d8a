import { B, F, P } from '../record/layout.js';
import * as layout from '../record/layout.js';
import { SEASON_NONE, type SeasonalPoint } from './season.js';
import { type SeriesRecord } from '../record/series-record.js';

const { DAY_BUCKETS, DAY_JOBS, JOB_BYTES, JOBS_AT } = layout;
const { abs, floor, log2, max, min, round } = Math;

/**
 * The recent starts of the jobs of the day, and their lengths: a run consists of the values on the far side of a step
 * of the day. A job that has not begun some time after its latest start, that ends long before its shortest run, or
 * that continues long after its longest one, does not count as the expected job.
 *
 * Two jobs have six bytes each: the bucket of its first run, plus one (0: none); earliest and latest start, in
 * sixteenths of a bucket relative to it; shortest and longest run, coded; the last day on which it was expected, in the
 * upper half, and the number of known runs.
 */

const AT = 0;
const EARLIEST = 1;
const LATEST = 2;
const SHORTEST = 3;
const LONGEST = 4;
const KNOWN = 5;

/** Parts of a bucket in which starts are counted, and the code of zero in a byte with a sign. */
const START_PARTS = 16;
const MIDDLE = 128;
/** Maximum difference, in buckets, between the start of a run and the first start of its job. */
const REACH = 7;
/** Lengths are coded from an eighth of a minute's row on, in steps of 3.5 %. */
const SHORTEST_LENGTH = 1 / 80;
const CODES_PER_DOUBLE = 20;
/** Number of known runs before a job is expected, in a series with a daily pattern and without one. */
const RUNS_KNOWN = 3;
const RUNS_SURE = 6;
/** Maximum difference, in buckets, between the earliest and the latest start: beyond it, a job has no usual time. */
const MAX_SPREAD = 6;
const MAX_RUNS = 15;
const LOST_BY_MISS = 3;
/** Number of distinguishable days. */
const DAYS = 16;
/** Number of days without a run after which another job may replace a job. */
const FORGOTTEN_DAYS = 4;
/** Share of the range of starts and lengths that each run forgets. */
const FORGETTING = 0.02;
/**
 * A job counts as missing after this share of the shortest run since the latest start, but after this many buckets at
 * the latest.
 */
const LATE = 0.25;
const MAX_LATE = 2.5;
/**
 * A job ends early if it is shorter than this share of the shortest run. It lasts too long after this many times the
 * longest one plus some rows.
 */
const TOO_SHORT = 0.7;
const TOO_LONG = 1.4;
const TOO_LONG_ROWS = 2;
/**
 * Minimum change of the series within about three rows at the start of a run, as a share of the step: a smaller one is
 * a slope.
 */
const BEGINS = 0.2;
/** Share of the rows of a run for which it may pause, and its bounds in rows. */
const PAUSE = 0.05;
const MIN_PAUSE = 1;
const MAX_PAUSE = 100;
/** After a gap of more than this number of rows, a run is discarded. */
const MAX_GAP_ROWS = 3;
/** Rate at which the size of the job is learnt. */
const TOP_RATE = 0.1;

const coded = (length: number): number =>
  max(0, min(255, round(CODES_PER_DOUBLE * log2(max(length, SHORTEST_LENGTH) / SHORTEST_LENGTH))));
const lengthOf = (code: number): number => SHORTEST_LENGTH * 2 ** (code / CODES_PER_DOUBLE);

export function forgetJobs({ b, coldBytes, cold }: SeriesRecord): void {
  b[B.runPause] = 0;
  coldBytes.fill(0, cold + JOBS_AT, cold + JOBS_AT + DAY_JOBS * JOB_BYTES);
}

export class DayJobs {
  /** The job that was found last: its day, and the buckets between its first start and the given time. */
  private day = 0;
  private offset = 0;

  /**
   * Learns a value. `isNear`: a step of the day is near, between `low` and `high`. Returns the distance of the value
   * from the expected value of a job, or 0 if the job is as expected.
   */
  take(
    record: SeriesRecord,
    at: SeasonalPoint,
    value: number,
    isNear: boolean,
    low: number,
    high: number,
    steep: number,
  ): number {
    const { f, p, b } = record;
    // It is unknown whether the job continued during the gap.
    if (at.timestamp - f[F.lastAnalysed]! > MAX_GAP_ROWS * at.resolution) p[P.edgeRun] = b[B.runPause] = 0;
    const rows = p[P.edgeRun]!;
    if (!isNear && rows === 0) return 0;
    const middle = f[F.middle]!;
    const isUp = isNear ? high - middle >= middle - low : p[P.edgeTop]! > 0;
    const half = isNear ? (low + high) / 2 : middle + p[P.edgeTop]! / 2;
    const isRunning = isUp ? value >= half : value <= half;
    const row = rowWidth(record, at);
    const top = isNear ? (isUp ? high : low) : middle + p[P.edgeTop]!;
    if (isRunning) {
      // If the values are only close to each other, half a step may be mere noise.
      if (rows === 0 && abs(value - f[F.fast]!) < max(BEGINS * (high - low), steep)) return 0;
      if (isNear && b[B.open] === 0) this.learnTop(record, value);
      p[P.edgeRun] = rows + 1 + b[B.runPause]!;
      b[B.runPause] = 0;
      return this.isTooLong(record, at.inDay, rows, row) ? value - middle : 0;
    }
    if (rows > 0) {
      b[B.runPause] = b[B.runPause]! + 1;
      if (b[B.runPause] <= max(MIN_PAUSE, min(MAX_PAUSE, PAUSE * rows))) return 0;
      const start = at.inDay - (rows + b[B.runPause] - 1) * row;
      p[P.edgeRun] = b[B.runPause] = 0;
      return this.endRun(record, start, rows * row) && abs(value - top) > steep ? value - top : 0;
    }
    return this.isLate(record, at.inDay) && abs(value - top) > steep ? value - top : 0;
  }

  /** Learns the distance from the middle that the running job causes. */
  private learnTop({ f, p }: SeriesRecord, value: number): void {
    const top = value - f[F.middle]!;
    const known = p[P.edgeTop]!;
    p[P.edgeTop] = known * top > 0 ? known + TOP_RATE * (top - known) : top;
  }

  /** True if with this row, the run (of `before` rows up to here) is longer than ever. */
  private isTooLong(record: SeriesRecord, now: number, before: number, row: number): boolean {
    const { p, coldBytes } = record;
    if (p[P.edgeHigh] === Infinity) return false;
    const rows = p[P.edgeRun]!;
    const place = this.find(record, now - (rows - 1) * row);
    if (place < 0 || knownRuns(coldBytes[place + KNOWN]!) < runsNeeded(record)) return false;
    const most = (TOO_LONG * lengthOf(coldBytes[place + LONGEST]!)) / row + TOO_LONG_ROWS;
    return rows > most && before <= most;
  }

  /** Learns a run that has ended, in buckets; true if it was too short. */
  private endRun(record: SeriesRecord, start: number, length: number): boolean {
    const { coldBytes } = record;
    let place = this.find(record, start);
    if (place < 0) {
      place = this.free(record, start);
      if (place >= 0) this.begin(record, place, start, length);
      return false;
    }
    const known = coldBytes[place + KNOWN]!;
    const runs = knownRuns(known);
    const [shortest, longest] = [coldBytes[place + SHORTEST]!, coldBytes[place + LONGEST]!];
    const unseen = (lengthOf(longest) - lengthOf(shortest)) / max(1, runs - 1);
    const isNewDay = known >> 4 === this.day % DAYS ? 0 : 1;
    const isShort = runs >= runsNeeded(record) && length < TOO_SHORT * (lengthOf(shortest) - unseen);
    const offset = max(0, min(255, MIDDLE + round(START_PARTS * this.offset)));
    learnRange(coldBytes, place + EARLIEST, offset);
    learnRange(coldBytes, place + SHORTEST, coded(length));
    coldBytes[place + KNOWN] = (this.day % DAYS) * 16 + min(MAX_RUNS, runs + isNewDay);
    return isShort;
  }

  /** True if a job has not started although its latest start has passed; reported once a day. */
  private isLate(record: SeriesRecord, now: number): boolean {
    const { coldBytes } = record;
    const place = this.find(record, now);
    if (place < 0) return false;
    const known = coldBytes[place + KNOWN]!;
    const runs = knownRuns(known);
    if (runs < runsNeeded(record) || known >> 4 === this.day % DAYS) return false;
    const [earliest, latest] = [coldBytes[place + EARLIEST]!, coldBytes[place + LATEST]!];
    if (latest - earliest > START_PARTS * MAX_SPREAD) return false;
    const unseen = (latest - earliest) / (runs - 1);
    const wait = min(MAX_LATE, LATE * lengthOf(coldBytes[place + SHORTEST]!));
    if (this.offset < (latest - MIDDLE + unseen) / START_PARTS + wait) return false;
    coldBytes[place + KNOWN] = (this.day % DAYS) * 16 + max(0, runs - LOST_BY_MISS);
    return true;
  }

  /**
   * The job that starts at about this time; -1 if there is none. Sets its day, and the buckets since its first start.
   */
  private find({ coldBytes, cold }: SeriesRecord, time: number): number {
    for (let job = 0; job < DAY_JOBS; job++) {
      const place = cold + JOBS_AT + job * JOB_BYTES;
      const first = coldBytes[place + AT]!;
      if (first === 0) continue;
      const since = time - (first - 1);
      const day = round(since / DAY_BUCKETS);
      const offset = since - day * DAY_BUCKETS;
      if (abs(offset) > REACH) continue;
      this.day = day;
      this.offset = offset;
      return place;
    }
    return -1;
  }

  /** A place for a new job: an empty one, or that of a job that has not run for days. */
  private free({ coldBytes, cold }: SeriesRecord, start: number): number {
    for (let job = 0; job < DAY_JOBS; job++) {
      const place = cold + JOBS_AT + job * JOB_BYTES;
      const first = coldBytes[place + AT]!;
      if (first === 0) return place;
      const day = round((start - (first - 1)) / DAY_BUCKETS);
      const days = ((day % DAYS) - (coldBytes[place + KNOWN]! >> 4) + DAYS) % DAYS;
      if (days >= FORGOTTEN_DAYS) return place;
    }
    return -1;
  }

  private begin({ coldBytes }: SeriesRecord, place: number, start: number, length: number): void {
    const day = floor(start / DAY_BUCKETS);
    const bucket = floor(start - day * DAY_BUCKETS);
    const offset = MIDDLE + round(START_PARTS * (start - day * DAY_BUCKETS - bucket));
    coldBytes[place + AT] = bucket + 1;
    coldBytes[place + EARLIEST] = coldBytes[place + LATEST] = offset;
    coldBytes[place + SHORTEST] = coldBytes[place + LONGEST] = coded(length);
    coldBytes[place + KNOWN] = (day % DAYS) * 16 + 1;
  }
}

const runsNeeded = ({ b }: SeriesRecord): number => (b[B.season] === SEASON_NONE ? RUNS_SURE : RUNS_KNOWN);

const knownRuns = (known: number): number => known & 15;

/** Width of a row in buckets. */
function rowWidth({ f }: SeriesRecord, { resolution }: SeasonalPoint): number {
  return (resolution * DAY_BUCKETS) / f[F.period]!;
}

/** Widens a range, whose upper end is stored next to the lower one; values far inside shrink it. */
function learnRange(bytes: Uint8Array, at: number, observed: number): void {
  bytes[at] = min(observed, bytes[at]! + round(FORGETTING * max(0, observed - bytes[at]!)));
  bytes[at + 1] = max(observed, bytes[at + 1]! - round(FORGETTING * max(0, bytes[at + 1]! - observed)));
}
