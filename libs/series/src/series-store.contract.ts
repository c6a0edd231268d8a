import fc from 'fast-check';
import {
  type RetentionPlan,
  type RetentionTiers,
  type SeriesBatch,
  type SeriesFunction,
  type SeriesQuery,
  type SeriesStore,
} from './series-store.js';

/** One stored set of series. Every `open` creates a user with separate connections, like another process. */
export interface SeriesStoreFixture {
  open(tiers: RetentionTiers): Promise<SeriesStore>;
  /** Removes all series; the opened stores are closed by then. */
  dispose(): Promise<void>;
}

const MINUTE = 60;
const SLOT_2 = 600;
const HOUR = 3600;
const DAY = 86_400;
const TIERS: RetentionTiers = {
  tier1: { resolutionSeconds: MINUTE, periodSeconds: 7 * DAY },
  tier2: { resolutionSeconds: SLOT_2, periodSeconds: 90 * DAY },
};
/** A midnight, so that tests around it cross a day. */
const MIDNIGHT = 20_454 * DAY;

type Row = readonly [id: number, timestamp: number, value: number];

/** The contract that every adapter of SeriesStore must meet. `create` creates an empty store. */
export function seriesStoreContract(create: () => Promise<SeriesStoreFixture>): void {
  let fixture: SeriesStoreFixture;
  let opened: SeriesStore[];
  let store: SeriesStore;

  const open = async (): Promise<SeriesStore> => {
    const one = await fixture.open(TIERS);
    opened.push(one);
    return one;
  };

  beforeEach(async () => {
    fixture = await create();
    opened = [];
    store = await open();
  });

  afterEach(async () => {
    await Promise.all(opened.map((one) => one.close()));
    await fixture.dispose();
  });

  const query = (overrides: Partial<SeriesQuery> = {}): SeriesQuery => ({
    id: 1,
    from: MIDNIGHT - DAY,
    until: MIDNIGHT + DAY,
    resolutionSeconds: MINUTE,
    function: 'avg',
    envelope: false,
    ...overrides,
  });

  /** Bucket starts and values. */
  const read = async (overrides: Partial<SeriesQuery> = {}): Promise<[number, number][]> => {
    const { timestamps, values } = await store.read(query(overrides));
    return Array.from(timestamps, (timestamp, i) => [timestamp, values[i]!]);
  };

  const raw = async (id: number, from = 0, until = MIDNIGHT + 365 * DAY): Promise<[number, number][]> => {
    const { timestamps, values } = await store.readRaw(id, from, until);
    return Array.from(timestamps, (timestamp, i) => [timestamp, values[i]!]);
  };

  describe('write', () => {
    it('accepts rows in any order, of any number of series and days', async () => {
      await store.write(
        batch([2, MIDNIGHT + MINUTE, 5], [1, MIDNIGHT, 2], [1, MIDNIGHT - MINUTE, 1], [1, MIDNIGHT + 9 * DAY, 3]),
      );

      expect(await raw(1)).toEqual([
        [MIDNIGHT - MINUTE, 1],
        [MIDNIGHT, 2],
        [MIDNIGHT + 9 * DAY, 3],
      ]);
      expect(await raw(2)).toEqual([[MIDNIGHT + MINUTE, 5]]);
    });

    it('replaces the value of a slot that is written again', async () => {
      await store.write(batch([1, MIDNIGHT, 1], [1, MIDNIGHT + MINUTE, 1]));
      await store.write(batch([1, MIDNIGHT, 7]));

      expect(await raw(1)).toEqual([
        [MIDNIGHT, 7],
        [MIDNIGHT + MINUTE, 1],
      ]);
      expect(await read({ resolutionSeconds: SLOT_2 })).toEqual([[MIDNIGHT, 4]]);
    });

    it('keeps the last row of a slot within a batch', async () => {
      await store.write(batch([1, MIDNIGHT, 1], [2, MIDNIGHT, 5], [1, MIDNIGHT, 2], [1, MIDNIGHT, 3]));

      expect(await raw(1)).toEqual([[MIDNIGHT, 3]]);
      expect(await raw(2)).toEqual([[MIDNIGHT, 5]]);
    });

    it('ignores values that are not finite', async () => {
      await store.write(
        batch([1, MIDNIGHT, NaN], [1, MIDNIGHT + MINUTE, Infinity], [1, MIDNIGHT + 2 * MINUTE, 1], [2, MIDNIGHT, NaN]),
      );

      expect(await raw(1)).toEqual([[MIDNIGHT + 2 * MINUTE, 1]]);
      expect(await store.extent(2)).toBeNull();
    });

    it('keeps values exactly', async () => {
      const values = [
        0.1,
        -1 / 3,
        1e-300,
        5e-324,
        1.7976931348623157e308,
        -1.7976931348623157e308,
        9_007_199_254_740_993,
      ];

      await store.write(batch(...values.map((value, i): Row => [1, MIDNIGHT + i * MINUTE, value])));

      expect((await raw(1)).map(([, value]) => value)).toEqual(values);
    });

    it('accepts the largest numbers, whose sum stays finite', async () => {
      await store.write(batch(...Array.from({ length: 20 }, (_, i): Row => [1, MIDNIGHT + i * MINUTE, 1.7e308])));

      const sums = await read({ resolutionSeconds: HOUR, function: 'sum' });

      expect(sums).toHaveLength(1);
      expect(sums[0]![1]).toBeGreaterThan(1e300);
      expect(Number.isFinite(sums[0]![1])).toBe(true);
    });

    it('accepts the smallest numbers, whose average may be 0', async () => {
      await store.write(batch([1, MIDNIGHT, 5e-324], [1, MIDNIGHT + MINUTE, 0], [1, MIDNIGHT + 2 * MINUTE, 0]));

      expect(await read({ resolutionSeconds: HOUR, function: 'avg' })).toEqual([[MIDNIGHT, 0]]);
    });

    it('accepts an empty batch', async () => {
      await expect(store.write(batch())).resolves.toBeUndefined();
    });

    it('accepts more rows than a statement can have parameters', async () => {
      const count = 70_000;
      const rows = Array.from({ length: count }, (_, i): Row => [
        1 + (i % 7),
        MIDNIGHT + Math.floor(i / 7) * MINUTE,
        i,
      ]);

      await store.write(batch(...rows));

      const { values } = await store.readRaw(7, 0, MIDNIGHT + 365 * DAY);
      expect(values).toHaveLength(count / 7);
      expect(values.at(-1)).toBe(count - 1);
      const hours = await read({ id: 7, function: 'last', resolutionSeconds: HOUR, until: MIDNIGHT + 365 * DAY });
      expect(hours.at(-1)![1]).toBe(count - 1);
    });

    it('rejects columns of different lengths, and times that are not whole seconds', async () => {
      const uneven = { ids: new Uint32Array(2), timestamps: new Float64Array(2), values: new Float64Array(1) };

      await expect(store.write(uneven)).rejects.toThrow(RangeError);
      await expect(store.write(batch([1, MIDNIGHT + 0.5, 1]))).rejects.toThrow(/whole number/);
      await expect(store.write(batch([1, NaN, 1]))).rejects.toThrow(/whole number/);
    });
  });

  describe('read', () => {
    beforeEach(() =>
      store.write(
        batch(
          [1, MIDNIGHT - 2 * MINUTE, 8],
          [1, MIDNIGHT, 1],
          [1, MIDNIGHT + MINUTE, 5],
          [1, MIDNIGHT + 4 * MINUTE, 3],
          [1, MIDNIGHT + SLOT_2, 11],
        ),
      ),
    );

    it('returns the stored slots at the resolution of tier 1', async () => {
      const answer = await store.read(query());

      expect([...answer.timestamps]).toEqual(
        [-2 * MINUTE, 0, MINUTE, 4 * MINUTE, SLOT_2].map((offset) => MIDNIGHT + offset),
      );
      expect([...answer.values]).toEqual([8, 1, 5, 3, 11]);
      expect(answer).toMatchObject({ resolutionSeconds: MINUTE, tier: 1, aggregated: false, min: null, max: null });
    });

    it.each<[SeriesFunction, number]>([
      ['avg', 3],
      ['min', 1],
      ['max', 5],
      ['sum', 9],
      ['last', 3],
    ])('returns the %s of a bucket, from either tier', async (name, expected) => {
      expect(await read({ function: name, resolutionSeconds: 5 * MINUTE })).toContainEqual([MIDNIGHT, expected]);
      expect(await read({ function: name, resolutionSeconds: SLOT_2 })).toContainEqual([MIDNIGHT, expected]);
    });

    it('weights an average by the points of each slot', async () => {
      expect(await read({ resolutionSeconds: HOUR, from: MIDNIGHT })).toEqual([[MIDNIGHT, 20 / 4]]);
    });

    it('reads multiples of the tier 2 resolution from tier 2, others from tier 1', async () => {
      expect(await store.read(query({ resolutionSeconds: SLOT_2 }))).toMatchObject({ tier: 2, aggregated: true });
      expect(await store.read(query({ resolutionSeconds: 5 * MINUTE }))).toMatchObject({ tier: 1, aggregated: true });
    });

    it('returns the smallest and largest value of each bucket on request', async () => {
      for (const resolutionSeconds of [5 * MINUTE, SLOT_2]) {
        const answer = await store.read(query({ resolutionSeconds, envelope: true, from: MIDNIGHT }));

        expect([...answer.min!]).toEqual([1, 11]);
        expect([...answer.max!]).toEqual([5, 11]);
      }
    });

    it('includes both ends of the window', async () => {
      expect(await read({ from: MIDNIGHT, until: MIDNIGHT + 4 * MINUTE })).toEqual([
        [MIDNIGHT, 1],
        [MIDNIGHT + MINUTE, 5],
        [MIDNIGHT + 4 * MINUTE, 3],
      ]);
      expect(await read({ from: MIDNIGHT + 0.5, until: MIDNIGHT + 4 * MINUTE - 0.5 })).toEqual([
        [MIDNIGHT + MINUTE, 5],
      ]);
    });

    it('returns empty columns for an unknown series', async () => {
      const answer = await store.read(query({ id: 99, envelope: true }));

      expect(answer).toEqual({
        timestamps: new Float64Array(),
        values: new Float64Array(),
        min: new Float64Array(),
        max: new Float64Array(),
        resolutionSeconds: MINUTE,
        tier: 1,
        aggregated: false,
        longestSlotSeconds: 0,
      });
    });

    it('rejects a bucket of 0 seconds', async () => {
      await expect(store.read(query({ resolutionSeconds: 0 }))).rejects.toThrow(RangeError);
    });
  });

  describe('extent', () => {
    it('returns the oldest and newest slot', async () => {
      await store.write(batch([1, MIDNIGHT + 7 * MINUTE, 1], [1, MIDNIGHT + 5 * DAY + MINUTE, 1], [2, MIDNIGHT, 1]));

      expect(await store.extent(1)).toEqual({ first: MIDNIGHT + 7 * MINUTE, last: MIDNIGHT + 5 * DAY + MINUTE });
      expect(await store.extent(2)).toEqual({ first: MIDNIGHT, last: MIDNIGHT });
      expect(await store.extent(3)).toBeNull();
    });
  });

  describe('erase', () => {
    it('removes the given series from both tiers, and no others', async () => {
      await store.write(batch([1, MIDNIGHT, 1], [1, MIDNIGHT + DAY, 1], [2, MIDNIGHT, 2], [3, MIDNIGHT, 3]));

      await store.erase([1, 3, 77]);

      expect(await store.extent(1)).toBeNull();
      expect(await store.extent(3)).toBeNull();
      expect([await raw(1), await raw(3)]).toEqual([[], []]);
      expect(await read({ resolutionSeconds: SLOT_2 })).toEqual([]);
      expect(await raw(2)).toEqual([[MIDNIGHT, 2]]);
      await store.erase([]);
      expect(await raw(2)).toEqual([[MIDNIGHT, 2]]);
    });

    it('accepts new points of an erased series', async () => {
      await store.write(batch([1, MIDNIGHT, 1], [1, MIDNIGHT + MINUTE, 3]));
      await store.erase([1]);
      await store.write(batch([1, MIDNIGHT, 7]));

      expect(await read({ resolutionSeconds: SLOT_2, function: 'sum' })).toEqual([[MIDNIGHT, 7]]);
    });
  });

  describe('dropTier1', () => {
    it('removes the points and keeps their roll-ups in tier 2', async () => {
      const rows = Array.from({ length: 3000 }, (_, i): Row => [1 + (i % 2), MIDNIGHT + i * MINUTE, i % 89]);
      await store.write(batch(...rows));
      const hours = { until: MIDNIGHT + 5 * DAY, resolutionSeconds: HOUR, function: 'sum' as const };
      const before = await read(hours);

      await store.dropTier1([1, 77]);

      expect(await raw(1)).toEqual([]);
      expect(await read(hours)).toEqual(before);
      expect(await raw(2)).toHaveLength(1500);
      expect(await store.extent(1)).toEqual({ first: MIDNIGHT, last: MIDNIGHT + 2998 * MINUTE });
      await store.dropTier1([1]);
      await store.dropTier1([]);
      expect(await read(hours)).toEqual(before);
    });

    it('accepts later points of the series, and adds them to its roll-ups', async () => {
      await store.write(batch([1, MIDNIGHT, 1], [1, MIDNIGHT + MINUTE, 3]));
      await store.dropTier1([1]);
      await store.write(batch([1, MIDNIGHT + 2 * MINUTE, 5]));
      await store.maintain(MIDNIGHT + 9 * DAY);

      expect(await raw(1)).toEqual([[MIDNIGHT + 2 * MINUTE, 5]]);
      expect(await read({ resolutionSeconds: SLOT_2, function: 'sum' })).toEqual([[MIDNIGHT, 9]]);
      await store.erase([1]);
      expect(await read({ resolutionSeconds: SLOT_2, function: 'sum' })).toEqual([]);
    });
  });

  describe('retention', () => {
    const NOW = MIDNIGHT + 20 * DAY + HOUR;
    const history = Array.from({ length: 20 * 24 * 6 }, (_, i): Row => [
      1,
      MIDNIGHT + i * 10 * MINUTE + MINUTE,
      i % 97,
    ]);
    const whole = { from: MIDNIGHT, until: NOW };

    it('drops tier 1 after its period, and still reads from tier 2', async () => {
      await store.write(batch(...history));
      const before = await read({ ...whole, resolutionSeconds: HOUR });

      await store.applyRetention(NOW);

      const kept = await raw(1);
      expect(kept[0]![0]).toBeLessThanOrEqual(NOW - 7 * DAY);
      expect(kept[0]![0]).toBeGreaterThan(NOW - 9 * DAY);
      expect(await read({ ...whole, resolutionSeconds: HOUR })).toEqual(before);
      expect(await store.extent(1)).toEqual({ first: MIDNIGHT, last: history.at(-1)![1] });
    });

    it('reads a window that begins before tier 1 from both tiers', async () => {
      await store.write(batch(...history));
      await store.applyRetention(NOW);

      const answer = await store.read(query({ ...whole, resolutionSeconds: MINUTE }));

      expect(answer).toMatchObject({ tier: 0, aggregated: true, resolutionSeconds: MINUTE });
      expect([...answer.values]).toEqual(history.map(([, , value]) => value));
      expect(answer.timestamps[0]).toBe(MIDNIGHT);
      expect(answer.timestamps.at(-1)).toBe(history.at(-1)![1]);
      expect(await store.read(query({ resolutionSeconds: MINUTE }))).toMatchObject({ tier: 2, aggregated: true });
    });

    it('counts no point twice when old history is resent', async () => {
      await store.write(batch(...history));
      await store.applyRetention(NOW);
      const before = await read({ ...whole, resolutionSeconds: HOUR, function: 'sum' });

      for (const part of [history.slice(0, 700), history.slice(700), history.slice(300, 303)]) {
        await store.write(batch(...part));
      }
      expect(await read({ ...whole, resolutionSeconds: HOUR, function: 'sum' })).toEqual(before);
      await store.applyRetention(NOW);

      expect(await read({ ...whole, resolutionSeconds: HOUR, function: 'sum' })).toEqual(before);
    });

    it('accepts late history that is older than tier 1', async () => {
      await store.write(batch([1, NOW - (NOW % DAY), 1]));
      await store.applyRetention(NOW);
      await store.write(batch([1, MIDNIGHT, 4], [1, MIDNIGHT + MINUTE, 8]));

      expect(await read({ ...whole, resolutionSeconds: SLOT_2 })).toContainEqual([MIDNIGHT, 6]);
      await store.applyRetention(NOW);

      expect(await read({ ...whole, resolutionSeconds: MINUTE })).toContainEqual([MIDNIGHT, 6]);
      expect(await store.extent(1)).toEqual({ first: MIDNIGHT, last: NOW - (NOW % DAY) });
    });

    it('returns the same for many windows as for each of them, wherever their points are stored', async () => {
      const [old, late] = [history.slice(0, 1500), history.slice(1500)];
      const others: Row[] = [2, 3].flatMap((id) =>
        history.map(([, timestamp, value]): Row => [id, timestamp, id * value]),
      );
      await store.write(batch(...old, ...others));
      await store.applyRetention(NOW);
      await store.maintain(NOW);
      await store.erase([3]);
      await store.write(batch(...late, [1, MIDNIGHT, 4], [3, NOW - MINUTE, 9]));
      const windows = [1, 2, 3, 77].flatMap((id) => [
        query({ id, ...whole }),
        query({ id, ...whole, resolutionSeconds: HOUR, envelope: true }),
        query({ id, from: NOW - DAY, until: NOW, resolutionSeconds: 5 * MINUTE, function: 'last' }),
      ]);

      const each = [];
      for (const window of windows) each.push(await store.read(window));

      expect(await store.readMany(windows)).toEqual(each);
      expect(each.filter(({ values }) => values.length > 0)).toHaveLength(9);
      expect(await store.readMany([])).toEqual([]);
    });

    it('drops tier 2 after its period', async () => {
      await store.write(batch(...history));

      await store.applyRetention(NOW + 150 * DAY);

      expect(await store.extent(1)).toBeNull();
    });

    it('lets writers write to days that another user has dropped', async () => {
      const other = await open();
      await store.write(batch([1, MIDNIGHT, 1]));
      await other.write(batch([2, MIDNIGHT, 1]));
      await other.applyRetention(NOW + 150 * DAY);

      await store.write(batch([1, MIDNIGHT, 3]));

      expect(await read({ resolutionSeconds: SLOT_2 })).toEqual([[MIDNIGHT, 3]]);
    });

    it('can run in several processes at the same time, next to writers', async () => {
      const others = [await open(), await open()];
      await store.write(batch(...history));

      await Promise.all([
        ...others.map((other) => other.applyRetention(NOW)),
        ...Array.from({ length: 20 }, (_, i) => store.write(batch([5, NOW - (NOW % MINUTE) - i * MINUTE, i]))),
      ]);

      expect(await raw(5)).toHaveLength(20);
      expect((await raw(1)).at(0)![0]).toBeGreaterThan(NOW - 9 * DAY);
    });
  });

  describe('retention by a plan', () => {
    const NOW = MIDNIGHT + 20 * DAY + HOUR;
    const TEN_MINUTES = Array.from({ length: 20 * 24 * 6 }, (_, i) => MIDNIGHT + i * 10 * MINUTE + MINUTE);
    const history = (...ids: number[]) => TEN_MINUTES.flatMap((at, i) => ids.map((id): Row => [id, at, (i % 97) + id]));
    const keeping = (days1: number, days2: number, slot2 = SLOT_2): RetentionTiers => ({
      tier1: { resolutionSeconds: MINUTE, periodSeconds: days1 * DAY },
      tier2: { resolutionSeconds: slot2, periodSeconds: days2 * DAY },
    });
    const plan = (...groups: [tiers: RetentionTiers, ...ids: number[]][]): RetentionPlan => ({
      groups: groups.map(([tiers, ...ids]) => ({ tiers, ids: Uint32Array.from(ids) })),
      newestId: 1000,
    });
    const hours = (id: number) => read({ id, from: MIDNIGHT, until: NOW, resolutionSeconds: HOUR, function: 'sum' });
    /** Days from the first point of tier 1 to now. */
    const age = async (id: number) => (NOW - (await raw(id))[0]![0]) / DAY;

    it('keeps the points of each series for its period', async () => {
      await store.write(batch(...history(1, 2, 3)));
      const before = await Promise.all([1, 2, 3].map(hours));

      await store.applyRetention(NOW, plan([keeping(3, 90), 1, 77], [keeping(15, 90), 3]));

      expect(await age(1)).toBeGreaterThan(2);
      expect(await age(1)).toBeLessThan(5);
      // Not in the plan: the period of the store applies.
      expect(await age(2)).toBeGreaterThan(7);
      expect(await age(2)).toBeLessThan(9);
      expect(await age(3)).toBeGreaterThan(15);
      expect(await age(3)).toBeLessThan(17);
      expect(await Promise.all([1, 2, 3].map(hours))).toEqual(before);
      await store.maintain(NOW);
      expect(await Promise.all([1, 2, 3].map(hours))).toEqual(before);
    });

    it('keeps the remaining points when a period is extended, and drops points when it is shortened', async () => {
      await store.write(batch(...history(1, 2)));
      const before = await hours(1);
      await store.applyRetention(NOW, plan([keeping(10, 90), 1]));
      const ten = await raw(1);
      await store.applyRetention(NOW, plan([keeping(30, 90), 1]));
      expect(await raw(1)).toEqual(ten);

      await store.applyRetention(NOW, plan([keeping(2, 90), 1]));

      expect(await age(1)).toBeLessThan(4);
      expect(await hours(1)).toEqual(before);
      expect(await age(2)).toBeGreaterThan(7);
    });

    it('drops the roll-ups of each series after its period', async () => {
      await store.write(batch(...history(1, 2, 3)));
      const later = NOW + 40 * DAY;
      await store.applyRetention(later, plan([keeping(7, 70), 1], [keeping(7, 20), 2]));

      const before = await hours(1);
      expect(before.length).toBeGreaterThan(400);
      expect(await hours(3)).toHaveLength(before.length);
      expect((await hours(2)).length).toBeLessThan(before.length);
      await store.applyRetention(later, plan([keeping(7, 8), 1], [keeping(7, 8), 2]));
      expect((await hours(1)).length).toBeLessThan(before.length);
      expect(await hours(3)).toHaveLength(before.length);
    });

    it('does not apply to series that are newer than the plan', async () => {
      await store.write(batch(...history(1, 1001)));

      await store.applyRetention(NOW, plan([keeping(30, 90), 5]));

      expect(await age(1)).toBeLessThan(9);
      expect(await raw(1001)).toHaveLength(TEN_MINUTES.length);
    });

    it('reads roll-ups of all slot lengths that tier 2 has had', async () => {
      await store.write(batch(...history(1)));
      const before = await hours(1);
      await store.applyRetention(NOW - 10 * DAY, plan([keeping(3, 90, 600), 1]));
      await store.applyRetention(NOW - 6 * DAY, plan([keeping(3, 90, 420), 1]));

      await store.applyRetention(NOW, plan([keeping(3, 90, 1800), 1]));

      // Ten and thirty minutes divide an hour, seven minutes do not.
      const hour = (await hours(1)).map(([at, value]) => [at, value]);
      const sums = (rows: number[][], from: number, until: number) =>
        rows.filter(([at]) => at! >= from && at! < until).reduce((sum, [, value]) => sum + value!, 0);
      for (let day = 0; day < 20; day++) {
        const [from, until] = [MIDNIGHT + day * DAY, MIDNIGHT + (day + 1) * DAY];
        expect(sums(hour, from, until)).toBe(sums(before, from, until));
      }
      expect(hour.slice(0, 6 * 24)).toEqual(before.slice(0, 6 * 24));
      expect(hour.slice(12 * 24)).toEqual(before.slice(12 * 24));
      const fine = await store.read(query({ from: MIDNIGHT, until: NOW, slots: { tier1: MINUTE, tier2: 1800 } }));
      expect(fine).toMatchObject({ tier: 0, longestSlotSeconds: 1800 });
      expect([...fine.values].length).toBeLessThan(TEN_MINUTES.length);
    });

    it('counts late points once in roll-ups of a former slot length', async () => {
      const rows = history(1);
      await store.write(batch(...rows.filter((_, i) => i % 3 !== 0)));
      await store.applyRetention(NOW, plan([keeping(3, 90, 600), 1]));
      const late = rows.filter((_, i) => i % 3 === 0);

      for (let n = 0; n < 2; n++) {
        await store.write(batch(...late));
        const half = plan([keeping(3, 90, 1800), 1]);
        const found = await hours(1);
        await store.applyRetention(NOW, half);
        expect(await hours(1)).toEqual(found);
        expect(found.map(([, value]) => value)).toEqual(
          Array.from({ length: 20 * 24 }, (_, hour) =>
            rows.slice(hour * 6, hour * 6 + 6).reduce((sum, [, , value]) => sum + value, 0),
          ),
        );
      }
    });

    it('selects the tier by the given slot lengths', async () => {
      await store.write(batch([1, MIDNIGHT, 1], [1, MIDNIGHT + MINUTE, 2]));

      const slots = { tier1: 20, tier2: MINUTE };
      expect(await store.read(query({ slots }))).toMatchObject({ tier: 2 });
      expect(await store.read(query({ slots: { tier1: MINUTE, tier2: MINUTE } }))).toMatchObject({ tier: 1 });
      expect(await store.read(query({ resolutionSeconds: SLOT_2, slots: { tier1: 60, tier2: 3600 } }))).toMatchObject({
        tier: 1,
      });
    });
  });

  describe('maintenance', () => {
    const minutes = Array.from({ length: 3 * 1440 }, (_, i) => MIDNIGHT + i * MINUTE);
    const rows = minutes.map((at, i): Row => [1 + (i % 3), at, Math.sin(i) * 1000]);

    it('does not change the results of reads', async () => {
      await store.write(batch(...rows));
      const before = await raw(2);
      for (const offset of [0, 1, 2, 30]) {
        await store.maintain(MIDNIGHT + offset * DAY);
        expect(await raw(2)).toEqual(before);
        expect(await store.extent(2)).toEqual({ first: minutes[1], last: minutes.at(-2) });
      }
    });

    it('keeps the latest write of a slot, wherever earlier ones are stored', async () => {
      for (let value = 1; value <= 5; value++) {
        await store.write(batch([1, MIDNIGHT, value], [1, MIDNIGHT + value * MINUTE, value]));
        await store.maintain(MIDNIGHT + value * 9 * DAY);
        expect((await raw(1))[0]).toEqual([MIDNIGHT, value]);
      }
      expect(await raw(1)).toHaveLength(6);
    });

    it('does not restore erased points, and keeps later ones', async () => {
      await store.write(batch(...rows));
      await store.maintain(MIDNIGHT);
      expect(await raw(2)).toHaveLength(1440);
      await store.erase([2]);
      expect(await raw(2)).toEqual([]);
      await store.maintain(MIDNIGHT + 30 * DAY);
      expect(await raw(2)).toEqual([]);
      await store.write(batch([2, MIDNIGHT, 7]));
      await store.maintain(MIDNIGHT + 30 * DAY);
      await store.maintain(MIDNIGHT + 30 * DAY);
      expect(await raw(2)).toEqual([[MIDNIGHT, 7]]);
      expect(await raw(1)).toHaveLength(1440);
    });

    it('can run in several processes at the same time, next to writers and readers', async () => {
      const others = [await open(), await open()];
      const writers = Array.from({ length: 30 }, async (_, i) => {
        const part = rows.slice(i * 144, (i + 1) * 144);
        await store.write(batch(...part));
        const [id, at, value] = part[0]!;
        expect(await raw(id, at, at)).toEqual([[at, value]]);
      });
      const keepers = others.map(async (other) => {
        for (let n = 0; n < 6; n++) await other.maintain(MIDNIGHT + n * DAY);
      });
      await Promise.all([...writers, ...keepers]);

      expect(await raw(3)).toEqual(rows.filter(([id]) => id === 3).map(([, at, value]) => [at, value]));
    });
  });

  describe('several users', () => {
    it('can write to the same new days and slots at the same time', async () => {
      const users = [store, await open(), await open(), await open()];

      await Promise.all(
        users.flatMap((user, u) =>
          [0, 1, 2].map((day) =>
            user.write(batch([1, MIDNIGHT + day * DAY + u * MINUTE, 1], [2 + u, MIDNIGHT + day * DAY, 1])),
          ),
        ),
      );

      for (const day of [0, 1, 2]) {
        const from = MIDNIGHT + day * DAY;
        expect(await read({ from, until: from, resolutionSeconds: SLOT_2, function: 'sum' })).toEqual([[from, 4]]);
      }
    });
  });

  describe('against a model', () => {
    const ids = [1, 2];
    const timestamp = fc.integer({ min: -60, max: 60 }).map((n) => MIDNIGHT + n * MINUTE);
    /** Multiples of a quarter: their sums are exact in any order. */
    const value = fc.integer({ min: -1000, max: 1000 }).map((n) => n / 4);
    const row = fc.tuple(fc.constantFrom(...ids), timestamp, value);
    const end = fc.integer({ min: -70 * MINUTE, max: 70 * MINUTE }).map((offset) => MIDNIGHT + offset);
    const window = fc.tuple(end, end).map(([a, b]) => ({ from: Math.min(a, b), until: Math.max(a, b) }));
    const question = fc
      .tuple(
        window,
        fc.record({
          id: fc.constantFrom(...ids),
          resolutionSeconds: fc.constantFrom(MINUTE, 2 * MINUTE, 5 * MINUTE, SLOT_2, 2 * SLOT_2, HOUR, 5400, DAY),
          function: fc.constantFrom<SeriesFunction>('avg', 'min', 'max', 'sum', 'last'),
        }),
      )
      .map(([ends, rest]): SeriesQuery => ({ ...ends, ...rest, envelope: true }));
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ write: fc.array(row, { maxLength: 30 }) }) },
      { weight: 1, arbitrary: fc.record({ erase: fc.constantFrom(...ids) }) },
      { weight: 4, arbitrary: fc.record({ read: question }) },
      { weight: 2, arbitrary: fc.record({ maintainAt: fc.constantFrom(MIDNIGHT, MIDNIGHT + 9 * DAY) }) },
    );

    it('returns the same as a plain map of points after any sequence of operations', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          const model = new SeriesModel();
          await store.erase(ids);
          for (const one of steps) {
            if ('write' in one) {
              await store.write(batch(...one.write));
              model.write(one.write);
            } else if ('erase' in one) {
              const stored = await store.readRaw(one.erase, 0, Number.MAX_SAFE_INTEGER);
              await store.erase([one.erase]);
              expect(stored.timestamps).toHaveLength(model.erase(one.erase));
              expect(await store.extent(one.erase)).toBeNull();
            } else if ('maintainAt' in one) {
              await store.maintain(one.maintainAt);
            } else {
              const { timestamps, values, min, max, tier } = await store.read(one.read);
              expect([timestamps, values, min!, max!].map((column) => [...column])).toEqual(
                model.read(one.read, tier === 2 ? SLOT_2 : 1),
              );
            }
          }
          for (const id of ids) {
            expect(await raw(id)).toEqual(model.raw(id));
            expect(await store.extent(id)).toEqual(model.extent(id));
          }
        }),
        { numRuns: 60, seed: 20_260_101 },
      );
    });

    /** A resent point has the same value, so the order of writing, dropping and folding makes no difference. */
    const sentAgain = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ write: fc.array(fc.tuple(fc.constantFrom(...ids), timestamp), { maxLength: 40 }) }),
      },
      { weight: 3, arbitrary: fc.record({ maintainAt: fc.constantFrom(MIDNIGHT, MIDNIGHT + 9 * DAY) }) },
      { weight: 2, arbitrary: fc.record({ retireAt: fc.constantFrom(MIDNIGHT + 7 * DAY, MIDNIGHT + 9 * DAY) }) },
      { weight: 1, arbitrary: fc.record({ erase: fc.constantFrom(...ids) }) },
      { weight: 1, arbitrary: fc.record({ drop: fc.constantFrom(...ids) }) },
      { weight: 4, arbitrary: fc.record({ read: question }) },
    );
    const isOfTier2 = ({ resolutionSeconds }: SeriesQuery) => resolutionSeconds % SLOT_2 === 0;

    it('returns the same from roll-ups as from points, in whatever order days expire from tier 1', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(sentAgain, { maxLength: 14 }), async (steps) => {
          const model = new SeriesModel();
          await store.erase(ids);
          for (const one of steps) {
            if ('write' in one) {
              const rows = one.write.map(([id, at]): Row => [id, at, ((at / MINUTE) % 97) / 4]);
              await store.write(batch(...rows));
              model.write(rows);
            } else if ('maintainAt' in one) await store.maintain(one.maintainAt);
            else if ('retireAt' in one) await store.applyRetention(one.retireAt);
            else if ('drop' in one) await store.dropTier1([one.drop]);
            else if ('erase' in one) {
              await store.erase([one.erase]);
              model.erase(one.erase);
            } else if (isOfTier2(one.read)) {
              const { timestamps, values, min, max } = await store.read(one.read);
              expect([timestamps, values, min!, max!].map((column) => [...column])).toEqual(
                model.read(one.read, SLOT_2),
              );
            }
          }
        }),
        { numRuns: 60, seed: 20_260_102 },
      );
    });

    /** Each slot length divides an hour, so hours consist of whole roll-ups. */
    const tiers = fc
      .record({
        tier1Days: fc.constantFrom(1, 2, 7, 9),
        tier2: fc.constantFrom(MINUTE, 300, SLOT_2, 1200, HOUR),
        tier1: fc.constantFrom(10, MINUTE),
      })
      .map(({ tier1Days, tier2, tier1 }): RetentionTiers => ({
        tier1: { resolutionSeconds: tier1, periodSeconds: tier1Days * DAY },
        tier2: { resolutionSeconds: tier2, periodSeconds: 365 * DAY },
      }));
    const planned = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          write: fc.array(
            fc.tuple(
              fc.constantFrom(...ids),
              fc.integer({ min: -500, max: 500 }).map((n) => MIDNIGHT + n * 10),
            ),
            { maxLength: 60 },
          ),
        }),
      },
      { weight: 2, arbitrary: fc.record({ maintainAt: fc.constantFrom(MIDNIGHT, MIDNIGHT + 9 * DAY) }) },
      {
        weight: 4,
        arbitrary: fc.record({
          retireAt: fc.constantFrom(MIDNIGHT + DAY, MIDNIGHT + 2 * DAY, MIDNIGHT + 9 * DAY),
          tiersOf: fc.tuple(tiers, tiers),
        }),
      },
      { weight: 1, arbitrary: fc.record({ drop: fc.constantFrom(...ids), tiers }) },
      { weight: 1, arbitrary: fc.record({ erase: fc.constantFrom(...ids) }) },
    );

    it('neither loses nor duplicates points with any current and former tiers of each series', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(planned, { maxLength: 14 }), async (steps) => {
          const model = new SeriesModel();
          await store.erase(ids);
          for (const one of steps) {
            if ('write' in one) {
              const rows = one.write.map(([id, at]): Row => [id, at, ((at / 10) % 97) / 4]);
              await store.write(batch(...rows));
              model.write(rows);
            } else if ('maintainAt' in one) await store.maintain(one.maintainAt);
            else if ('retireAt' in one) {
              const groups = one.tiersOf.map((held, i) => ({ tiers: held, ids: Uint32Array.of(ids[i]!) }));
              await store.applyRetention(one.retireAt, { groups, newestId: 10 });
            } else if ('drop' in one) await store.dropTier1([one.drop], one.tiers);
            else {
              await store.erase([one.erase]);
              model.erase(one.erase);
            }
            for (const id of ids) {
              for (const name of ['sum', 'last'] as const) {
                const whole = query({ id, resolutionSeconds: HOUR, function: name, envelope: true });
                const { timestamps, values, min, max } = await store.read(whole);
                expect([timestamps, values, min!, max!].map((column) => [...column])).toEqual(model.read(whole, HOUR));
              }
              const { values } = await store.read(query({ id, function: 'sum', resolutionSeconds: 10 }));
              expect(values.reduce((sum, value) => sum + value, 0)).toBe(
                model.raw(id).reduce((sum, [, value]) => sum + value, 0),
              );
            }
          }
        }),
        { numRuns: 20, seed: 20_260_103 },
      );
    });
  });
}

/** A batch of rows of id, timestamp, value. */
export function batch(...rows: readonly Row[]): SeriesBatch {
  return {
    ids: Uint32Array.from(rows, ([id]) => id),
    timestamps: Float64Array.from(rows, ([, timestamp]) => timestamp),
    values: Float64Array.from(rows, ([, , value]) => value),
  };
}

/** The simplest implementation: every point in a map, every result computed on request. */
class SeriesModel {
  private readonly series = new Map<number, Map<number, number>>();

  write(rows: readonly Row[]): void {
    for (const [id, timestamp, value] of rows) {
      const points = this.series.get(id) ?? new Map<number, number>();
      this.series.set(id, points.set(timestamp, value));
    }
  }

  erase(id: number): number {
    const size = this.series.get(id)?.size ?? 0;
    this.series.delete(id);
    return size;
  }

  raw(id: number): [number, number][] {
    return [...(this.series.get(id) ?? [])].sort(([a], [b]) => a - b);
  }

  extent(id: number): { first: number; last: number } | null {
    const points = this.raw(id);
    return points.length === 0 ? null : { first: points[0]![0], last: points.at(-1)![0] };
  }

  /** Columns: bucket starts, values, min, max. Points count by the start of their slot of `slotSeconds`. */
  read(query: SeriesQuery, slotSeconds: number): number[][] {
    const buckets = new Map<number, number[]>();
    for (const [timestamp, value] of this.raw(query.id)) {
      const slot = timestamp - (timestamp % slotSeconds);
      if (slot < query.from || slot > query.until) continue;
      const bucket = slot - (slot % query.resolutionSeconds);
      buckets.set(bucket, [...(buckets.get(bucket) ?? []), value]);
    }
    const values = [...buckets.values()];
    return [
      [...buckets.keys()],
      values.map((bucket) => combine(bucket, query.function)),
      values.map((bucket) => Math.min(...bucket)),
      values.map((bucket) => Math.max(...bucket)),
    ];
  }
}

function combine(values: readonly number[], name: SeriesFunction): number {
  const sum = values.reduce((a, b) => a + b, 0);
  switch (name) {
    case 'avg':
      return sum / values.length;
    case 'min':
      return Math.min(...values);
    case 'max':
      return Math.max(...values);
    case 'sum':
      return sum;
    case 'last':
      return values.at(-1)!;
  }
}
