import { parseJsonMetrics, readJsonBody } from '../json/parse-json.js';
import { dropSeries } from './drop-series.js';
import { parseLimits } from './limits.js';
import { type ParseResult } from './parsed-batch.js';
import { Refusals } from './refusals.js';
import { buildReport, describeRefusals, MAX_REPORTED_METRICS } from './report.js';

const NOW = 1_760_000_000;

function parse(body: unknown): ParseResult {
  return parseJsonMetrics(readJsonBody(Buffer.from(JSON.stringify(body))), parseLimits(NOW));
}

const MIXED = {
  timestamps: [NOW - 90_000, NOW - 10, NOW],
  series: { 'a.b': [1, 2, 3], 'c.d': [null, 1, 'x'], 'e.f': [null, 1, 2] },
};

describe('the report of a body', () => {
  const PLACES = [
    `timestamps.0 must be at most 86400 s ago, got ${NOW - 90_000}, taken for seconds: 2025-10-08; send history with backfill`,
    'series.c.d.2 must be a number, a numeric string or a boolean, got "x"',
  ];

  it('lists at most three lines of the body', () => {
    const refusals = new Refusals();
    refusals.add('a', 'not_numeric', 5);
    for (const line of [2, 3, 5, 8, 9]) refusals.addBadLine('not_numeric', line, `"x${line}" is not a number`);
    const places = ['line 2: "x2" is not a number', 'line 3: "x3" is not a number', 'line 5: "x5" is not a number'];
    expect(describeRefusals(refusals, 9, '\n').split('\n')).toEqual([
      '5 of 9 points refused: 5 not_numeric; 4 accepted',
      ...places,
    ]);
    expect(buildReport(parse([]).batch, refusals).lines).toHaveLength(3);
  });

  it('counts points by metric and reason', () => {
    const { batch, refusals } = parse(MIXED);
    expect(buildReport(batch, refusals)).toEqual({
      submitted: 7,
      accepted: 5,
      refused: 2,
      refused_metrics_count: 2,
      truncated: false,
      metrics: [
        { metric: 'a.b', status: 400, accepted: 2, refused: 1, reasons: { too_old: 1 } },
        { metric: 'c.d', status: 400, accepted: 1, refused: 1, reasons: { not_numeric: 1 } },
      ],
      lines: PLACES.map((problem) => ({ line: null, problem })),
    });
    expect(describeRefusals(refusals, 7)).toBe(
      `2 of 7 points refused: 1 too_old, 1 not_numeric; 5 accepted; ${PLACES.join('; ')}`,
    );
    expect([refusals.total, refusals.invalid]).toEqual([2, 2]);
  });

  it('includes series dropped after name resolution', () => {
    const { batch, refusals } = parse(MIXED);
    const kept = dropSeries(
      batch,
      refusals,
      new Map([
        [0, 'over_quota'],
        [2, 'excluded'],
      ] as const),
    );
    expect(kept.series).toBe(batch.series);
    expect([...kept.seriesIndex]).toEqual([1]);
    expect([...kept.values]).toEqual([1]);
    const report = buildReport(kept, refusals);
    expect(report).toMatchObject({ submitted: 7, accepted: 1, refused: 6, refused_metrics_count: 3 });
    expect(report.metrics).toEqual([
      { metric: 'a.b', status: 400, accepted: 0, refused: 3, reasons: { too_old: 1, over_quota: 2 } },
      { metric: 'c.d', status: 400, accepted: 1, refused: 1, reasons: { not_numeric: 1 } },
      { metric: 'e.f', status: 403, accepted: 0, refused: 2, reasons: { excluded: 2 } },
    ]);
    expect(refusals.invalid).toBe(2);
    expect(describeRefusals(refusals, 7)).toBe(
      '6 of 7 points refused: 1 too_old, 2 over_quota, 1 not_numeric, 2 excluded; 1 accepted; ' +
        `${PLACES.join('; ')}; over_quota: a.b; excluded: e.f`,
    );
  });

  it('names the first three metrics over the quota', () => {
    const refusals = new Refusals();
    for (const name of ['a', 'b', 'c', 'd']) refusals.add(name, 'over_quota');
    expect(describeRefusals(refusals, 4)).toBe('4 of 4 points refused: 4 over_quota; 0 accepted; over_quota: a, b, c');
  });

  it('reuses the batch when no series is dropped', () => {
    const { batch, refusals } = parse(MIXED);
    expect(dropSeries(batch, refusals, new Map())).toBe(batch);
  });

  it('contains no refusals for a valid body', () => {
    const { batch, refusals } = parse([{ metric: 'a', value: 1 }]);
    expect(buildReport(batch, refusals)).toMatchObject({ submitted: 1, accepted: 1, refused: 0, metrics: [] });
    expect(describeRefusals(refusals, 1)).toBe('');
  });

  it('lists at most a thousand metrics, and reports the truncation', () => {
    const { batch, refusals } = parse(
      Array.from({ length: MAX_REPORTED_METRICS + 1 }, (_, i) => ({ metric: `m${i}`, value: 'x' })),
    );
    const report = buildReport(batch, refusals);
    expect(report).toMatchObject({ refused: 1001, refused_metrics_count: 1001, truncated: true });
    expect(report.metrics).toHaveLength(MAX_REPORTED_METRICS);
  });

  it('truncates an invalid name to the maximum length', () => {
    const refusals = new Refusals();
    refusals.add('x'.repeat(5000), 'bad_name');
    expect([...refusals.metrics.keys()][0]).toHaveLength(1024);
  });
});
