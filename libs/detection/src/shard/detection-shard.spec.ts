import { METRIC_TYPES } from '#libs/contracts';
import { detectSeries } from '../detect-series.js';
import { dailySine, DAY, during, nightlyJob, series, START, white } from '../testing/generators.js';
import { applyAll, definition, input, interleaved, tick } from '../testing/shard-input.js';
import { type AnomalyEvent, IRREGULAR_PACE, type ShardOutput, STEADY_PACE } from '../types.js';
import { DetectionShard } from './detection-shard.js';
import { SnapshotFormatError } from './snapshot.js';

const eventsOf = (outputs: ShardOutput[]): AnomalyEvent[] => outputs.flatMap((output) => output.events);

const anomalous = [
  during(dailySine(1), 4.3, 40, (x) => x + 20),
  during(nightlyJob(2), 4.09, 20, (x) => x - 50),
  during(white(3), 4.5, 100, () => 1),
];

describe('DetectionShard', () => {
  it('reports the same events as detectSeries', () => {
    const { timestamps, values } = series(5, 60, anomalous[0]!);
    const shard = new DetectionShard();
    shard.define(definition(7));
    const outputs = applyAll(
      shard,
      [...timestamps].map((t, i) => [7, t, values[i]!]),
    );
    const live = eventsOf(outputs).map((event) => ({ ...event, backfill: true }));
    const stored = detectSeries(timestamps, values, { type: 'gauge', slotSeconds: 60, seriesId: 7 });
    expect(live.length).toBeGreaterThan(2);
    expect(live).toEqual(stored.anomalies);
    expect(outputs.reduce((sum, output) => sum + output.scored, 0)).toBe(values.length);
  });

  it('continues from a snapshot with the same output', () => {
    const rows = interleaved(5, anomalous);
    const steady = new DetectionShard();
    for (const id of [1, 2, 3]) steady.define(definition(id));
    const half = 3 * Math.floor((4.31 * 1440) / 1) + 1;
    applyAll(steady, rows.slice(0, half));
    const restored = DetectionShard.restore(steady.snapshot());
    expect(restored.snapshot()).toEqual(steady.snapshot());
    const rest = rows.slice(half);
    expect(applyAll(restored, rest)).toEqual(applyAll(steady, rest));
    expect(restored.snapshot()).toEqual(steady.snapshot());
  });

  it('reports the same events with one shard or two', () => {
    const rows = interleaved(5, anomalous);
    const one = new DetectionShard();
    const two = [new DetectionShard(), new DetectionShard()];
    for (const id of [1, 2, 3]) {
      one.define(definition(id));
      two[id % 2]!.define(definition(id));
    }
    const together = eventsOf(applyAll(one, rows));
    const apart = two.flatMap((shard, p) =>
      eventsOf(
        applyAll(
          shard,
          rows.filter(([id]) => id % 2 === p),
        ),
      ),
    );
    const order = (a: AnomalyEvent, b: AnomalyEvent): number => a.seriesId - b.seriesId;
    expect(together.length).toBeGreaterThan(3);
    expect([...apart].sort(order)).toEqual([...together].sort(order));
  });

  it('reports the same events for inputs of any size', () => {
    const rows = interleaved(2, [during(white(4), 1.5, 5, (x) => x + 30)]);
    const run = (chunk: number): AnomalyEvent[] => {
      const shard = new DetectionShard();
      shard.define(definition(1));
      return eventsOf(applyAll(shard, rows, chunk));
    };
    expect(run(7)).toEqual(run(5000));
  });

  describe('points and slots', () => {
    it('stores raw counter values by slot, the newest value of a slot once per input', () => {
      const shard = new DetectionShard();
      shard.define(definition(1, { type: 'counter', aggregation: 'max' }));
      const { slots } = shard.apply(
        input([
          [1, 61, 5],
          [1, 70, 9],
          [1, 122, 12],
        ]),
      );
      expect([...slots.timestamps]).toEqual([60, 120]);
      expect([...slots.values]).toEqual([9, 12]);
      expect(shard.progress(1)).toEqual({
        id: 1,
        firstTimestamp: 60,
        lastTimestamp: 120,
        lastValue: 12,
        hasEnded: false,
        isOnlyHistory: false,
        points: 2,
        resolutionSeconds: 30.5,
        valuesNeeded: 100,
        isSteady: null,
        seasonalPeriods: [],
        readiness: { range: false, daily: false, weekly: false },
      });
    });

    it('corrects the stored value after a late point and does not analyse the slot again', () => {
      const shard = new DetectionShard();
      shard.define(definition(1));
      applyAll(shard, interleaved(0.5, [white(5)]));
      const end = START + DAY / 2;
      const before = shard.apply(
        input([
          [1, end, 0],
          [1, end + 60, 0],
        ]),
      );
      expect(before.scored).toBe(2);
      const late = shard.apply(input([[1, end, 1e6]]));
      expect(late).toMatchObject({ scored: 0, events: [] });
      expect([...late.slots.values]).toEqual([1e6]);
      const old = shard.apply(input([[1, end - 3000, 1e6]]));
      expect(old).toMatchObject({ scored: 0, events: [] });
      expect([...old.slots.timestamps]).toEqual([end - 3000]);
    });

    it('scores a slot of several points when the next one begins', () => {
      const shard = new DetectionShard();
      shard.define(definition(1, { aggregation: 'avg' }));
      const rows = Array.from({ length: 60 }, (_, i): [number, number, number] => [1, i * 10, i]);
      expect(shard.apply(input(rows)).scored).toBe(9);
      expect(shard.apply(tick(640)).scored).toBe(0);
      expect(shard.apply(tick(660)).scored).toBe(1);
      expect(shard.apply(tick(720)).scored).toBe(0);
    });

    it('skips and counts unknown series and invalid values and times', () => {
      const shard = new DetectionShard();
      shard.define(definition(1));
      const output = shard.apply(
        input([
          [9, 60, 1],
          [1, 60, NaN],
          [1, 120, Infinity],
          [1, -5, 1],
          [1, 180, 1],
        ]),
      );
      // NaN is not a value but the message of the sender that the series has ended.
      expect(output.skipped).toEqual({ unknown: 1, unusable: 2 });
      expect([...output.slots.timestamps]).toEqual([180]);
    });

    it('removes a series and reuses its place', () => {
      const shard = new DetectionShard();
      shard.define(definition(1));
      applyAll(shard, interleaved(0.2, [white(6)]));
      shard.remove(1);
      expect(shard.has(1)).toBe(false);
      shard.define(definition(2));
      shard.apply(input([[2, 60, 1]]));
      expect(shard.progress(2)).toMatchObject({ id: 2, points: 1, resolutionSeconds: null });
    });

    it('keeps the learnt state when a definition changes', () => {
      const shard = new DetectionShard();
      shard.define(definition(1));
      applyAll(shard, interleaved(0.2, [white(7)]));
      shard.define(definition(1, { timezone: 'Asia/Tokyo' }));
      shard.apply(input([[1, START + DAY, 1]]));
      expect(shard.progress(1)!.points).toBe(289);
    });

    it('returns the progress of series with new points since the last call', () => {
      const shard = new DetectionShard();
      for (const id of [1, 2, 3]) shard.define(definition(id));
      shard.apply(
        input([
          [3, 60, 1.5],
          [1, 60, 2],
          [3, 120, 2.5],
        ]),
      );
      expect(shard.drainProgress()).toEqual({
        ids: Uint32Array.of(3, 1),
        firstTimestamps: Float64Array.of(60, 60),
        lastTimestamps: Float64Array.of(120, 60),
        lastValues: Float64Array.of(2.5, 2),
        points: Float64Array.of(2, 1),
        // The first slot of a series waits for more points until the pace of the series is known.
        valuesNeeded: Uint8Array.of(98, 100),
        resolutionSeconds: Float64Array.of(60, NaN),
        shortPeriods: Float64Array.of(0, 0),
        longPeriods: Float64Array.of(0, 0),
        flags: Uint8Array.of(0, 0),
      });
      shard.apply(input([[2, 60, 1]]));
      expect(shard.drainProgress().ids).toEqual(Uint32Array.of(2));
      expect(shard.drainProgress().ids).toHaveLength(0);
    });

    it('reports how many values it still needs, also after learning restarts', () => {
      const shard = new DetectionShard();
      shard.define(definition(1));
      const neededAfter = (from: number, until: number): number => {
        for (let i = from; i < until; i++) shard.apply(input([[1, i * 60, i % 7]]));
        return shard.progress(1)!.valuesNeeded;
      };
      expect([neededAfter(0, 1), neededAfter(1, 99), neededAfter(99, 100), neededAfter(100, 150)]).toEqual([
        100, 1, 0, 0,
      ]);
      // A counter's first value gives no rate.
      shard.apply({ ...input([[1, 150 * 60, METRIC_TYPES.indexOf('counter')]]), kind: 'define' });
      expect(shard.progress(1)).toMatchObject({ points: 150, valuesNeeded: 100, readiness: { range: false } });
      expect(neededAfter(150, 151)).toBe(100);
    });

    it.each([
      ['steady rows are', () => 60, true],
      ['irregular rows are not', (i: number) => 60 * (1 + ((i * i) % 11)), false],
    ])('reports whether the pace is steady after 20 intervals: %s', (_, interval, isSteady) => {
      const shard = new DetectionShard();
      shard.define(definition(1));
      let at = 60;
      const send = (rows: number): DetectionShard => {
        for (let i = 0; i < rows; i++) shard.apply(input([[1, (at += interval(i)), i % 5]]));
        return shard;
      };
      expect(send(20).progress(1)!.isSteady).toBeNull();
      expect(send(1).progress(1)!.isSteady).toBe(isSteady);
      const flags = shard.drainProgress().flags[0]! & (STEADY_PACE | IRREGULAR_PACE);
      expect(flags).toBe(isSteady ? STEADY_PACE : IRREGULAR_PACE);
      // Rows are still judged; only the meaning of silence is unknown.
      expect(send(100).progress(1)!.readiness.range).toBe(true);
    });

    it('reports news at the first point of a series and when its range is ready', () => {
      const shard = new DetectionShard();
      shard.define(definition(1));
      const urgent = Array.from({ length: 120 }, (_, i) => shard.apply(input([[1, i * 60, i % 7]])).hasUrgentProgress);
      expect(urgent.flatMap((has, i) => (has ? [i] : []))).toEqual([0, 99]);
    });

    it('reports news when a series sends again, but not for late points', () => {
      const shard = new DetectionShard();
      shard.define(definition(1));
      const isUrgentAt = (now: number, timestamp: number) =>
        shard.apply({ ...input([[1, timestamp, 1]]), now }).hasUrgentProgress;
      isUrgentAt(60, 60);
      expect(isUrgentAt(120, 120)).toBe(false);
      expect(isUrgentAt(1200, 1200)).toBe(true);
      expect(isUrgentAt(1260, 1260)).toBe(false);
      // The points sent meanwhile arrive late: by the clock the series was silent, whatever their timestamps.
      expect(isUrgentAt(9000, 1320)).toBe(false);
      expect(isUrgentAt(9000, 8940)).toBe(true);
      shard.apply({ ...input([[1, 9000, NaN]]), now: 9000 });
      expect(isUrgentAt(9060, 9060)).toBe(true);
    });

    it('rejects columns of different length', () => {
      const broken = { ...input([[1, 60, 1]]), values: new Float64Array(2) };
      expect(() => new DetectionShard().apply(broken)).toThrow(RangeError);
    });
  });

  it('reports the readiness of range, daily and weekly, and the seasonal periods', () => {
    const shard = new DetectionShard();
    shard.define(definition(1, { slotSeconds: 300 }));
    const { timestamps, values } = series(16, 300, dailySine(8, 20));
    const progressAfter = (days: number) => {
      const rows = [...timestamps.keys()].filter((i) => timestamps[i]! < START + days * DAY);
      shard.apply(input(rows.map((i) => [1, timestamps[i]!, values[i]!])));
      return shard.progress(1)!;
    };
    expect(progressAfter(0.2).readiness).toEqual({ range: false, daily: false, weekly: false });
    expect(progressAfter(1).readiness).toEqual({ range: true, daily: false, weekly: false });
    expect(progressAfter(4)).toMatchObject({
      readiness: { range: true, daily: true, weekly: false },
      seasonalPeriods: [86_400],
      resolutionSeconds: 300,
    });
    expect(progressAfter(16).readiness).toEqual({ range: true, daily: true, weekly: true });
  });

  it('reports daily and weekly as ready only with enough points', () => {
    const habitsAfter = (points: number, stepSeconds: number) => {
      const shard = new DetectionShard();
      shard.define(definition(1));
      shard.apply(input(Array.from({ length: points }, (_, i) => [1, START + i * stepSeconds, i % 2])));
      const { daily, weekly } = shard.progress(1)!.readiness;
      return { daily, weekly };
    };
    expect(habitsAfter(3, DAY)).toEqual({ daily: false, weekly: false });
    expect(habitsAfter(3, 7 * DAY)).toEqual({ daily: false, weekly: false });
    expect(habitsAfter(40, 3600)).toEqual({ daily: false, weekly: false });
    expect(habitsAfter(49, 3600)).toEqual({ daily: true, weekly: false });
    expect(habitsAfter(14 * 24 + 1, 3600)).toEqual({ daily: true, weekly: true });
  });

  it('marks anomalies in history as backfill', () => {
    const shard = new DetectionShard();
    shard.define(definition(1));
    const rows = interleaved(5, [anomalous[0]!]);
    const { events } = shard.apply(input(rows, 'backfill'));
    expect(events.length).toBeGreaterThan(0);
    expect(events.every((event) => event.backfill)).toBe(true);
  });

  describe('snapshots', () => {
    it.each<[string, (bytes: Uint8Array) => Uint8Array]>([
      ['is too short', (bytes) => bytes.slice(0, 10)],
      ['is something else', (bytes) => bytes.fill(7, 0, 4)],
      ['has another version', (bytes) => bytes.fill(200, 4, 5)],
      ['has another layout', (bytes) => bytes.fill(1, 8, 9)],
      ['is cut', (bytes) => bytes.slice(0, -8)],
    ])('restore rejects a snapshot that %s', (_, damage) => {
      const shard = new DetectionShard();
      shard.define(definition(1));
      expect(() => DetectionShard.restore(damage(shard.snapshot()))).toThrow(SnapshotFormatError);
    });

    it('restore creates an empty shard from the snapshot of an empty shard', () => {
      expect(DetectionShard.restore(new DetectionShard().snapshot()).size).toBe(0);
    });
  });
});
