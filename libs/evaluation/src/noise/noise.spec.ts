import { anomaliesByScore } from '#libs/baselines';
import { noiseFigures } from './noise-figures.js';
import { type NoiseContestant, noisePair, runNoiseTrial } from './noise-trial.js';

describe('noise figures', () => {
  const pair = noisePair('daily', 1);
  const always: NoiseContestant = {
    name: 'every three hours',
    anomaliesOf: (timestamps) =>
      Array.from({ length: timestamps.length / 180 }, (_, i) => ({ first: i * 180, last: i * 180 })),
  };
  const never: NoiseContestant = { name: 'never', anomaliesOf: () => [] };
  const knowing: NoiseContestant = {
    name: 'knows, five minutes late',
    anomaliesOf: (_, values) =>
      values === pair.anomalous.values ? pair.troubles.map(({ from }) => ({ first: from + 5, last: from + 5 })) : [],
  };

  it('count anomalies only after the days of learning', () => {
    const trial = runNoiseTrial(pair, always);
    expect(trial.days).toBe(14);
    expect(trial.opened).toBe(14 * 8);
    expect(noiseFigures([trial]).openedPerDay).toBeCloseTo(8000, 6);
  });

  it('find nothing for a detector that never opens an anomaly', () => {
    const figures = noiseFigures([runNoiseTrial(pair, never)]);
    expect(figures).toMatchObject({ openedPerDay: 0, found: 0, medianDelaySeconds: null });
    expect(figures.visible).toBeGreaterThan(0);
  });

  it('measure the delay from the start of the trouble', () => {
    const figures = noiseFigures([runNoiseTrial(pair, knowing)]);
    expect(figures.found).toBe(figures.visible);
    expect(figures.medianDelaySeconds).toBe(300);
  });

  it('combine close rows over the threshold into one anomaly', () => {
    const scores = Float64Array.from([0, 1, 0, 1, 0, 0, 0, 0, 1]);
    expect(anomaliesByScore(scores, 0.5, 3)).toEqual([
      { first: 1, last: 3 },
      { first: 8, last: 8 },
    ]);
  });
});
