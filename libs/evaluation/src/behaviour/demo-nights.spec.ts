import { detectSeries } from '#libs/detection';
import { demoSeries, demoStory, type DemoOptions, seriesColumns } from '#libs/synthetic';

const HOUR = 3600;
const DAY = 24 * HOUR;
const NEAR_SECONDS = 600;
const MIDNIGHT = Date.UTC(2026, 10, 23) / 1000;

/** Of the first two nights after a day of data: those that are one anomaly for two thirds of their length at least. */
function nightsFound(options: DemoOptions): number {
  const { job, beginsAt } = demoStory(options);
  const series = demoSeries(options).find(({ name }) => name === job.metric)!;
  const { timestamps, values } = seriesColumns(series, beginsAt, beginsAt + 4 * DAY, 60);
  const { anomalies } = detectSeries(timestamps, values, { type: series.type, slotSeconds: 60 });
  return job
    .runs(beginsAt + DAY, beginsAt + 4 * DAY)
    .slice(0, 2)
    .filter((night) =>
      anomalies.some(({ startTimestamp, endTimestamp }) => {
        const isNear = Math.abs(startTimestamp - night.from) <= NEAR_SECONDS;
        return isNear && endTimestamp !== null && endTimestamp - startTimestamp >= (2 / 3) * (night.until - night.from);
      }),
    ).length;
}

// A newcomer starts the product at any hour: the demo teaches one of these nights.
describe.each(['shop', 'factory'] as const)('the nightly job of the demo %s', (theme) => {
  it.each(Array.from({ length: 24 }, (_, hour) => hour))('is found whole for a start at %i:22', (hour) => {
    const epoch = MIDNIGHT + hour * HOUR + 22 * 60;
    expect(nightsFound({ epoch, theme })).toBeGreaterThan(0);
  });

  it('never runs in the first hours of the history, which is ten days otherwise', () => {
    for (let minute = 0; minute < 24 * 60; minute += 7) {
      const epoch = MIDNIGHT + minute * 60;
      const { beginsAt, job } = demoStory({ epoch, theme });
      const [first] = job.runs(beginsAt - HOUR / 2, epoch);
      expect(first!.from - beginsAt).toBeGreaterThanOrEqual(6 * HOUR);
      expect(epoch - beginsAt).toBeGreaterThanOrEqual(10 * DAY);
      expect(epoch - beginsAt).toBeLessThan(10.5 * DAY);
    }
  });
});
