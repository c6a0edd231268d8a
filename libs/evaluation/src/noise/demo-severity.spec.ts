import { severityLabel } from '#libs/contracts';
import { detectSeries } from '#libs/detection';
import { DEMO_THEME_NAMES, demoSeries, seriesColumns } from '#libs/synthetic';

const DAY = 86_400;
const EPOCH = 1_760_054_400;

describe('the demo with trouble every 90 minutes', () => {
  it.each(DEMO_THEME_NAMES)('has at most 10 % critical and more than 50 % major anomalies (%s)', (theme) => {
    const severities = demoSeries({ epoch: EPOCH, theme }).flatMap((series) => {
      const { timestamps, values } = seriesColumns(series, EPOCH, EPOCH + 10 * DAY, 60);
      const { anomalies } = detectSeries(timestamps, values, { type: series.type, slotSeconds: 60 });
      return [...new Map(anomalies.map((event) => [event.startTimestamp, event.severity])).values()];
    });
    const shareOf = (label: string): number =>
      severities.filter((severity) => severityLabel(severity) === label).length / severities.length;
    expect(severities.length).toBeGreaterThan(50);
    expect(shareOf('critical')).toBeLessThanOrEqual(0.1);
    // The first watcher of an organisation alerts on these.
    expect(shareOf('major')).toBeGreaterThan(0.5);
  });
});
