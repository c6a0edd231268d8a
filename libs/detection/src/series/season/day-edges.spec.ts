import { detectSeries } from '../../detect-series.js';
import { DAY, type Generator, series, START, uniform, white, workingDays } from '../../testing/generators.js';
import { opened } from '../../testing/verdicts.js';

const MINUTE = 60;
const DAYS = 14;

/** A slope of a few hours every day, such as the temperature of a room: not a job. */
function room(seed: number): Generator {
  const noise = white(seed);
  return (index, timestamp) =>
    21 + 1.5 * Math.sin((2 * Math.PI * (timestamp % DAY)) / DAY) + 0.06 * noise(index, timestamp);
}

/** Forty minutes around 06:00, fifty noise deviations high, that begin up to a quarter of an hour early or late. */
function jobThatVaries(seed: number): Generator {
  const noise = white(seed);
  const next = uniform(~seed);
  const begins = Array.from({ length: DAYS }, () => DAY / 4 + MINUTE * Math.round(30 * next() - 15));
  return (index, timestamp) => {
    const since = (timestamp % DAY) - begins[Math.floor((timestamp - START) / DAY)]!;
    return (since >= 0 && since < 40 * MINUTE ? 50 : 0) + noise(index, timestamp);
  };
}

describe('detection of daily jobs', () => {
  it('opens almost nothing from the fourth night on for a job that begins early or late', () => {
    const nights = Array.from({ length: 120 }, (_, seed) => {
      const { timestamps, values } = series(DAYS, MINUTE, jobThatVaries(seed + 1));
      return opened(detectSeries(timestamps, values, { type: 'gauge' }), 3).length;
    });
    const most = 0.02 * (DAYS - 3) * nights.length;
    expect(nights.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(most);
  });

  it.each([1, 2, 3])('opens no seasonal break for a daily slope (%i)', (seed) => {
    const { timestamps, values } = series(DAYS, MINUTE, room(seed));
    const missing = opened(detectSeries(timestamps, values, { type: 'gauge' }), 2);
    expect(missing.filter(({ kind }) => kind === 'seasonal_break')).toEqual([]);
  });

  // On a Sunday, the buckets of the day change one by one from values of working days to those of the weekend.
  it.each([
    ['Sunday', 6, 60],
    ['Sunday', 6, -60],
    ['Tuesday', 1, 60],
    ['Tuesday', 1, -60],
  ])('on a %s still opens an anomaly for a change at noon', (_name, weekday, change) => {
    const { timestamps, values } = series(28, MINUTE, workingDays(3));
    const noon = timestamps.findIndex(
      (at, row) => row > 21 * 1440 && (new Date(at * 1000).getUTCDay() + 6) % 7 === weekday && at % DAY === DAY / 2,
    );
    for (let row = noon; row < noon + 10; row++) values[row]! += change;
    const verdicts = detectSeries(timestamps, values, { type: 'gauge' });
    expect(verdicts.anomalous.slice(noon, noon + 10)).toContain(1);
  });
});
