import { uniform } from '../../testing/generators.js';
import { definition, input } from '../../testing/shard-input.js';
import { DetectionShard } from '../../shard/detection-shard.js';

/** Row at which a series of these values is recognised as a counter; undefined: never. */
function reportedAt(values: number[], mayBeCounter = true): number | undefined {
  const shard = new DetectionShard();
  shard.define(definition(1, { mayBeCounter }));
  const reported = values.flatMap((value, row) => shard.apply(input([[1, row * 60, value]])).counters.map(() => row));
  expect(reported.length).toBeLessThan(2);
  return reported[0];
}

const rows = (count: number, value: (row: number) => number): number[] =>
  Array.from({ length: count }, (_, i) => value(i));

describe('a series without metadata', () => {
  it('is recognised as a counter after 100 values that never decrease', () => {
    expect(reportedAt(rows(300, (row) => row * 3))).toBe(99);
    expect(reportedAt(rows(300, (row) => Math.floor(row / 5)))).toBe(99);
  });

  it('is recognised as a counter that was reset to near zero', () => {
    expect(reportedAt(rows(300, (row) => 1000 + (row % 60) * 50 - (row >= 60 ? 1000 : 0)))).toBe(99);
  });

  it('is no counter if it decreases once to a value far from zero', () => {
    expect(reportedAt(rows(500, (row) => (row === 40 ? 500 : 1000 + row)))).toBeUndefined();
  });

  it('is no counter if it has negative values', () => {
    expect(reportedAt(rows(500, (row) => row - 5))).toBeUndefined();
  });

  it('is no counter if it hardly ever increases', () => {
    expect(reportedAt(rows(500, () => 7))).toBeUndefined();
    expect(reportedAt(rows(500, (row) => (row < 250 ? 0 : 1)))).toBeUndefined();
  });

  it('is no counter if it alternates between two values', () => {
    expect(reportedAt(rows(500, (row) => row % 2))).toBeUndefined();
    const next = uniform(3);
    expect(reportedAt(rows(500, () => (next() < 0.3 ? 5 : 0)))).toBeUndefined();
  });

  it('is no counter if its definition excludes that', () => {
    expect(
      reportedAt(
        rows(300, (row) => row * 3),
        false,
      ),
    ).toBeUndefined();
  });
});

describe('a define input', () => {
  const next = uniform(7);
  let total = 0;
  const counting = rows(400, () => (total += 60 * (1 + 0.1 * next())));

  it('with another type makes the series learn again as that type', () => {
    const shard = new DetectionShard();
    shard.define(definition(1, { mayBeCounter: true }));
    counting.slice(0, 150).forEach((value, row) => shard.apply(input([[1, row * 60, value]])));
    expect(shard.progress(1)!.readiness.range).toBe(true);
    shard.apply({ ...input([[1, 0, 1]]), kind: 'define' });
    expect(shard.progress(1)).toMatchObject({ points: 150, readiness: { range: false } });
    const events = counting
      .slice(150)
      .flatMap((value, row) => shard.apply(input([[1, (150 + row) * 60, row >= 200 ? value + 1e5 : value]])).events);
    expect(events[0]).toMatchObject({ type: 'opened' });
    expect(events[0]!.expected).toBeCloseTo(1.05, 1);
  });

  it('with an erasure removes the series', () => {
    const shard = new DetectionShard();
    shard.define(definition(1));
    shard.apply(input([[1, 60, 1]]));
    shard.apply({ ...input([[1, 0, -1]]), kind: 'define' });
    expect(shard.has(1)).toBe(false);
    expect(shard.apply(input([[1, 120, 1]])).skipped).toEqual({ unknown: 1, unusable: 0 });
    expect(shard.drainProgress().ids).toHaveLength(0);
  });

  it('with another type closes an open anomaly', () => {
    const shard = new DetectionShard();
    shard.define(definition(1));
    const next = uniform(1);
    rows(200, () => 10 + next()).forEach((value, row) => shard.apply(input([[1, row * 60, value]])));
    const opened = shard.apply(input([[1, 200 * 60, 900]])).events;
    expect(opened).toMatchObject([{ type: 'opened' }]);
    const { events } = shard.apply({ ...input([[1, 0, 2]]), kind: 'define' });
    expect(events).toMatchObject([
      { type: 'closed', startTimestamp: opened[0]!.startTimestamp, closeReason: 'data_ended' },
    ]);
  });
});
