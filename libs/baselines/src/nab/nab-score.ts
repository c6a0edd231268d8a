import { type NabProfile } from './nab-profile.js';
import { type NabRows, nabRows, type NabSeries } from './nab-rows.js';

/** A corpus scored for one profile at a common threshold for all of its files. */
export interface NabScore {
  /**
   * 100 for finding every window at its start without a false alarm, 0 for never alarming; negative for only false
   * alarms.
   */
  score: number;
  /** Scores of at least this value were detections; Infinity: there was none. */
  threshold: number;
  windows: number;
  windowsFound: number;
  /** Rows above the threshold outside of windows: each one counts. */
  falseAlarmRows: number;
}

/** Sums over the files, before the score is normalised to 0..100. */
export interface NabTally {
  raw: number;
  windowsFound: number;
  falseAlarmRows: number;
}

/** Counts for one file at a threshold; `rows` are those of the file. */
export function tallyNab({ scores }: NabSeries, rows: NabRows, threshold: number, profile: NabProfile): NabTally {
  const { probation, windowOf, worth, scorable } = rows;
  const best = new Map<number, number>();
  let falseAlarmRows = 0;
  let raw = 0;
  for (let row = probation; row < scores.length; row++) {
    if (!(scores[row]! >= threshold)) continue;
    const window = windowOf[row]!;
    if (window === -1) {
      falseAlarmRows += 1;
      raw += profile.falseAlarm * worth[row]!;
    } else if (worth[row]! > (best.get(window) ?? -Infinity)) {
      best.set(window, worth[row]!);
    }
  }
  for (const worthOfBest of best.values()) raw += profile.found * worthOfBest;
  raw -= profile.missed * (scorable.length - best.size);
  return { raw, windowsFound: best.size, falseAlarmRows };
}

/**
 * 100 (raw - null) / (perfect - null): null never alarms and misses every scorable window; perfect finds all windows at
 * their start. 0 for a corpus without windows.
 */
export function normaliseNab(raw: number, windows: number, scorable: number, profile: NabProfile): number {
  const perfect = profile.found * windows;
  const silent = -profile.missed * scorable;
  return perfect === silent ? 0 : (100 * (raw - silent)) / (perfect - silent);
}

/**
 * Score of a corpus at one threshold for all files: rows with at least that score are detections. O(rows). Checked
 * manually and against the rules written out row by row (in the specs), and on a detector's scores of the whole
 * benchmark against an independent program that reproduces the published scoreboard: the same windows, the same false
 * rows, the same three scores.
 */
export function scoreNab(corpus: readonly NabSeries[], threshold: number, profile: NabProfile): NabScore {
  let raw = 0;
  let windows = 0;
  let scorable = 0;
  let windowsFound = 0;
  let falseAlarmRows = 0;
  for (const series of corpus) {
    const rows = nabRows(series.scores.length, series.windows);
    const tally = tallyNab(series, rows, threshold, profile);
    raw += tally.raw;
    windows += series.windows.length;
    scorable += rows.scorable.length;
    windowsFound += tally.windowsFound;
    falseAlarmRows += tally.falseAlarmRows;
  }
  return { score: normaliseNab(raw, windows, scorable, profile), threshold, windows, windowsFound, falseAlarmRows };
}
