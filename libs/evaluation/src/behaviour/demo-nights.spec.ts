import { detectSeries } from '#libs/detection';
import { demoSeries, demoStory, type DemoOptions, seriesColumns } from '#libs/synthetic';

const HOUR = 3600;
const DAY = 24 * HOUR;
const NEAR_SECONDS = 600;
const MIDNIGHT = Date.UTC(2026, 10, 23) / 1000;

/** For each of the first four nights after a day of data: whether one anomaly has at least two thirds of its length. */
function nightsFound(options: DemoOptions): boolean[] {
  const { job, beginsAt } = demoStory(options);
  const series = demoSeries(options).find(({ name }) => name === job.metric)!;
  const { timestamps, values } = seriesColumns(series, beginsAt, beginsAt + 6 * DAY, 60);
  const { anomalies } = detectSeries(timestamps, values, { type: series.type, slotSeconds: 60 });
  return job
    .runs(beginsAt + DAY, beginsAt + 6 * DAY)
    .slice(0, 4)
    .map((night) =>
      anomalies.some(({ startTimestamp, endTimestamp }) => {
        const isNear = Math.abs(startTimestamp - night.from) <= NEAR_SECONDS;
        return isNear && endTimestamp !== null && endTimestamp - startTimestamp >= (2 / 3) * (night.until - night.from);
      }),
    );
}

// A new user starts the product at any hour, and the demo trains one of these nights.
describe.each(['shop', 'factory'] as const)('the nightly job of the demo %s', (theme) => {
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  it.each(hours)('is found once for training and again for a match, for a start at %i:22', (hour) => {
    const found = nightsFound({ epoch: MIDNIGHT + hour * HOUR + 22 * 60, theme });
    const taught = found.indexOf(true);
    expect([0, 1]).toContain(taught);
    expect(found.slice(taught + 1)).toContain(true);
  });

  it('first runs after one to two days of history', () => {
    for (let minute = 0; minute < 24 * 60; minute += 7) {
      const epoch = MIDNIGHT + minute * 60;
      const { beginsAt, job } = demoStory({ epoch, theme });
      const [first] = job.runs(beginsAt - DAY, epoch);
      expect(first!.from - beginsAt).toBeGreaterThanOrEqual(DAY);
      expect(first!.from - beginsAt).toBeLessThan(2 * DAY);
    }
  });
});
