import { type AnomalyEvent, DetectionShard, type SeriesProgress, type ShardInput } from '#libs/detection';
import {
  dailySine,
  DAY,
  definition,
  differenceOfEvents,
  during,
  type Rows,
  series,
  workingDays,
} from '#libs/detection/testing';
import { ALWAYS, atLeast, cell, type Scene, scene, yes } from '../cell.js';

/** Tests what is learnt, when this is reported, and that history teaches as much as live points. */

/** Applies rows [from, until) in inputs of `chunk` rows; returns the progress after them and all events. */
function feed(
  shard: DetectionShard,
  { timestamps, values }: Rows,
  kind: ShardInput['kind'],
  { from = 0, until = values.length, chunk = 1440 } = {},
): { progress: SeriesProgress; events: AnomalyEvent[] } {
  const events: AnomalyEvent[] = [];
  for (let at = from; at < until; at += chunk) {
    const end = Math.min(until, at + chunk);
    const output = shard.apply({
      kind,
      now: timestamps[end - 1]!,
      ids: new Uint32Array(end - at).fill(1),
      timestamps: timestamps.slice(at, end),
      values: values.slice(at, end),
    });
    events.push(...output.events);
  }
  return { progress: shard.progress(1)!, events };
}

function oneSeries(slotSeconds = 60): DetectionShard {
  const shard = new DetectionShard();
  shard.define(definition(1, { slotSeconds }));
  return shard;
}

/** Progress after this many days of a series of one point every five minutes. */
type ProgressAfter = (days: number) => SeriesProgress;

function progressOf(rows: Rows): ProgressAfter {
  const shard = oneSeries(300);
  const steps = [0.05, 0.9, 4, 6.9, 16];
  const reports = new Map<number, SeriesProgress>();
  let from = 0;
  for (const days of steps) {
    const until = Math.round(days * 288);
    reports.set(days, feed(shard, rows, 'live', { from, until }).progress);
    from = until;
  }
  return (days) => reports.get(days)!;
}

const NIGHTS = 15;
const BACKFILL_CHUNK = 5000;

export const readiness: readonly Scene[] = [
  scene('readiness of a daily sine of 20 sigma', (seed) => progressOf(series(16, 300, dailySine(seed, 20)))).with([
    cell('nothing is trusted after an hour', ALWAYS, (after) => yes(trusted(after(0.05)) === '')),
    cell('the range within a day, nothing more', ALWAYS, (after) =>
      yes(trusted(after(0.9)) === 'range', trusted(after(0.9))),
    ),
    cell('the day after four days, not the week', ALWAYS, (after) =>
      yes(trusted(after(4)) === 'range daily', trusted(after(4))),
    ),
    cell('the week not before it was seen', ALWAYS, (after) => yes(!after(6.9).readiness.weekly)),
    cell('the week after 16 days', ALWAYS, (after) => yes(after(16).readiness.weekly, trusted(after(16)))),
    cell('a period of a day is in use after four days', atLeast(0.99), (after) =>
      yes(after(4).seasonalPeriods.includes(DAY), after(4).seasonalPeriods.join(' ') || 'none'),
    ),
  ]),
  scene('readiness of a weekday/weekend cycle', (seed) => progressOf(series(16, 300, workingDays(seed)))).with([
    cell('a period of a week is in use after 16 days', atLeast(0.99), (after) =>
      yes(after(16).seasonalPeriods.includes(7 * DAY), after(16).seasonalPeriods.join(' ') || 'none'),
    ),
  ]),
  scene('warm start', (seed) =>
    series(
      NIGHTS + 1,
      60,
      during(dailySine(seed), NIGHTS + 0.4, 60, (x) => x + 12),
    ),
  ).with([
    cell('a backfill makes as ready as having lived it, with the same later verdicts', ALWAYS, (rows) => {
      const until = NIGHTS * 1440;
      const [lived, filled] = [oneSeries(), oneSeries()];
      const before = feed(lived, rows, 'live', { until, chunk: 60 }).progress;
      const atOnce = feed(filled, rows, 'backfill', { until, chunk: BACKFILL_CHUNK }).progress;
      if (before.isOnlyHistory || !atOnce.isOnlyHistory) return yes(false, 'history is taken for live data');
      // No other member shows how the points arrived.
      const isSame = JSON.stringify(before) === JSON.stringify({ ...atOnce, isOnlyHistory: false });
      if (!isSame) return yes(false, 'another progress');
      if (trusted(before) !== 'range daily weekly') return yes(false, `ready: ${trusted(before)}`);
      const later = feed(lived, rows, 'live', { from: until }).events;
      if (later.length === 0) return yes(false, 'no event at all');
      const difference = differenceOfEvents(feed(filled, rows, 'live', { from: until }).events, later);
      return yes(difference === undefined, difference);
    }),
  ]),
];

function trusted({ readiness: { range, daily, weekly } }: SeriesProgress): string {
  return [range && 'range', daily && 'daily', weekly && 'weekly'].filter(Boolean).join(' ');
}
