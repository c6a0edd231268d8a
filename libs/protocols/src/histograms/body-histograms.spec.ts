import fc from 'fast-check';
import { BatchBuilder } from '../batch/batch-builder.js';
import { parseLimits } from '../batch/limits.js';
import { isNameProblem, parseMetricName, type ParsedMetricName } from '../names/metric-name.js';
import { type BodyHistograms } from './body-histograms.js';
import { ExplicitCounts } from './explicit-counts.js';
import { HistogramFolder } from './histogram-folder.js';
import { HistogramPoint, type HistogramTemporality } from './histogram-point.js';
import { type HistogramSettings } from './histogram-settings.js';

/** The start of a slot of 60 s. */
const NOW = 1_760_000_040;
const MEDIAN: HistogramSettings = { mode: 'quantiles', quantiles: [0.5] };

interface Sent {
  /** Seconds relative to now. */
  age?: number;
  counts?: number[];
  bounds?: number[];
  count?: number;
  temporality?: HistogramTemporality;
  start?: number;
  backfill?: boolean;
}

function nameOf(text: string): ParsedMetricName {
  const parsed = parseMetricName(text);
  if (isNameProblem(parsed)) throw new Error(parsed.problem);
  return parsed;
}

function pointOf({
  age = 0,
  counts,
  bounds = [1, 2, 4],
  count,
  temporality = 'cumulative',
  start = 0,
}: Sent): HistogramPoint {
  const point = new HistogramPoint();
  point.timestamp = NOW + age;
  point.startTimestamp = start;
  point.temporality = temporality;
  point.count = count ?? (counts ?? []).reduce((sum, n) => sum + n, 0);
  point.sum = 0.5;
  if (counts !== undefined) {
    point.layout = 'explicit';
    point.bounds.push(...bounds);
    point.counts.push(...counts);
  }
  return point;
}

class Bodies {
  readonly folder: HistogramFolder;

  constructor(
    private readonly settings = MEDIAN,
    options = {},
  ) {
    this.folder = new HistogramFolder(options);
  }

  /** Returns the rows of a body as text, without `_sum`. */
  send(fill: (body: BodyHistograms) => void, { discard = false, scope = 1, backfill = false } = {}): string[] {
    const builder = new BatchBuilder(parseLimits(NOW, { backfill }));
    const body = this.folder.begin(builder, scope, this.settings);
    fill(body);
    body.finish();
    const { batch } = builder.finish();
    if (discard) body.discard();
    return Array.from(batch.values, (value, row) => {
      const age = batch.timestamps[row]! - NOW;
      return `${batch.series[batch.seriesIndex[row]!]!.name}@${age}=${value}`;
    }).filter((row) => !row.includes('_sum'));
  }

  histogram(sent: Sent, options: { discard?: boolean; scope?: number } = {}): string[] {
    const { backfill = false } = sent;
    const body = (histograms: BodyHistograms): void =>
      histograms.add(histograms.series(nameOf('h{a="b"}'), backfill), pointOf(sent));
    return this.send(body, { ...options, backfill }).filter((row) => !row.includes('_count'));
  }

  classic(rows: [le: number, age: number, count: number][], options: { discard?: boolean } = {}): string[] {
    return this.send((body) => {
      const series = body.series(nameOf('h{a="b"}'), false);
      for (const [le, age, count] of rows) {
        expect(body.addBucket(series, 'h_bucket', le, NOW + age, count)).toBe(true);
      }
    }, options);
  }
}

describe('a cumulative histogram', () => {
  it('always yields a count and a sum', () => {
    for (const mode of ['quantiles', 'buckets', 'none'] as const) {
      const bodies = new Bodies({ mode, quantiles: [0.5] });
      const rows = bodies.send((body) => body.add(body.series(nameOf('h{a="b"}'), false), pointOf({ count: 7 })));
      expect(rows).toEqual(['h_count{a="b"}@0=7']);
    }
  });

  it('yields quantiles of observations since the previous slot, updated within the slot', () => {
    const bodies = new Bodies();
    expect(bodies.histogram({ age: -60, counts: [100, 0, 0, 0] })).toEqual([]);
    expect(bodies.histogram({ age: 0, counts: [100, 2, 0, 0] })).toEqual(['h{a="b",quantile="0.5"}@0=1.5']);
    expect(bodies.histogram({ age: 15, counts: [100, 2, 4, 0] })).toEqual(['h{a="b",quantile="0.5"}@15=2.5']);
    // A repeated point changes nothing.
    expect(bodies.histogram({ age: 15, counts: [100, 2, 4, 0] })).toEqual(['h{a="b",quantile="0.5"}@15=2.5']);
    expect(bodies.histogram({ age: 60, counts: [104, 2, 4, 0] })).toEqual(['h{a="b",quantile="0.5"}@60=0.5']);
  });

  it('yields nothing for a slot without observations', () => {
    const bodies = new Bodies();
    bodies.histogram({ age: -60, counts: [1, 0, 0, 0] });
    expect(bodies.histogram({ counts: [1, 0, 0, 0] })).toEqual([]);
  });

  it('counts from zero after a reset', () => {
    const bodies = new Bodies();
    bodies.histogram({ age: -60, counts: [100, 0, 0, 0] });
    expect(bodies.histogram({ age: 0, counts: [0, 0, 8, 0] })).toEqual(['h{a="b",quantile="0.5"}@0=3']);
    // A second reset within the slot keeps earlier observations.
    expect(bodies.histogram({ age: 15, counts: [0, 0, 2, 0] })).toEqual(['h{a="b",quantile="0.5"}@15=3']);
    const increase = bodies.histogram({ age: 30, counts: [30, 0, 2, 0] });
    expect(increase).toEqual([`h{a="b",quantile="0.5"}@30=${20 / 30}`]);
  });

  it('counts from zero if its start time is after the previous point', () => {
    const bodies = new Bodies();
    bodies.histogram({ age: -60, counts: [1, 0, 0, 0], start: NOW - 1000 });
    const rows = bodies.histogram({ age: 0, counts: [2, 0, 4, 0], start: NOW - 30 });
    expect(rows).toEqual(['h{a="b",quantile="0.5"}@0=2.5']);
  });

  it('starts over when its bounds change', () => {
    const bodies = new Bodies();
    bodies.histogram({ age: -60, counts: [1, 0, 0, 0] });
    expect(bodies.histogram({ age: 0, bounds: [1, 2], counts: [2, 4, 0] })).toEqual([]);
    expect(bodies.histogram({ age: 15, bounds: [1, 2], counts: [2, 6, 0] })).toEqual([
      'h{a="b",quantile="0.5"}@15=1.5',
    ]);
  });

  it('ignores outdated and refused points', () => {
    const bodies = new Bodies();
    bodies.histogram({ age: -60, counts: [0, 0, 0, 0] });
    bodies.histogram({ age: 0, counts: [0, 4, 0, 0] });
    expect(bodies.histogram({ age: -30, counts: [900, 0, 0, 0] })).toEqual([]);
    expect(bodies.histogram({ age: 600, counts: [900, 0, 0, 0] })).toEqual([]);
    expect(bodies.histogram({ age: 0, counts: [0, 4, 0, 0] })).toEqual(['h{a="b",quantile="0.5"}@0=1.5']);
  });

  it('separates backfill from live points', () => {
    const bodies = new Bodies();
    bodies.histogram({ age: 0, counts: [0, 4, 0, 0] });
    bodies.histogram({ age: -86_400, counts: [0, 0, 0, 0], backfill: true });
    const rows = bodies.histogram({ age: -86_340, counts: [0, 0, 2, 0], backfill: true });
    expect(rows).toEqual(['h{a="b",quantile="0.5"}@-86340=3']);
  });

  it.each<[string, Sent]>([
    ['no buckets', { count: 5 }],
    ['decreasing bounds', { bounds: [2, 1], counts: [1, 1, 1] }],
    ['infinite bounds', { bounds: [1, Infinity], counts: [1, 1, 1] }],
    ['fewer counts than bounds', { counts: [1, 1] }],
    ['a negative count', { counts: [1, -1, 2, 2], count: 4 }],
    ['a count that is not a number', { counts: [1, NaN, 2, 2], count: 4 }],
  ])('yields only count and sum with %s', (_, sent) => {
    const bodies = new Bodies();
    bodies.histogram({ ...sent, age: -60 });
    expect(bodies.histogram(sent)).toEqual([]);
    expect(bodies.folder.stats().series).toBe(0);
  });
});

describe('a delta histogram', () => {
  const delta = { temporality: 'delta' } as const;

  it('is summed within a slot, and counts each point once', () => {
    const bodies = new Bodies();
    expect(bodies.histogram({ ...delta, age: 0, counts: [4, 0, 0, 0] })).toEqual(['h{a="b",quantile="0.5"}@0=0.5']);
    const total = ['h{a="b",quantile="0.5"}@10=1.5'];
    expect(bodies.histogram({ ...delta, age: 10, counts: [0, 0, 4, 0] }).map((row) => row.slice(0, -1))).toHaveLength(
      1,
    );
    expect(bodies.histogram({ ...delta, age: 10, counts: [0, 0, 4, 0] })).toEqual([]);
    expect(bodies.histogram({ ...delta, age: 60, counts: [0, 2, 0, 0] })).toEqual([total[0]!.replace('@10', '@60')]);
  });

  it('has count and sum as rates that are summed within a slot', () => {
    const builder = new BatchBuilder(parseLimits(NOW));
    const body = new HistogramFolder().begin(builder, 1, MEDIAN);
    body.add(
      body.series(nameOf('h'), false, { unit: 's', description: 'D' }),
      pointOf({ ...delta, counts: [4, 0, 0, 0] }),
    );
    expect(builder.finish().batch.series).toMatchObject([
      { name: 'h_count', type: 'rate', aggregation: 'sum', unit: null, description: 'D' },
      { name: 'h_sum', type: 'rate', aggregation: 'sum', unit: 's', description: 'D' },
      { name: 'h{quantile="0.5"}', type: 'gauge', aggregation: null, unit: 's', description: 'D' },
    ]);
  });
});

describe('a gauge histogram', () => {
  it('yields quantiles without stored state', () => {
    const bodies = new Bodies();
    const sent: Sent = { temporality: 'gauge', counts: [0, 4, 0, 0] };
    expect(bodies.histogram(sent)).toEqual(['h{a="b",quantile="0.5"}@0=1.5']);
    expect(bodies.folder.stats().series).toBe(0);
  });
});

describe('buckets as series', () => {
  const bodies = new Bodies({ mode: 'buckets', quantiles: [] });

  it('are cumulative', () => {
    expect(bodies.histogram({ counts: [1, 2, 3, 4] })).toEqual([
      'h_bucket{a="b",le="1"}@0=1',
      'h_bucket{a="b",le="2"}@0=3',
      'h_bucket{a="b",le="4"}@0=6',
      'h_bucket{a="b",le="+Inf"}@0=10',
    ]);
  });

  it('of exponential histograms start with the most negative bound, and are limited', () => {
    const send = (buckets: number): string[] =>
      bodies.send((body) => {
        const point = pointOf({ count: 100 });
        point.layout = 'exponential';
        point.zeroThreshold = 0.5;
        point.zeroCount = 3;
        point.negative.push(0, 1);
        point.negative.push(1, 2);
        for (let i = 0; i < buckets; i++) point.positive.push(i, 1);
        body.add(body.series(nameOf('h'), false), point);
      });
    expect(send(2)).toEqual([
      'h_count@0=100',
      'h_bucket{le="-2"}@0=2',
      'h_bucket{le="-1"}@0=3',
      'h_bucket{le="0.5"}@0=6',
      'h_bucket{le="2"}@0=7',
      'h_bucket{le="4"}@0=8',
      'h_bucket{le="+Inf"}@0=100',
    ]);
    expect(send(1000).length).toBeLessThanOrEqual(68);
  });
});

describe('classic buckets', () => {
  const before: [number, number, number][] = [
    [1, -60, 10],
    [2, -60, 20],
    [4, -60, 30],
    [Infinity, -60, 30],
  ];

  it('are combined at the end of the body, in any order', () => {
    const bodies = new Bodies();
    expect(bodies.classic(before)).toEqual([]);
    const rows = bodies.classic([
      [Infinity, 0, 34],
      [4, 0, 34],
      [1, 0, 10],
      [2, 0, 24],
    ]);
    expect(rows).toEqual(['h{a="b",quantile="0.5"}@0=1.5']);
  });

  it('from two bodies are combined with the second body', () => {
    const bodies = new Bodies();
    bodies.classic(before);
    const first = bodies.classic([
      [1, 0, 10],
      [2, 0, 24],
    ]);
    expect(first).toEqual([]);
    const second = bodies.classic([
      [4, 0, 34],
      [Infinity, 0, 34],
    ]);
    expect(second).toEqual(['h{a="b",quantile="0.5"}@0=1.5']);
  });

  it('of several slots in one body are combined per slot', () => {
    const bodies = new Bodies();
    const rows = bodies.classic([...before, [1, 0, 14], [2, 0, 24], [4, 0, 34], [Infinity, 0, 34]]);
    expect(rows).toEqual(['h{a="b",quantile="0.5"}@0=0.5']);
    const mixed = new Bodies().classic([
      ...before,
      ...before.map(([le, , count]): [number, number, number] => [le, 60, count + 4]),
      ...before.map(([le, , count]): [number, number, number] => [le, 0, le >= 4 ? count + 2 : count]),
    ]);
    expect(mixed).toEqual(['h{a="b",quantile="0.5"}@0=3', 'h{a="b",quantile="0.5"}@60=0.5']);
  });

  it('are counted from zero after a reset, per bucket', () => {
    const bodies = new Bodies();
    bodies.classic(before);
    const rows = bodies.classic(before.map(([le]): [number, number, number] => [le, 0, le >= 2 ? 8 : 0]));
    expect(rows).toEqual(['h{a="b",quantile="0.5"}@0=1.5']);
  });

  it('without the infinite bucket yield nothing', () => {
    const bodies = new Bodies();
    const finite = before.slice(0, 3);
    bodies.classic(finite);
    expect(bodies.classic(finite.map(([le, , count]) => [le, 0, count + 5]))).toEqual([]);
  });

  it('that are no longer sent delay the result by one slot', () => {
    const bodies = new Bodies();
    bodies.classic(before);
    const fewer = (age: number, more: number): [number, number, number][] => [
      [2, age, 20 + more],
      [Infinity, age, 30 + more],
    ];
    expect(bodies.classic(fewer(0, 4))).toEqual([]);
    expect(bodies.classic(fewer(60, 8))).toEqual(['h{a="b",quantile="0.5"}@60=1']);
  });

  it('are refused for an old time or a value that is not finite', () => {
    const builder = new BatchBuilder(parseLimits(NOW));
    const body = new HistogramFolder().begin(builder, 1, MEDIAN);
    const series = body.series(nameOf('h'), false);
    expect(body.addBucket(series, 'h_bucket{le="1"}', 1, NOW - 90_000, 1)).toBe(false);
    expect(body.addBucket(series, 'h_bucket{le="1"}', 1, NOW, NaN)).toBe(false);
    body.finish();
    expect([...builder.finish().refusals.metrics]).toEqual([['h_bucket{le="1"}', { too_old: 1, not_finite: 1 }]]);
  });

  it('are consumed by the modes none and quantiles, but not by buckets', () => {
    const builder = new BatchBuilder(parseLimits(NOW));
    const bucket = nameOf('h_bucket{a="b",le="0.5"}');
    const begin = (mode: HistogramSettings['mode']): BodyHistograms =>
      new HistogramFolder().begin(builder, 1, { mode, quantiles: [0.5] });
    expect(begin('buckets').bucketOf(bucket)).toBeNull();
    expect(begin('none').bucketOf(bucket)).toMatchObject({ histogram: { name: 'h{a="b"}' }, bound: 0.5 });
    expect(begin('quantiles').bucketOf(nameOf('h_bucket{le="+Inf"}'))?.bound).toBe(Infinity);
    for (const other of ['h_bucket', 'h{le="1"}', 'h_bucket{le="one"}', 'h_bucket{le=""}', '_bucket{le="1"}']) {
      expect(begin('quantiles').bucketOf(nameOf(other))).toBeNull();
    }
  });
});

describe('the state of histograms', () => {
  it('is restored when a body is discarded, so that it can be sent again', () => {
    const bodies = new Bodies();
    bodies.histogram({ age: -60, counts: [0, 0, 0, 0] });
    const again = { age: 0, counts: [0, 4, 0, 0] };
    const first = bodies.histogram(again, { discard: true });
    expect(bodies.histogram(again)).toEqual(first);
    const classic = new Bodies();
    classic.classic(
      [
        [1, 0, 1],
        [Infinity, 0, 1],
      ],
      { discard: true },
    );
    expect(classic.folder.stats()).toEqual({ series: 0, bytes: 0, forgotten: 0 });
  });

  it('keeps changes of a later body when an earlier one is discarded', () => {
    const folder = new HistogramFolder();
    const begin = (): [BodyHistograms, BatchBuilder] => {
      const builder = new BatchBuilder(parseLimits(NOW));
      return [folder.begin(builder, 1, MEDIAN), builder];
    };
    const [first] = begin();
    first.add(first.series(nameOf('h'), false), pointOf({ age: -60, counts: [0, 0, 0, 0] }));
    const [second] = begin();
    second.add(second.series(nameOf('h'), false), pointOf({ age: 0, counts: [0, 4, 0, 0] }));
    first.discard();
    expect(folder.stats().series).toBe(1);
  });

  it('is separate for each organisation', () => {
    const bodies = new Bodies();
    bodies.histogram({ age: -60, counts: [0, 0, 0, 0] }, { scope: 1 });
    expect(bodies.histogram({ age: 0, counts: [0, 4, 0, 0] }, { scope: 2 })).toEqual([]);
  });

  it('evicts the least recently used series', () => {
    const bodies = new Bodies(MEDIAN, { maxSeries: 2 });
    const send = (name: string, age: number, count: number): string[] =>
      bodies
        .send((body) => body.add(body.series(nameOf(name), false), pointOf({ age, counts: [0, count, 0, 0] })))
        .filter((row) => !row.includes('_count'));
    send('a', -60, 0);
    send('b', -60, 0);
    send('a', -59, 0);
    send('c', -60, 0);
    expect(bodies.folder.stats()).toMatchObject({ series: 2, forgotten: 1 });
    expect(send('a', 0, 4)).toHaveLength(1);
    expect(send('b', 0, 4)).toEqual([]);
  });

  it('stays within its byte limit', () => {
    const bodies = new Bodies(MEDIAN, { maxBytes: 10_000 });
    for (let i = 0; i < 100; i++) {
      bodies.send((body) => body.add(body.series(nameOf(`h${i}`), false), pointOf({ counts: [1, 2, 3, 4] })));
      expect(bodies.folder.stats().bytes).toBeLessThanOrEqual(10_000);
    }
    const { series, forgotten } = bodies.folder.stats();
    expect(series + forgotten).toBe(100);
    expect(series).toBeGreaterThan(5);
  });

  it('drops an ended histogram, and returns the names of its series', () => {
    const bodies = new Bodies();
    bodies.histogram({ age: -60, counts: [0, 0, 0, 0] });
    bodies.send((body) => {
      expect(body.end(body.series(nameOf('h{a="b"}'), false))).toEqual([
        'h_count{a="b"}',
        'h_sum{a="b"}',
        'h{a="b",quantile="0.5"}',
      ]);
    });
    expect(bodies.folder.stats().series).toBe(0);
  });
});

it('BodyHistograms refuses invalid names of count and sum, and omits other invalid names', () => {
  const builder = new BatchBuilder(parseLimits(NOW));
  const body = new HistogramFolder().begin(builder, 1, MEDIAN);
  const name = nameOf('x'.repeat(1020));
  body.add(body.series(name, false), pointOf({ temporality: 'gauge', counts: [0, 4, 0, 0] }));
  const { batch, refusals } = builder.finish();
  expect(batch.series.map((header) => header.name.slice(1018))).toEqual(['xx_sum']);
  expect(refusals.countOf('bad_name')).toBe(1);
});

describe('any classic histogram', () => {
  const BOUNDS = [1, 2, 4, Infinity];
  /** Observations per bucket between two scrapes. Four scrapes make a slot. */
  const scrape = fc.array(fc.nat(20), { minLength: BOUNDS.length, maxLength: BOUNDS.length });

  it('yields the same for any distribution of buckets over bodies', () => {
    fc.assert(
      fc.property(
        fc.array(scrape, { minLength: 5, maxLength: 16 }),
        fc.array(fc.nat(3), { minLength: 16, maxLength: 16 }),
        (scrapes, places) => {
          const bodies = new Bodies();
          const totals = BOUNDS.map(() => 0);
          const observed = new Map<number, number[]>();
          const reported = new Map<number, string>();
          scrapes.forEach((increments, i) => {
            const age = i * 15 - 300;
            const slot = Math.floor(age / 60);
            // The first scrape is only the baseline.
            if (i > 0) {
              const sums = observed.get(slot) ?? BOUNDS.map(() => 0);
              observed.set(
                slot,
                sums.map((sum, bucket) => sum + increments[bucket]!),
              );
            }
            increments.forEach((more, bucket) => (totals[bucket]! += more));
            let upTo = 0;
            const rows = BOUNDS.map((le, bucket): [number, number, number] => [le, age, (upTo += totals[bucket]!)]);
            // Two bodies of one scrape: the first buckets, then the others.
            const place = places[i]!;
            for (const body of [rows.slice(0, place), rows.slice(place)]) {
              for (const row of bodies.classic(body)) reported.set(slot, row.slice(row.lastIndexOf('=') + 1));
            }
          });
          for (const [slot, counts] of observed) {
            const [median] = new ExplicitCounts(BOUNDS.slice(0, -1), counts).quantiles([0.5]);
            expect(reported.get(slot) ?? 'NaN').toBe(String(median));
          }
        },
      ),
      { seed: 66, numRuns: 200 },
    );
  });
});
