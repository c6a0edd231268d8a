import { detectSeries } from '../../detect-series.js';
import { DAY, normal, START } from '../../testing/index.js';

const STEP = 60;
const DAYS = 37;
/** A Wednesday, and ten in the morning of that day. The series begins on a Wednesday, too. */
const ODD_DAY = 35;
const TEN = ODD_DAY * DAY + 10 * 3600;

const isWeekend = (since: number): boolean => [3, 4].includes(Math.floor(since / DAY) % 7);
const business = (since: number): number => {
  const hour = (since % DAY) / 3600;
  return (0.5 - 0.5 * Math.cos((2 * Math.PI * (hour - 4)) / 24)) * (isWeekend(since) ? 0.35 : 1);
};

/**
 * Anomalies that opened from the odd day on, and hours open in it. In business weeks, the odd day has only a share of
 * the usual rise.
 */
function found(seed: number, share: (since: number) => number) {
  const noise = normal(seed);
  const since = Float64Array.from({ length: (DAYS * DAY) / STEP }, (_, row) => row * STEP);
  const values = since.map((at) => 50 + 100 * business(at) * (at >= ODD_DAY * DAY ? share(at) : 1) + 4 * noise());
  const { anomalies, anomalous } = detectSeries(
    since.map((at) => START + at),
    values,
    { type: 'gauge', slotSeconds: STEP },
  );
  const day = anomalies.filter(({ startTimestamp }) => startTimestamp >= START + ODD_DAY * DAY);
  const rows = anomalous.subarray((ODD_DAY * DAY) / STEP).filter((is) => is === 1).length;
  return { opened: day.filter(({ type }) => type === 'opened'), day, hours: (rows * STEP) / 3600 };
}

const ofDay = (share: number) => (at: number) => (at < (ODD_DAY + 1) * DAY ? share : 1);

describe('detection by the season', () => {
  it('opens an anomaly for most of a working day that looks like a weekend', () => {
    for (const seed of [1, 2]) {
      const { opened, hours } = found(seed, ofDay(0.5));
      expect(opened.length).toBeGreaterThan(0);
      expect(hours).toBeGreaterThan(12);
    }
  });

  it('explains a decline over hours by the mean over 30 minutes', () => {
    const slide = (at: number): number => (at < TEN ? 1 : Math.max(0.4, 1 - (0.15 * (at - TEN)) / 3600));
    const { day } = found(3, (at) => (at < (ODD_DAY + 1) * DAY ? slide(at) : 1));
    const explanation = day.flatMap((event) => event.explanation).find(({ test }) => test === 'time_of_day');
    expect(explanation?.text).toMatch(
      /^Its mean over 30 minutes, [\d.]+, is below the usual [\d.]+ to [\d.]+ at this time/,
    );
  });

  it('opens nothing on an ordinary day', () => {
    expect(found(4, ofDay(1)).opened).toHaveLength(0);
  });
});
