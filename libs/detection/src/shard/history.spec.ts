import { METRIC_TYPES } from '#libs/contracts';
import { dailySine, during, series } from '../testing/generators.js';
import { definition, input } from '../testing/shard-input.js';
import { type AnomalyEvent, SERIES_TERMS, type ShardInput } from '../types.js';
import { DetectionShard } from './detection-shard.js';

const DAYS = 4;
const ROWS = DAYS * 1440;
/** Row of a short outage that affects all series. */
const OUTAGE = ROWS - 600;
const rows = series(
  DAYS,
  60,
  during(dailySine(3), OUTAGE / 1440, 20, (x) => x + 60),
);

function inputOf(from: number, until: number, position: number): ShardInput {
  const points: [number, number, number][] = [];
  for (let row = from; row < until; row++) points.push([1, rows.timestamps[row]!, rows.values[row]!]);
  return { ...input(points), position };
}

/** The page of a shard that has learnt until a row, as written by an older program. */
function olderPage(until: number): Uint8Array {
  const shard = new DetectionShard();
  shard.define(definition(1, { budgetPerMonth: 3 }));
  shard.apply(inputOf(0, until, 1));
  const { bytes } = shard.savePage()!;
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(4, 1, true);
  return bytes;
}

describe('a page of an older version', () => {
  const asStored = (until: number): [Float64Array, Float64Array] => [
    rows.timestamps.subarray(0, until),
    rows.values.subarray(0, until),
  ];

  it.each([
    ['immediately', 0],
    ['after some new points', 30],
  ])('is rejected, and its series learn the same state from stored rows %s', (_, meanwhile) => {
    const learnt = OUTAGE - 100;
    const lived = new DetectionShard();
    lived.define(definition(1, { budgetPerMonth: 3 }));
    lived.apply(inputOf(0, learnt + meanwhile, 1));

    const shard = new DetectionShard();
    const page = olderPage(learnt);
    expect(() => shard.restorePage(0, 1, page)).toThrow('snapshot version 1');
    expect(shard.relearnPage(0, 1, page)).toBe(1);
    if (meanwhile > 0) shard.apply(inputOf(learnt, learnt + meanwhile, 2));
    expect(shard.awaitingHistory(10)).toEqual([definition(1, { budgetPerMonth: 3 })]);
    shard.takeHistory(1, ...asStored(learnt + meanwhile));
    expect(shard.awaitingHistory(10)).toEqual([]);
    expect(shard.progress(1)).toEqual(lived.progress(1));

    const eventsOf = (one: DetectionShard): AnomalyEvent[] => one.apply(inputOf(learnt + meanwhile, ROWS, 3)).events;
    const events = eventsOf(lived);
    expect(events.some(({ type }) => type === 'opened')).toBe(true);
    expect(eventsOf(shard)).toEqual(events);
  });

  it('makes its series wait for history across a restart', () => {
    const shard = new DetectionShard();
    shard.relearnPage(0, 1, olderPage(200));
    const saved = shard.savePage()!;
    const restarted = new DetectionShard();
    restarted.restorePage(saved.page, saved.position, saved.bytes);
    expect(restarted.awaitingHistory(10).map(({ id }) => id)).toEqual([1]);
    restarted.takeHistory(1, new Float64Array(0), new Float64Array(0));
    expect(restarted.awaitingHistory(10)).toEqual([]);
  });

  it('closes an anomaly that opened before the history arrived', () => {
    const shard = new DetectionShard();
    shard.relearnPage(0, 1, olderPage(OUTAGE - 300));
    const opened = shard.apply(inputOf(OUTAGE - 300, OUTAGE + 10, 2)).events.filter(({ type }) => type === 'opened');
    shard.takeHistory(1, ...asStored(OUTAGE + 10));
    const { events } = shard.apply(inputOf(OUTAGE + 10, ROWS, 3));
    const closed = events.filter(({ type }) => type === 'closed').map(({ startTimestamp }) => startTimestamp);
    expect(opened.length).toBeGreaterThan(0);
    expect(closed).toEqual(expect.arrayContaining(opened.slice(-1).map(({ startTimestamp }) => startTimestamp)));
  });
});

describe('a series with another type', () => {
  const STEPS = Float64Array.from(rows.values, (value) => Math.max(0, Math.round(value)));
  const READINGS = STEPS.map((_, row) => STEPS.subarray(0, row + 1).reduce((sum, step) => sum + step, 0));
  const COUNTER = METRIC_TYPES.indexOf('counter');
  const LEARNT = OUTAGE - 100;

  const readings = (from: number, until: number): ShardInput =>
    input(Array.from({ length: until - from }, (_, i) => [1, rows.timestamps[from + i]!, READINGS[from + i]!]));
  const retyped = (): ShardInput => ({ ...input([[1, rows.timestamps[LEARNT]!, COUNTER]]), kind: 'define' });

  function shardOf(type: 'gauge' | 'counter'): DetectionShard {
    const shard = new DetectionShard();
    shard.define(definition(1, { type }));
    shard.apply({ ...readings(0, LEARNT), kind: 'backfill' });
    return shard;
  }

  it.each([
    ['immediately', 0],
    ['after some new points', 30],
  ])('relearns from its stored rows %s', (_, meanwhile) => {
    const asCounter = shardOf('counter');
    asCounter.apply(readings(LEARNT, LEARNT + meanwhile));
    const shard = shardOf('gauge');
    shard.apply(retyped());
    expect(shard.progress(1)).toMatchObject({ valuesNeeded: 100 });
    shard.apply(readings(LEARNT, LEARNT + meanwhile));
    expect(shard.awaitingHistory(10)).toEqual([definition(1, { type: 'counter' })]);
    const until = LEARNT + meanwhile;
    shard.takeHistory(1, rows.timestamps.subarray(0, until), READINGS.subarray(0, until));
    expect(shard.awaitingHistory(10)).toEqual([]);
    expect(shard.progress(1)).toEqual(asCounter.progress(1));

    // The retyped series has no rate for its first row after the change.
    const openedBy = (one: DetectionShard) =>
      one
        .apply(readings(until, ROWS))
        .events.filter(({ type }) => type === 'opened')
        .map(({ kind, startTimestamp, severity }) => ({ kind, startTimestamp, severity }));
    const opened = openedBy(asCounter);
    expect(opened.length).toBeGreaterThan(0);
    expect(openedBy(shard)).toEqual(opened);
  });

  it('does not wait for stored rows if it has just begun', () => {
    const shard = new DetectionShard();
    shard.define(definition(1));
    shard.apply(readings(0, 5));
    shard.apply(retyped());
    expect(shard.awaitingHistory(10)).toEqual([]);
  });

  it('waits for its stored rows across a restart', () => {
    const shard = shardOf('gauge');
    shard.apply({ ...retyped(), position: 2 });
    const saved = shard.savePage()!;
    const restarted = new DetectionShard();
    restarted.restorePage(saved.page, saved.position, saved.bytes);
    expect(restarted.awaitingHistory(10).map(({ id }) => id)).toEqual([1]);
  });
});

describe('a series with another period', () => {
  it('relearns from its stored rows', () => {
    const shard = new DetectionShard();
    shard.define(definition(1));
    shard.apply(inputOf(0, ROWS, 1));
    const terms = new Map([[7, { periodSeconds: 7200 }]]);
    shard.apply({ ...input([[1, 7, SERIES_TERMS]]), kind: 'define', terms });
    expect(shard.progress(1)).toMatchObject({ valuesNeeded: 100 });
    shard.takeHistory(1, rows.timestamps, rows.values);
    expect(shard.progress(1)).toMatchObject({ valuesNeeded: 0 });
  });
});
