import { detectSeries } from '#libs/detection';
import { dailySine, differenceOfEvents, during, series, START, white } from '#libs/detection/testing';
import { LearntSeries } from './learnt-series.js';

describe('LearntSeries', () => {
  it('reports the same anomalies as a run over the whole series', () => {
    const learnt = new LearntSeries(dailySine(1), { learntDays: 4, restDays: 1 });
    const from = learnt.end + 3600;
    const episode = learnt.episode(from, 30, (x) => x + 20, 60);
    const rows = series(
      4 + 150 / 1440,
      60,
      during(dailySine(1), 4 + 1 / 24, 30, (x) => x + 20),
    );
    const whole = detectSeries(rows.timestamps, rows.values, { type: 'gauge', slotSeconds: 60, seriesId: 1 });
    const last = whole.anomalies.filter(({ type }) => type === 'closed');
    expect(last.length).toBeGreaterThan(0);
    const closed = episode.anomalies.map(({ event }) => event);
    expect(differenceOfEvents(closed, last.slice(-closed.length))).toBeUndefined();
  });

  it('returns anomalies by the time at which they opened, were open, or covered a period', () => {
    const learnt = new LearntSeries(white(2), { learntDays: 3, restDays: 1 });
    const from = learnt.end + 7200;
    const episode = learnt.episode(from, 60, (x) => x + 40);
    expect(episode.anomalies).toHaveLength(1);
    const [anomaly] = episode.anomalies;
    expect(anomaly).toBe(episode.openedIn(from, from + 600));
    expect(anomaly).toBe(episode.openAt(from + 1800));
    expect(anomaly).toBe(episode.covering(from, from + 3600));
    expect(anomaly!.closedAt).toBeGreaterThan(from + 3600);
    expect(episode.openAt(from - 60)).toBeUndefined();
    expect(episode.openedIn(START, from)).toBeUndefined();
  });

  it('skips missing rows, so that missing data is reported', () => {
    const learnt = new LearntSeries(white(3), { learntDays: 3, restDays: 1 });
    const { anomalies } = learnt.episode(learnt.end, 60, () => undefined);
    expect(anomalies.map(({ event }) => event.kind)).toEqual(['missing_data']);
    expect(anomalies[0]!.openedAt).toBeLessThan(learnt.end + 3600);
  });

  it('starts every episode from the same state', () => {
    const learnt = new LearntSeries(white(4), { learntDays: 3, restDays: 1 });
    const once = learnt.episode(learnt.end, 20, (x) => x - 30);
    learnt.episode(learnt.end, 1000, (x) => 100 * x);
    expect(learnt.episode(learnt.end, 20, (x) => x - 30)).toEqual(once);
  });
});
