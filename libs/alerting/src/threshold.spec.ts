import fc from 'fast-check';
import {
  type Beyond,
  furthestFirst,
  historySeconds,
  replayThreshold,
  type ThresholdEvent,
  ThresholdSeries,
} from './threshold.js';
import { type ThresholdRule } from './watcher-rule.js';

const MINUTE = 60;
const START = 1_760_000_040;

const rule = (fields: Partial<ThresholdRule>): ThresholdRule => ({
  algorithm: 'above',
  value: 10,
  valueUpper: null,
  timesInARow: 1,
  function: 'none',
  functionSeconds: null,
  minimumAvg: null,
  minimumAvgSeconds: null,
  dropPercent: null,
  ...fields,
});

interface Point {
  timestamp: number;
  value: number;
}

const minutes = (...values: number[]): Point[] =>
  values.map((value, index) => ({ timestamp: START + index * MINUTE, value }));

function run(of: ThresholdRule, points: readonly Point[]): ThresholdEvent[] {
  const series = new ThresholdSeries(of);
  return points.flatMap(({ timestamp, value }) => series.point(timestamp, value) ?? []);
}

/** Type of each event, and minutes after the start. */
const notified = (events: readonly ThresholdEvent[]): [string, number][] =>
  events.map(({ type, timestamp }) => [type, (timestamp - START) / MINUTE]);

describe('ThresholdSeries', () => {
  it.each([
    [
      rule({}),
      [10, 11, 12, 10],
      [
        ['breached', 1],
        ['recovered', 3],
      ],
    ],
    [
      rule({ algorithm: 'below' }),
      [10, 9, 8, 10],
      [
        ['breached', 1],
        ['recovered', 3],
      ],
    ],
    [
      rule({ algorithm: 'outside', valueUpper: 20 }),
      [10, 21, 15, 9],
      [
        ['breached', 1],
        ['recovered', 2],
        ['breached', 3],
      ],
    ],
    [
      rule({ timesInARow: 3 }),
      [11, 11, 9, 11, 11, 11, 9, 9, 11, 9, 9, 9],
      [
        ['breached', 5],
        ['recovered', 11],
      ],
    ],
    [
      rule({ function: 'mean', functionSeconds: 180 }),
      [0, 0, 20, 20, 0, 0],
      [
        ['breached', 3],
        ['recovered', 5],
      ],
    ],
    [rule({ function: 'median', functionSeconds: 180 }), [0, 0, 90, 0, 90, 90], [['breached', 4]]],
    [
      rule({ function: 'min', functionSeconds: 120 }),
      [11, 5, 11, 11],
      [
        ['breached', 0],
        ['recovered', 1],
        ['breached', 3],
      ],
    ],
    [
      rule({ function: 'max', functionSeconds: 120 }),
      [5, 11, 5, 5],
      [
        ['breached', 1],
        ['recovered', 3],
      ],
    ],
    [
      rule({ function: 'sum', functionSeconds: 120 }),
      [5, 5, 6, 4],
      [
        ['breached', 2],
        ['recovered', 3],
      ],
    ],
    [
      rule({ function: 'rate', functionSeconds: 120, value: 1 }),
      [0, 60, 180, 20, 40],
      [
        ['breached', 2],
        ['recovered', 3],
      ],
    ],
  ] as const)('evaluates %j over %j', (of, values, expected) => {
    expect(notified(run(of, minutes(...values)))).toEqual(expected);
  });

  it('compares a drop with the average before it, until the series recovers', () => {
    const of = rule({ algorithm: 'drop_off', value: null, minimumAvg: 50, minimumAvgSeconds: 300, dropPercent: 90 });
    expect(notified(run(of, minutes(100, 100, 100, 5, 5, 5, 5, 5, 5, 5, 5, 100)))).toEqual([
      ['breached', 3],
      ['recovered', 11],
    ]);
    expect(run(of, minutes(40, 40, 40, 1))).toEqual([]);
    const [breach] = run(of, minutes(100, 100, 4));
    expect(breach).toMatchObject({ value: 4, limit: expect.closeTo(10) as number });
    expect(notified(run({ ...of, dropPercent: 100 }, minutes(100, 1, 0)))).toEqual([['breached', 2]]);
  });

  it('detects silence by ticks, once, and recovers with the next point', () => {
    const series = new ThresholdSeries(rule({ algorithm: 'no_data', value: 300 }));
    expect(series.tick(START)).toBeNull();
    expect(series.point(START, 1)).toBeNull();
    expect(series.tick(START + 300)).toBeNull();
    expect(series.tick(START + 360)).toMatchObject({ type: 'breached', value: 360, limit: 300 });
    expect(series.tick(START + 420)).toBeNull();
    expect(series.point(START + 480, 1)).toMatchObject({ type: 'recovered' });
    expect(series.tick(START + 540)).toBeNull();
  });

  it('uses the newest value of a slot, but does not revoke a reported breach', () => {
    const series = new ThresholdSeries(rule({ timesInARow: 2 }));
    series.point(START, 11);
    expect(series.point(START, 5)).toBeNull();
    expect(series.point(START + MINUTE, 11)).toBeNull();
    expect(series.point(START + MINUTE, 12)).toBeNull();
    expect(series.point(START + 2 * MINUTE, 12)).toMatchObject({ type: 'breached' });
    expect(series.point(START + 2 * MINUTE, 1)).toBeNull();
    expect(series.isBreached).toBe(true);
    expect(series.point(START, 1)).toBeNull();
  });
});

const anyRule = fc.oneof(
  fc
    .record({
      algorithm: fc.constantFrom('above' as const, 'below' as const),
      timesInARow: fc.integer({ min: 1, max: 4 }),
      function: fc.constantFrom(
        'none' as const,
        'mean' as const,
        'median' as const,
        'min' as const,
        'max' as const,
        'sum' as const,
        'rate' as const,
      ),
      functionSeconds: fc.integer({ min: 1, max: 6 }).map((count) => count * MINUTE),
      value: fc.integer({ min: -3, max: 6 }),
    })
    .map((fields) => rule({ ...fields, functionSeconds: fields.function === 'none' ? null : fields.functionSeconds })),
  fc
    .record({ timesInARow: fc.integer({ min: 1, max: 4 }), value: fc.integer({ min: 0, max: 3 }) })
    .map((fields) => rule({ ...fields, algorithm: 'outside', valueUpper: fields.value + 3 })),
);
/** Points in slots of a minute, some of which are missing. */
const anyPoints = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: -5, max: 9 })), { minLength: 1, maxLength: 60 })
  .map((steps) => {
    let timestamp = START;
    return steps.map(([slots, value]): Point => ({ timestamp: (timestamp += slots * MINUTE), value }));
  });

/** A plain and slow implementation of the same rules. */
function plainly(of: ThresholdRule, points: readonly Point[]): [string, number][] {
  const events: [string, number][] = [];
  let isBeyond = false;
  let row = 0;
  points.forEach(({ timestamp, value }, index) => {
    const inWindow = points
      .slice(0, index + 1)
      .filter((point) => of.functionSeconds !== null && point.timestamp > timestamp - of.functionSeconds)
      .map((point) => point);
    const values = inWindow.map((point) => point.value);
    const sum = values.reduce((one, other) => one + other, 0);
    const sorted = [...values].sort((a, b) => a - b);
    const compared = {
      none: () => value,
      mean: () => sum / values.length,
      sum: () => sum,
      min: () => Math.min(...values),
      max: () => Math.max(...values),
      median: () => (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2,
      rate: () => {
        const seconds = timestamp - inWindow[0]!.timestamp;
        const steps = values.slice(1).map((one, i) => (one >= values[i]! ? one - values[i]! : Math.max(0, one)));
        return seconds === 0 ? null : steps.reduce((one, other) => one + other, 0) / seconds;
      },
    }[of.function]();
    if (compared === null) return;
    const isWrong =
      of.algorithm === 'above'
        ? compared > of.value!
        : of.algorithm === 'below'
          ? compared < of.value!
          : compared < of.value! || compared > of.valueUpper!;
    row = isWrong === isBeyond ? 0 : row + 1;
    if (row < of.timesInARow) return;
    isBeyond = !isBeyond;
    row = 0;
    events.push([isBeyond ? 'breached' : 'recovered', timestamp]);
  });
  return events;
}

const plain = (events: readonly ThresholdEvent[]): [string, number][] =>
  events.map(({ type, timestamp }) => [type, timestamp]);

describe('any threshold rule over any series', () => {
  it('agrees with the plain implementation', () => {
    fc.assert(
      fc.property(anyRule, anyPoints, (of, points) => {
        expect(plain(run(of, points))).toEqual(plainly(of, points));
      }),
      { seed: 11, numRuns: 1000 },
    );
  });

  it('alternates between breached and recovered, also in a replay', () => {
    fc.assert(
      fc.property(anyRule, anyPoints, (of, points) => {
        const events = run(of, points);
        events.forEach(({ type }, index) => expect(type).toBe(index % 2 === 0 ? 'breached' : 'recovered'));
        const timestamps = points.map(({ timestamp }) => timestamp);
        const values = points.map(({ value }) => value);
        expect(replayThreshold(of, { timestamps, values }, 0, Infinity)).toEqual(events);
      }),
      { seed: 12, numRuns: 500 },
    );
  });

  it('continues after a restart as if there had been none', () => {
    fc.assert(
      fc.property(anyRule, anyPoints, fc.nat(), (of, points, cut) => {
        // The history contains complete rows of points only if no slot is missing.
        const dense = points.map(({ value }, index) => ({ timestamp: START + index * MINUTE, value }));
        const at = dense[cut % dense.length]!.timestamp;
        const whole = new ThresholdSeries(of);
        const before = dense.filter(({ timestamp }) => timestamp < at);
        for (const { timestamp, value } of before) whole.point(timestamp, value);
        const again = new ThresholdSeries(of, { isBreached: whole.isBreached, limit: whole.limit });
        const history = historySeconds(of, MINUTE);
        for (const { timestamp, value } of before) if (timestamp >= at - history) again.seed(timestamp, value);
        for (const { timestamp, value } of dense) {
          if (timestamp < at) continue;
          expect(again.point(timestamp, value)).toEqual(whole.point(timestamp, value));
        }
      }),
      { seed: 13, numRuns: 1000 },
    );
  });

  it('reports nothing more when points are repeated', () => {
    fc.assert(
      fc.property(anyRule, anyPoints, (of, points) => {
        const series = new ThresholdSeries(of);
        const events = points.flatMap(({ timestamp, value }) =>
          [0, 1, 2].flatMap(() => series.point(timestamp, value) ?? []),
        );
        expect(plain(events)).toEqual(plain(run(of, points)));
      }),
      { seed: 14, numRuns: 300 },
    );
  });

  it('reports silence in a replay as it does live', () => {
    fc.assert(
      fc.property(anyPoints, fc.integer({ min: 1, max: 4 }), (points, limit) => {
        const of = rule({ algorithm: 'no_data', value: limit * MINUTE });
        const series = new ThresholdSeries(of);
        const events: ThresholdEvent[] = [];
        const end = points.at(-1)!.timestamp + 10 * MINUTE;
        let next = 0;
        for (let now = START; now <= end; now += 1) {
          const note = (event: ThresholdEvent | null): number => (event === null ? 0 : events.push(event));
          if (points[next]?.timestamp === now) note(series.point(now, points[next++]!.value));
          else if (now % MINUTE === 0) note(series.tick(now));
        }
        const timestamps = points.map(({ timestamp }) => timestamp);
        const values = points.map(({ value }) => value);
        expect(replayThreshold(of, { timestamps, values }, 0, end)).toEqual(events);
      }),
      { seed: 15, numRuns: 30 },
    );
  });
});

describe('furthestFirst', () => {
  it.each<[Partial<ThresholdRule>, Beyond[], number[]]>([
    [{ algorithm: 'above' }, [{ value: 11 }, { value: null }, { value: 30 }], [2, 0, 1]],
    [{ algorithm: 'below' }, [{ value: 9 }, { value: -4 }], [1, 0]],
    [{ algorithm: 'outside', valueUpper: 20 }, [{ value: 25 }, { value: 3 }, { value: 5 }], [1, 0, 2]],
    [{ algorithm: 'no_data', value: 300 }, [{ value: 301 }, { value: 900 }], [1, 0]],
    [
      { algorithm: 'drop_off', value: null },
      [
        { value: 90, limit: 100 },
        { value: 1, limit: 10 },
      ],
      [1, 0],
    ],
  ])('sorts the metrics furthest beyond the threshold first: %j', (of, breaches, places) => {
    const sorted = furthestFirst(rule(of), breaches);
    expect(sorted).toEqual(places.map((place) => breaches[place]));
  });
});
