import { F } from './layout.js';
import { createRecord } from './reset-record.js';
import { daysApart, severityOf } from './severity.js';

const HOUR = 3600;
const DAY = 86_400;

describe('severity', () => {
  it('of a long outage is critical, however often the series alarms', () => {
    for (const days of [1, 5, 30]) expect(severityOf(1, 50, 8 * HOUR, days)).toBeGreaterThanOrEqual(75);
  });

  it('of single rows is critical only where they are far out and rare', () => {
    expect(severityOf(1, 20, 0, 20)).toBeGreaterThanOrEqual(75);
    expect(severityOf(1, 20, 0, 5)).toBeLessThan(75);
    expect(severityOf(0.8, 3, 0, 20)).toBeLessThan(75);
  });

  it('knows how rare anomalies are by the history of the series, 20 days at most', () => {
    const { f } = createRecord();
    f[F.firstAnalysed] = 0;
    f[F.longEpisodes] = 1;
    expect(daysApart(f, 2 * DAY)).toBe(2);
    expect(daysApart(f, 90 * DAY)).toBe(20);
    f[F.longEpisodes] = 4;
    expect(daysApart(f, 90 * DAY)).toBe(5);
  });
});
