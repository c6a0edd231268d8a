import { isNameProblem, parseMetricName } from '#libs/protocols';
import { demoSeries, seriesColumns } from './demo-series.js';
import { type SyntheticSeries, TROUBLE_KINDS, type TroubleKind } from './types.js';

const DAY = 86_400;
const EPOCH = 1_760_003_777;
const HISTORY = EPOCH - 10 * DAY;
const ZONE = 'Europe/Berlin';
/** A job is new only once; all other kinds of trouble recur. */
const AGAIN = TROUBLE_KINDS.filter((kind) => kind !== 'new_job');

function named(series: SyntheticSeries[], name: string): SyntheticSeries {
  const found = series.find((candidate) => candidate.name.startsWith(name));
  if (found === undefined) throw new Error(`No series ${name}`);
  return found;
}

function mean(values: ArrayLike<number>): number {
  return Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;
}

/** Standard deviation of the steps from one value to the next. */
function roughness(values: Float64Array): number {
  const steps = values.subarray(1).map((value, i) => value - values[i]!);
  return Math.sqrt(mean(steps.map((step) => step * step)));
}

const series = demoSeries({ epoch: EPOCH, timezone: ZONE });

describe('the demo series', () => {
  it('are at least fourteen, with canonical names of both styles', () => {
    expect(series.length).toBeGreaterThanOrEqual(14);
    for (const { name } of series) {
      const parsed = parseMetricName(name);
      expect(isNameProblem(parsed) ? parsed : parsed.name).toBe(name);
    }
    expect(new Set(series.map(({ name }) => name)).size).toBe(series.length);
    expect(series.filter(({ name }) => name.includes('{')).length).toBeGreaterThan(4);
    expect(series.filter(({ name }) => !name.includes('{')).length).toBeGreaterThan(4);
  });

  it('have the same values in another run, in any order of access', () => {
    const again = demoSeries({ epoch: EPOCH, timezone: ZONE });
    for (let i = 0; i < 160; i++) {
      // Times in mixed order across ten days of history and two of live data.
      const timestamp = HISTORY + ((i * 7919 * 61) % (12 * DAY));
      const place = i % series.length;
      expect(again[place]!.valueAt(timestamp)).toBe(series[place]!.valueAt(timestamp));
    }
    series.forEach((one, place) => {
      const forwards = seriesColumns(again[place]!, EPOCH - 3600, EPOCH + 7200, 60);
      const backwards = [...forwards.timestamps].reverse().map((timestamp) => one.valueAt(timestamp));
      expect(backwards.reverse()).toEqual([...forwards.values]);
    });
  });

  it('have different values for a different seed', () => {
    const other = demoSeries({ epoch: EPOCH, timezone: ZONE, seed: 2 });
    const latency = 'http_request_duration_seconds';
    expect(named(other, latency).valueAt(EPOCH)).not.toBe(named(series, latency).valueAt(EPOCH));
  });

  it('reject a time zone that does not exist', () => {
    expect(() => demoSeries({ epoch: EPOCH, timezone: 'Mars/Olympus' })).toThrow(RangeError);
  });

  it.each<[string, number, number]>([
    ['http_error_percent', 0, 12],
    ['http_request_duration_seconds', 0.05, 2],
    ['node_cpu_percent', 5, 100],
    ['process_resident_memory_bytes', 300e6, 2.5e9],
    ['rabbitmq_queue', 0, 1500],
    ['pg_stat_activity', 10, 180],
    ['backup.nas-1', 0, 130e6],
    ['node_filesystem', 50, 100],
    ['shop.signups', 0, 40],
    ['shop.orders', 0, 110],
    ['plant.pump-2', 2.5, 3.7],
    ['payments.provider', 5, 450],
    ['room_temperature', 18, 32],
    ['cdn.cache', 40, 100],
  ])('include %s with values between %d and %d', (name, low, high) => {
    const { values } = seriesColumns(named(series, name), HISTORY, EPOCH + 2 * DAY, 60);
    expect(values.every(Number.isFinite)).toBe(true);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(low);
    expect(Math.max(...values)).toBeLessThanOrEqual(high);
  });

  it('follow the time of day in their time zone', () => {
    const orders = named(series, 'shop.orders');
    // Monday 6 October 2025 in Berlin, two hours ahead of UTC.
    const midnight = Date.UTC(2025, 9, 5, 22) / 1000;
    const hour = (h: number): number =>
      mean(seriesColumns(orders, midnight + h * 3600, midnight + (h + 1) * 3600, 60).values);
    expect(hour(16)).toBeGreaterThan(3 * hour(4));
    const berlinNight = hour(4);
    const inTokyo = named(demoSeries({ epoch: EPOCH, timezone: 'Asia/Tokyo' }), 'shop.orders');
    const tokyoNoon = mean(seriesColumns(inTokyo, midnight + 4 * 3600, midnight + 5 * 3600, 60).values);
    expect(tokyoNoon).toBeGreaterThan(2 * berlinNight);
  });

  it('are lower on weekends', () => {
    const orders = named(series, 'shop.orders');
    const noonOf = (day: number): number => Date.UTC(2025, 9, day, 10) / 1000;
    const noon = (day: number): number => mean(seriesColumns(orders, noonOf(day), noonOf(day) + 7200, 60).values);
    expect(noon(4)).toBeLessThan(0.75 * noon(6));
    expect(noon(5)).toBeLessThan(0.75 * noon(6));
  });

  it('have rare sign-ups: whole numbers, mostly zero', () => {
    const { values } = seriesColumns(named(series, 'shop.signups'), HISTORY, HISTORY + 5 * DAY, 60);
    expect(values.every(Number.isInteger)).toBe(true);
    expect(values.filter((value) => value === 0).length / values.length).toBeGreaterThan(0.85);
    expect(Math.max(...values)).toBeGreaterThan(0);
  });

  it.each(['http_requests_total', 'node_network_receive_bytes_total'])(
    'include the counter %s, which decreases only at restarts of its process',
    (name) => {
      const counter = named(series, name);
      expect(counter.type).toBe('counter');
      const { values } = seriesColumns(counter, HISTORY, EPOCH + DAY, 60);
      const falls = values.filter((value, i) => i > 0 && value < values[i - 1]!);
      expect(falls.length).toBeGreaterThanOrEqual(2);
      expect(falls.length).toBeLessThan(8);
      expect(Math.max(...falls)).toBeLessThan(0.02 * Math.max(...values));
    },
  );

  it('include a backup that runs for half an hour every night from the second day on', () => {
    const backup = named(series, 'backup.nas-1');
    const { timestamps, values } = seriesColumns(backup, HISTORY, EPOCH, 60);
    const busyNights = new Map<number, number>();
    timestamps.forEach((timestamp, i) => {
      const night = Math.floor(timestamp / DAY);
      if (values[i]! > 40e6) busyNights.set(night, (busyNights.get(night) ?? 0) + 1);
    });
    expect(busyNights.size).toBe(8);
    expect(new Set(busyNights.values())).toEqual(new Set([30]));
  });
});

describe('labelled trouble', () => {
  const kindsBetween = (from: number, until: number): Set<TroubleKind> =>
    new Set(series.flatMap((one) => one.incidents(from, until).map(({ kind }) => kind)));

  it('of every kind occurs in the ten days before the start', () => {
    expect([...kindsBetween(HISTORY, EPOCH)].sort()).toEqual([...TROUBLE_KINDS].sort());
  });

  it('of every recurring kind occurs in the last three days, for any time of day and time zone', () => {
    for (const timezone of ['UTC', 'Asia/Kolkata', 'America/Los_Angeles']) {
      for (let hour = 0; hour < 24; hour += 3) {
        const epoch = EPOCH + hour * 3600;
        const kinds = demoSeries({ epoch, timezone }).flatMap((one) =>
          one.incidents(epoch - 3 * DAY, epoch).map(({ kind }) => kind),
        );
        expect([...new Set(kinds)].sort()).toEqual([...AGAIN].sort());
      }
    }
  });

  it('of at least five kinds occurs in the last day', () => {
    expect(kindsBetween(EPOCH - DAY, EPOCH).size).toBeGreaterThanOrEqual(5);
  });

  it('continues after the start, at least every two hours and never two at a time', () => {
    const live = series
      .flatMap((one) => one.incidents(EPOCH, EPOCH + 14 * DAY))
      .filter(({ kind }) => kind !== 'missed_job')
      .sort((a, b) => a.from - b.from);
    expect(live[0]!.from - EPOCH).toBeLessThan(600);
    for (let i = 1; i < live.length; i++) {
      expect(live[i]!.from - live[i - 1]!.from).toBeLessThanOrEqual(7200);
      expect(live[i]!.from).toBeGreaterThanOrEqual(live[i - 1]!.until);
    }
    expect(new Set(live.map(({ kind }) => kind)).size).toBe(AGAIN.length - 1);
  });

  it('is returned for overlapping periods, in order and with a text', () => {
    for (const one of series) {
      const all = one.incidents(HISTORY, EPOCH + 3 * DAY);
      expect(all).toEqual([...all].sort((a, b) => a.from - b.from));
      for (const incident of all) {
        expect(incident.from).toBeLessThan(incident.until);
        expect(incident.text).not.toBe('');
        expect(one.incidents(incident.until - 1, incident.until)).toContainEqual(incident);
        expect(one.incidents(incident.from, incident.from + 1)).toContainEqual(incident);
        expect(one.incidents(incident.until, incident.until + 1)).not.toContainEqual(incident);
      }
    }
  });

  /** Values of the first trouble of a kind, and of as long a stretch before it. */
  function around(name: string, kind: TroubleKind): { before: Float64Array; during: Float64Array } {
    const one = named(series, name);
    const incident = one.incidents(HISTORY, EPOCH).find((candidate) => candidate.kind === kind);
    if (incident === undefined) throw new Error(`${name} has no ${kind}`);
    const { from, until } = incident;
    return {
      before: seriesColumns(one, 2 * from - until, from, 60).values,
      during: seriesColumns(one, from, until, 60).values,
    };
  }

  it('of kind spike is more than four times as high as before', () => {
    const { before, during } = around('http_error_percent', 'spike');
    expect(Math.max(...during)).toBeGreaterThan(4 * Math.max(...before));
  });

  it('of kind dip is more than 25 % lower than before', () => {
    const { before, during } = around('cdn.cache', 'dip');
    expect(mean(during)).toBeLessThan(0.75 * mean(before));
  });

  it('of kinds growing spread and level shift has more variation and a higher level', () => {
    const { before, during } = around('payments.provider', 'growing_spread');
    expect(roughness(during)).toBeGreaterThan(2 * roughness(before));
    const shift = around('pg_stat_activity', 'level_shift');
    expect(mean(shift.during)).toBeGreaterThan(1.3 * mean(shift.before));
  });

  it('of kind frozen repeats one value', () => {
    const { before, during } = around('plant.pump-2', 'frozen');
    expect(new Set(during)).toEqual(new Set([before.at(-1)]));
    expect(new Set(before).size).toBeGreaterThan(20);
  });

  it('of kind silence has no values', () => {
    const { before, during } = around('room_temperature', 'silence');
    expect(during).toHaveLength(0);
    expect(before.length).toBeGreaterThan(10);
  });

  it('of kind counter stop adds nothing to the counter', () => {
    const { before, during } = around('node_network_receive_bytes_total', 'counter_stop');
    expect(new Set(during).size).toBeLessThanOrEqual(1);
    expect(new Set(before).size).toBe(before.length);
  });

  it('of kind missed job has a night without a job', () => {
    const { before, during } = around('backup.nas-1', 'missed_job');
    expect(mean(during)).toBeLessThan(2 * mean(before));
  });
});
