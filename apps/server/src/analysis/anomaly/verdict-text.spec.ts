import { type Anomaly } from './anomaly.types.js';
import { explanationOf } from './verdict-text.js';

describe('explanationOf', () => {
  const textOf = (kind: string, counterfactual: Parameters<typeof explanationOf>[1]): string =>
    explanationOf(
      { kind, value: 61, expected: 54, startTimestamp: 1_760_000_000 } as unknown as Anomaly,
      counterfactual,
      null,
      { timezone: 'UTC', unit: null },
    )[0]!.text;

  it.each([
    [
      'spike',
      { side: 'below', value: 118, opensAt: 119, seconds: 180 },
      'below 118, or if it had lasted less than 3 minutes.',
    ],
    ['dip', { side: 'above', value: 2, opensAt: 1, seconds: null }, 'above 2.'],
    ['missing_data', { side: null, value: null, opensAt: null, seconds: 7200 }, 'if it had lasted less than 2 hours.'],
    // A flatline opens only after a duration of its own, so it states how long the value may stay the same.
    [
      'flatline',
      { side: null, value: null, opensAt: null, seconds: 1800 },
      'if the value had changed within 30 minutes.',
    ],
  ] as const)('states what would have prevented a %s', (kind, counterfactual, text) => {
    expect(textOf(kind, counterfactual)).toBe(`It would not have opened ${text}`);
  });
});
