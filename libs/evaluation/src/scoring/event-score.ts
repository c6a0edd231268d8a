import { labelledRanges, type RowRange } from '#libs/baselines';
import { type LabelledSeries, withoutWarmUp } from './labelled-series.js';

/** How well the alarms of a set of series match its events, at one threshold for all of them. */
export interface EventScore {
  /** Scores from this value on are alarms; Infinity: none is. */
  threshold: number;
  /** Harmonic mean of precision and recall; 0 if nothing was found. */
  f1: number;
  /** Alarms that belong to an event, of all alarms; 0 without alarms. */
  precision: number;
  /** Events found, of all events; 0 without events. */
  recall: number;
  events: number;
  found: number;
  alarms: number;
  falseAlarms: number;
  /** Judged rows. */
  rows: number;
  falseAlarmsPer10kRows: number;
  /** Mean number of rows from the start of a found event to its first alarm row; null if none was found. */
  meanDelayRows: number | null;
}

/**
 * Number of rows after which a continuing alarm is raised again: an endless alarm must not count as a single correct
 * one.
 */
const MAX_ALARM_ROWS = 60;

/** Plain counts of one or more series. */
interface Counts {
  events: number;
  found: number;
  alarms: number;
  falseAlarms: number;
  rows: number;
  delayRows: number;
}

/** A judged series, prepared for counting at many thresholds. */
export interface PreparedEvents {
  scores: Float64Array;
  events: readonly RowRange[];
  mergeRows: number;
  toleranceRows: number;
}

/** Skips the warm-up; an event that starts in it starts with the first judged row instead. */
export function prepareEvents(series: LabelledSeries): PreparedEvents {
  const { scores, labels, pace } = withoutWarmUp(series);
  return { scores, events: labelledRanges(labels), ...pace };
}

/** `alarmRows`: rows that reach the threshold, ascending. */
function count(
  { scores, events, mergeRows, toleranceRows }: PreparedEvents,
  alarmRows: Uint32Array,
  counts: Counts,
): void {
  counts.rows += scores.length;
  counts.events += events.length;
  let alarmStart = -Infinity;
  let alarmEnd = -Infinity;
  let isTrueAlarm = true;
  const firstAlarm = new Int32Array(events.length).fill(-1);
  // Events and rows are both in order: `next` is the first event that has not passed yet.
  let next = 0;
  for (const row of alarmRows) {
    if (row - alarmEnd > mergeRows || row - alarmStart >= MAX_ALARM_ROWS) {
      if (!isTrueAlarm) counts.falseAlarms += 1;
      counts.alarms += 1;
      alarmStart = row;
      isTrueAlarm = false;
    }
    alarmEnd = row;
    while (next < events.length && events[next]!.last + toleranceRows < row) next += 1;
    // The tolerance of one event can reach into the next: such a row belongs to both.
    for (let event = next; event < events.length && events[event]!.first <= row; event++) {
      isTrueAlarm = true;
      if (firstAlarm[event] === -1) firstAlarm[event] = row;
    }
  }
  if (!isTrueAlarm) counts.falseAlarms += 1;
  events.forEach(({ first }, event) => {
    if (firstAlarm[event] === -1) return;
    counts.found += 1;
    counts.delayRows += firstAlarm[event]! - first;
  });
}

/** The rows, in their order, whose score reaches the threshold. */
export function alarmRowsOf({ scores }: PreparedEvents, threshold: number, rows: Uint32Array): Uint32Array {
  return rows.filter((row) => scores[row]! >= threshold);
}

export function everyRowOf({ scores }: PreparedEvents): Uint32Array {
  return Uint32Array.from(scores.keys());
}

/** Counts prepared series at one threshold; `alarmRows` are the rows that reach it, per series. */
export function scorePreparedEvents(
  set: readonly PreparedEvents[],
  threshold: number,
  alarmRows: readonly Uint32Array[],
): EventScore {
  const counts: Counts = { events: 0, found: 0, alarms: 0, falseAlarms: 0, rows: 0, delayRows: 0 };
  set.forEach((series, i) => count(series, alarmRows[i]!, counts));
  const { events, found, alarms, falseAlarms, rows, delayRows } = counts;
  const precision = alarms === 0 ? 0 : (alarms - falseAlarms) / alarms;
  const recall = events === 0 ? 0 : found / events;
  return {
    threshold,
    f1: found === 0 ? 0 : (2 * precision * recall) / (precision + recall),
    precision,
    recall,
    events,
    found,
    alarms,
    falseAlarms,
    rows,
    falseAlarmsPer10kRows: rows === 0 ? 0 : (10_000 * falseAlarms) / rows,
    meanDelayRows: found === 0 ? null : delayRows / found,
  };
}

/**
 * Event F1 of a set of series at one threshold for all of them. An event is a run of labelled rows; it is found if an
 * alarm row is between its start and a little after its end. Alarm rows close to each other are one alarm, which is cut
 * after 60 rows; an alarm without a row in (or a little after) an event is false. Warm-up rows are not judged.
 * Point-adjusted F1, which counts a whole event for one row, is intentionally omitted: random scores reach 0.9 with it
 * (Kim et al. 2022, "Towards a Rigorous Evaluation of Time-Series Anomaly Detection"). O(rows). Checked manually, and
 * against a direct implementation of the rules over lists of rows (in the specs).
 */
export function scoreEvents(set: readonly LabelledSeries[], threshold: number): EventScore {
  const prepared = set.map(prepareEvents);
  return scorePreparedEvents(
    prepared,
    threshold,
    prepared.map((series) => alarmRowsOf(series, threshold, everyRowOf(series))),
  );
}
