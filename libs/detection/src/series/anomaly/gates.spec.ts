import { detectSeries } from '../../detect-series.js';
import { DetectionShard } from '../../shard/detection-shard.js';
import { definition, normal, series } from '../../testing/index.js';
import { type AnomalyEvent, SERIES_TERMS, type SeriesTerms, type ShardInput } from '../../types.js';

const NOISE = normal(7);
/** Five days of minutes: a spike of 4 minutes on day 4, a dip of an hour on day 5. */
const SPIKE = 4 * 1440 + 300;
const DIP = 4 * 1440 + 900;
const { timestamps, values } = series(5, 60, (row) => {
  const base = 100 + NOISE();
  if (row >= SPIKE && row < SPIKE + 4) return base + 80;
  return row >= DIP && row < DIP + 60 ? base - 40 : base;
});

function reportedOf(terms: SeriesTerms): AnomalyEvent[] {
  return detectSeries(timestamps, values, { type: 'gauge', slotSeconds: 60, ...terms }).anomalies;
}
const startsOf = (events: readonly AnomalyEvent[]): number[] =>
  events.filter(({ type }) => type === 'opened').map(({ startTimestamp }) => (startTimestamp - timestamps[0]!) / 60);

describe('gates', () => {
  it('report all anomalies by default', () => {
    expect(startsOf(reportedOf({}))).toEqual([SPIKE, DIP]);
  });

  it.each<[string, SeriesTerms, number[]]>([
    ['upward anomalies', { direction: 'up' }, [SPIKE]],
    ['downward anomalies', { direction: 'down' }, [DIP]],
    ['anomalies of at least half an hour', { leastSeconds: 1800 }, [DIP]],
    ['anomalies of a size of at least 60', { leastSize: 60 }, [SPIKE]],
    ['spikes', { kinds: ['spike'] }, [SPIKE]],
    ['anomalies of a size of at least 1000', { leastSize: 1000 }, []],
  ])('report only %s', (_, terms, expected) => {
    const events = reportedOf(terms);
    expect(startsOf(events)).toEqual(expected);
    expect(new Set(events.map(({ startTimestamp }) => (startTimestamp - timestamps[0]!) / 60))).toEqual(
      new Set(expected),
    );
    // A reported anomaly has one beginning and one end.
    expect(events.filter(({ type }) => type === 'closed')).toHaveLength(expected.length);
  });

  it('do not change scores, anomalous rows and ranges', () => {
    const [open, gated] = [{}, { leastSize: 1000 }].map((terms) =>
      detectSeries(timestamps, values, { type: 'gauge', ...terms }),
    );
    expect(gated!.alarm).toEqual(open!.alarm);
    expect(gated!.anomalous).toEqual(open!.anomalous);
    expect(gated!.lower).toEqual(open!.lower);
  });

  it.each([1, 5, 12, 60])('count only the %s rows out of range, not the return', (rows) => {
    // The dip is shortened from an hour to this many rows.
    const shaped = values.map((value, row) => (row >= DIP + rows && row < DIP + 60 ? value + 40 : value));
    const opened = (leastSeconds: number): number[] =>
      startsOf(detectSeries(timestamps, shaped, { type: 'gauge', slotSeconds: 60, leastSeconds }).anomalies).filter(
        (row) => row >= DIP - 5 && row < DIP + rows + 30,
      );
    expect([rows * 60 - 1, rows * 60, rows * 60 + 1].map(opened)).toEqual([[DIP], [DIP], []]);
  });

  it('apply the minimum duration and the kinds to missing data', () => {
    const gap = Array.from(timestamps.keys()).filter((row) => row < DIP || row > DIP + 120);
    const eventsOf = (terms: SeriesTerms) =>
      detectSeries(
        Float64Array.from(gap, (row) => timestamps[row]!),
        Float64Array.from(gap, () => 100 + NOISE()),
        { type: 'gauge', slotSeconds: 60, ...terms },
      ).anomalies.filter(({ kind }) => kind === 'missing_data');
    expect(eventsOf({}).map(({ type }) => type)).toEqual(['opened', 'closed']);
    expect(eventsOf({ leastSeconds: 3600 }).map(({ type }) => type)).toEqual(['opened', 'closed']);
    expect(eventsOf({ leastSeconds: 10_800 })).toEqual([]);
    expect(eventsOf({ kinds: ['spike'] })).toEqual([]);
  });
});

describe('an anomaly', () => {
  it('reports until when rows were out of range once they return, and clears it when they leave again', () => {
    const out = [0, 1, 2, 3, 6, 7];
    const shaped = values.map((value, row) => (row >= DIP && row < DIP + 60 ? value + 40 : value));
    for (const row of out) shaped[DIP + row]! -= 40;
    const turns = detectSeries(timestamps, shaped, { type: 'gauge', slotSeconds: 60 })
      .anomalies.filter(({ startTimestamp }) => startTimestamp === timestamps[DIP])
      .map(({ type, outUntilTimestamp: until }) => [type, until === null ? null : (until - timestamps[DIP]!) / 60]);
    const changes = turns.filter(([, until], index) => index === 0 || until !== turns[index - 1]![1]);
    expect(changes).toEqual([
      ['opened', null],
      ['updated', 4],
      ['updated', null],
      ['updated', 8],
    ]);
    expect(turns.at(-1)).toEqual(['closed', 8]);
  });
});

describe('series terms in the stream of points', () => {
  const terms = new Map<number, SeriesTerms>([[7, { direction: 'down', sensitivity: 0.9 }]]);
  const points = (from: number, to: number): ShardInput => ({
    kind: 'live',
    now: timestamps[to - 1]!,
    ids: new Uint32Array(to - from).fill(1),
    timestamps: timestamps.slice(from, to),
    values: values.slice(from, to),
  });
  const change = (id: number, at: number): ShardInput => ({
    kind: 'define',
    now: timestamps[at]!,
    ids: Uint32Array.of(1),
    timestamps: Float64Array.of(id),
    values: Float64Array.of(SERIES_TERMS),
    terms,
  });

  const inputs = (): ShardInput[] => [
    points(0, SPIKE - 50),
    change(7, SPIKE - 50),
    points(SPIKE - 50, SPIKE + 100),
    change(0, SPIKE + 100),
    points(SPIKE + 100, timestamps.length),
  ];

  it('apply from their position on, regardless of later definitions and restarts', () => {
    const whole = new DetectionShard();
    whole.define(definition(1));
    const events = inputs().flatMap((input) => whole.apply(input).events);
    expect(startsOf(events)).toEqual([DIP]);

    let shard = new DetectionShard();
    shard.define(definition(1));
    const again = inputs().flatMap((input) => {
      // A later definition has no effect on earlier rows.
      shard.define({ ...definition(1), leastSize: 1000 });
      const output = shard.apply(input);
      shard = DetectionShard.restore(shard.snapshot());
      return output.events;
    });
    expect(again).toEqual(events);
  });

  it('are first those of the definition, and a changed period makes the series learn again', () => {
    const shard = new DetectionShard();
    shard.define({ ...definition(1), direction: 'up' });
    const events = shard.apply(points(0, timestamps.length)).events;
    expect(startsOf(events)).toEqual([SPIKE]);
    const other = new Map([[9, { periodSeconds: 3600 }]]);
    const before = shard.progress(1)!.readiness.range;
    shard.apply({ ...change(9, timestamps.length - 1), terms: other });
    expect([before, shard.progress(1)!.readiness.range]).toEqual([true, false]);
    expect(shard.progress(1)!.points).toBe(timestamps.length);
  });
});
