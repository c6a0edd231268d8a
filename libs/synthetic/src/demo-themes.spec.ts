import { isNameProblem, parseMetricName } from '#libs/protocols';
import { demoSeries, seriesColumns } from './demo-series.js';
import { FACTORY } from './factory-theme.js';
import { SHOP } from './shop-theme.js';
import { DEMO_THEME_NAMES, type SyntheticSeries, TROUBLE_KINDS } from './types.js';

const DAY = 86_400;
const EPOCH = 1_760_003_777;
const HISTORY = EPOCH - 10 * DAY;
const ZONE = 'Europe/Berlin';
/** A job is new only once; all other kinds of trouble recur. */
const AGAIN = TROUBLE_KINDS.filter((kind) => kind !== 'new_job');

const isPrime = (count: number): boolean =>
  count > 1 && Array.from({ length: count - 2 }, (_, i) => i + 2).every((divisor) => count % divisor !== 0);

describe.each(DEMO_THEME_NAMES)('the theme %s', (theme) => {
  const series = demoSeries({ theme, epoch: EPOCH, timezone: ZONE });

  it('has unique canonical names of both styles', () => {
    const names = series.map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(14);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) {
      const parsed = parseMetricName(name);
      expect(isNameProblem(parsed) ? parsed : parsed.name).toBe(name);
    }
    expect(names.filter((name) => name.includes('{')).length).toBeGreaterThan(4);
    expect(names.filter((name) => !name.includes('{')).length).toBeGreaterThan(4);
  });

  it('has trouble of every recurring kind in the last three days, for any time of day and time zone', () => {
    for (const timezone of ['UTC', 'Asia/Kolkata', 'America/Los_Angeles']) {
      for (let hour = 0; hour < 24; hour += 3) {
        const epoch = EPOCH + hour * 3600;
        const kinds = demoSeries({ theme, epoch, timezone }).flatMap((one) =>
          one.incidents(epoch - 3 * DAY, epoch).map(({ kind }) => kind),
        );
        expect([...new Set(kinds)].sort()).toEqual([...AGAIN].sort());
      }
    }
  });

  it('has new trouble at least every two hours, also 400 days later', () => {
    for (const from of [EPOCH, EPOCH + 400 * DAY]) {
      const live = series
        .flatMap((one) => one.incidents(from, from + 7 * DAY))
        .filter(({ kind }) => kind !== 'missed_job')
        .sort((a, b) => a.from - b.from);
      for (let i = 1; i < live.length; i++) {
        expect(live[i]!.from - live[i - 1]!.from).toBeLessThanOrEqual(7200);
        expect(live[i]!.from).toBeGreaterThanOrEqual(live[i - 1]!.until);
      }
      expect(new Set(live.map(({ kind }) => kind)).size).toBe(AGAIN.length - 1);
    }
  });
});

describe('the plans of the themes', () => {
  it.each([
    ['shop', SHOP],
    ['factory', FACTORY],
  ])('of the %s contain only existing models and a prime number of live troubles', (_, theme) => {
    const keys = theme.models.map(({ key }) => key);
    const named = [...theme.history.map(([, model]) => model), ...theme.live.map(([model]) => model), theme.job.model];
    expect(named.filter((key) => !keys.includes(key))).toEqual([]);
    expect(isPrime(theme.live.length)).toBe(true);
  });
});

describe('the factory', () => {
  const series = demoSeries({ theme: 'factory', epoch: EPOCH, timezone: ZONE });
  const named = (name: string): SyntheticSeries => series.find((one) => one.name.startsWith(name))!;

  it.each<[string, number, number]>([
    ['line-1.scrap_parts', 0, 60],
    ['camera_reject_percent', 0.5, 20],
    ['press.2.cycle_seconds', 9, 20],
    ['furnace_temperature', 820, 880],
    ['spindle_vibration', 0.3, 6],
    ['coolant_temperature', 15, 48],
    ['site.north.power_kw', 80, 1500],
    ['compressed_air', 5, 8],
    ['tank.oil', 20, 95],
    ['plc_scan', 8, 45],
    ['hall_humidity', 35, 80],
    ['conveyor.main', 8, 20],
    ['line-1.operator_calls', 0, 40],
    ['paint-shop.rinse', 0, 280],
  ])('has %s with values between %d and %d', (name, low, high) => {
    const { values } = seriesColumns(named(name), HISTORY, EPOCH + 2 * DAY, 60);
    expect(values.every(Number.isFinite)).toBe(true);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(low);
    expect(Math.max(...values)).toBeLessThanOrEqual(high);
  });

  it('works in shifts: on weekdays until 22:00, on Saturdays until 14:00, not on Sundays', () => {
    // Power of an hour in Berlin, two hours ahead of UTC; 6 October 2025 is a Monday.
    const power = (day: number, hour: number): number => {
      const from = Date.UTC(2025, 9, day, hour - 2) / 1000;
      const { values } = seriesColumns(named('site.north.power_kw'), from, from + 3600, 60);
      return values.reduce((sum, value) => sum + value, 0) / values.length;
    };
    expect(power(6, 12)).toBeGreaterThan(3 * power(6, 3));
    expect(power(6, 20)).toBeGreaterThan(3 * power(6, 23));
    expect(power(4, 12)).toBeGreaterThan(3 * power(4, 16));
    expect(power(5, 12)).toBeLessThan(400);
  });

  it('has an energy meter that decreases only at restarts', () => {
    const { values } = seriesColumns(named('energy_meter'), HISTORY, EPOCH, 60);
    const falls = values.filter((value, i) => i > 0 && value < values[i - 1]!);
    expect(falls.length).toBeLessThan(8);
  });
});
