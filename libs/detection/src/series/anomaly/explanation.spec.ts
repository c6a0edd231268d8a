import { ANOMALY_KINDS, type AnomalyKind } from '#libs/contracts';
import { STANDS_STILL } from '../judgement/evidence.js';
import { explain } from './explanation.js';
import { B, F, DID_NOT_COME } from '../record/layout.js';
import { createRecord } from '../reset-record.js';
import { detectSeries } from '../../detect-series.js';
import { dailySine, during, series } from '../../testing/generators.js';

/** The tests of an anomaly that stays at 27 although the day expects 26.3. */
function testsOf(kind: AnomalyKind): string[] {
  const record = createRecord();
  const { f, b } = record;
  b[B.kind] = ANOMALY_KINDS.indexOf(kind);
  b[B.offTime] = DID_NOT_COME;
  f[F.missedValue] = 26.3;
  f[F.firstValue] = f[F.peakValue] = 27;
  b[B.peakWhich] = STANDS_STILL;
  f[F.score] = 0.8;
  return explain(record).map(({ test }) => test);
}

describe('an explanation', () => {
  it('of a flat line begins with the frozen value, without the time of day', () => {
    expect(testsOf('flatline')[0]).toBe('frozen_value');
    expect(testsOf('flatline')).not.toContain('time_of_day');
  });

  it('of a missing value names only the time of day', () => {
    expect(testsOf('seasonal_break').filter((test) => test !== 'rarity')).toEqual(['time_of_day']);
  });

  it.each([
    [0, 'it dropped to '],
    [50, 'it jumped to '],
  ])('of a sudden step to %d begins with its direction', (to, text) => {
    const record = createRecord();
    const { f, b } = record;
    b[B.kind] = ANOMALY_KINDS.indexOf(to < 27 ? 'level_shift_down' : 'level_shift_up');
    b[B.peakIsSudden] = 1;
    f[F.firstValue] = f[F.peakValue] = to;
    f[F.peakDeviation] = to - 27;
    [f[F.lower], f[F.upper]] = [26, 28];
    [f[F.rangeBeforeMin], f[F.rangeBeforeMax]] = [26, 28];
    f[F.score] = 0.8;
    const step = explain(record).find(({ test }) => test === 'step');
    expect(step?.parts?.[0]).toBe(text);
  });

  it('of a constant value far outside the range begins with the range', () => {
    const outage = series(
      4,
      60,
      during(dailySine(3), 3.5, 40, () => -60),
    );
    const { anomalies } = detectSeries(outage.timestamps, outage.values, { type: 'gauge' });
    const tests = anomalies.at(-1)!.explanation.map(({ test }) => test);
    expect(tests[0]).not.toBe('frozen_value');
    expect(tests).toContain('frozen_value');
  });
});
