import { detectSeries } from '#libs/detection';
import { type QuietKind } from '#libs/synthetic';
import { NOISE_LEARNT_DAYS, noisePair } from './noise-trial.js';

/** Days since the start at which anomalies open, after the days of learning. */
function daysOpened(kind: QuietKind, seed: number, stepSeconds = 60): number[] {
  const { timestamps, values } = noisePair(kind, seed, stepSeconds).quiet;
  return detectSeries(timestamps, values, { type: 'gauge' })
    .anomalies.filter(({ type }) => type === 'opened')
    .map(({ startTimestamp }) => (startTimestamp - timestamps[0]!) / 86_400)
    .filter((day) => day >= NOISE_LEARNT_DAYS);
}

describe('detectSeries on ordinary series', () => {
  it.each([6, 13])('opens nothing, also on weekends (weekly %i)', (seed) => {
    expect(daysOpened('weekly', seed)).toEqual([]);
  });

  it.each([6, 7, 8, 11, 12, 17])('opens nothing for a job that begins early or late (nightly_job %i)', (seed) => {
    expect(daysOpened('nightly_job', seed)).toEqual([]);
  });

  it.each([2, 5, 10])(
    'opens at most one anomaly for single latencies with a Pareto tail (heavy_latency %i)',
    (seed) => {
      expect(daysOpened('heavy_latency', seed).length).toBeLessThanOrEqual(1);
    },
  );

  /** Anomalies of eight series of a kind over 112 judged days. */
  const openedInEight = (kind: QuietKind, stepSeconds: number): number =>
    [1, 2, 3, 4, 5, 6, 7, 8].flatMap((seed) => daysOpened(kind, seed, stepSeconds)).length;

  it.each([300, 900, 3600])(
    'opens at most three anomalies for eight disks that are cleaned sometimes, in rows of %i seconds',
    (stepSeconds) => {
      expect(openedInEight('disk', stepSeconds)).toBeLessThanOrEqual(3);
    },
  );

  it('opens at most six anomalies for bursts twice a day in eight series, in rows of five minutes', () => {
    expect(openedInEight('bursty_processor', 300)).toBeLessThanOrEqual(6);
  });
});
