import { describe, expect, it } from '@jest/globals';
import { BUDGETS, lanesOf, MIN_DURATIONS, missingFrom, nearestStep, SENSITIVITIES } from './tuning-fields';

const anomaly = (metric: string, from: number) =>
  ({ metric, from, until: from + 60, kind: 'spike', severity: 50 }) as const;

describe('nearestStep', () => {
  it('returns the mark of a value, or the nearest one by ratio', () => {
    expect(SENSITIVITIES[nearestStep(SENSITIVITIES, 0.5)]).toBe(0.5);
    expect(SENSITIVITIES[nearestStep(SENSITIVITIES, 0.6)]).toBe(0.7);
    expect(MIN_DURATIONS[nearestStep(MIN_DURATIONS, 0)]).toBe(0);
    expect(MIN_DURATIONS[nearestStep(MIN_DURATIONS, 240)]).toBe(300);
  });

  it('returns the mark of the default for null', () => {
    expect(nearestStep(BUDGETS, null)).toBe(0);
    expect(BUDGETS[nearestStep(BUDGETS, 1)]).toBe(1);
  });
});

describe('a replay', () => {
  const before = [anomaly('a', 100), anomaly('a', 900), anomaly('b', 500)];
  const after = [anomaly('a', 900), anomaly('c', 300)];

  it('lists removed and added anomalies', () => {
    expect(missingFrom(before, after)).toEqual([anomaly('a', 100), anomaly('b', 500)]);
    expect(missingFrom(after, before)).toEqual([anomaly('c', 300)]);
  });

  it('has one lane per metric, noisiest first', () => {
    expect(lanesOf(before, after).map(({ metric }) => metric)).toEqual(['a', 'b', 'c']);
    expect(lanesOf(before, after)[2]).toMatchObject({ before: [], after: [anomaly('c', 300)] });
  });
});
