import { type AnomalyEvent, detectSeries } from '#libs/detection';
import { demoSeries, demoStory, type DemoOptions, seriesColumns } from '#libs/synthetic';

const HOUR = 3600;
const MIDNIGHT = Date.UTC(2026, 10, 23) / 1000;

interface Documented {
  from: number;
  until: number;
  /** Anomalies, in their last state, that overlap the trouble or begin within half an hour after it. */
  anomalies: AnomalyEvent[];
}

/** Trouble of a kind in the series of the demo, and the anomalies reported for it. */
function troubleOf(kind: string, options: DemoOptions): Documented[] {
  const { beginsAt } = demoStory(options);
  return demoSeries(options).flatMap((series) => {
    const trouble = series.incidents(beginsAt, options.epoch).filter((one) => one.kind === kind);
    if (trouble.length === 0) return [];
    const { timestamps, values } = seriesColumns(series, beginsAt, options.epoch, 60);
    const last = new Map<number, AnomalyEvent>();
    for (const event of detectSeries(timestamps, values, { type: series.type, slotSeconds: 60 }).anomalies) {
      last.set(event.startTimestamp, event);
    }
    return trouble.map(({ from, until }) => ({
      from,
      until,
      anomalies: [...last.values()].filter(
        (one) => one.startTimestamp <= until + HOUR / 2 && (one.endTimestamp ?? options.epoch) >= from,
      ),
    }));
  });
}

// New users see these first. The start time decides how much the detector has learnt when trouble begins.
describe.each(['shop', 'factory'] as const)('trouble in the demo %s', (theme) => {
  const starts = [1, 2, 3].flatMap((seed) => [9, 13, 17, 21].map((hour) => [seed, hour] as const));
  const troubles = (kind: string): Documented[] =>
    starts.flatMap(([seed, hour]) =>
      troubleOf(kind, { epoch: MIDNIGHT + hour * HOUR + 28 * 60, seed, theme }).filter(
        ({ anomalies }) => anomalies.length > 0,
      ),
    );

  it('is one anomaly of at least 60 % of its length for at least 90 % of stopped counters', () => {
    const found = troubles('counter_stop');
    expect(found.length).toBeGreaterThan(20);
    const whole = found.filter(({ from, until, anomalies }) => {
      const [first, ...others] = anomalies;
      return others.length === 0 && (first!.endTimestamp ?? 0) - first!.startTimestamp >= 0.6 * (until - from);
    });
    expect(whole.length).toBeGreaterThanOrEqual(0.9 * found.length);
  });

  it('is one seasonal break with an explanation for a missed job, and ends with the time of the job', () => {
    const found = troubles('missed_job');
    expect(found.length).toBeGreaterThan(5);
    for (const { until, anomalies } of found) {
      expect(anomalies.map(({ kind }) => kind)).toEqual(['seasonal_break']);
      const [{ endTimestamp, explanation }] = anomalies as [AnomalyEvent];
      expect(endTimestamp).toBeLessThanOrEqual(until + HOUR);
      expect(explanation[0]!.text).toMatch(
        /^About .+ is usual at this time of day; it did not come, the value stayed at/,
      );
    }
  });
});
