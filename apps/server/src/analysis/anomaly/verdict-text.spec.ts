import { type Anomaly } from './anomaly.types.js';
import { explanationOf } from './verdict-text.js';

describe('what would not have opened', () => {
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
    // Its own duration begins when it opens, which is after the time that it takes to open.
    [
      'flatline',
      { side: null, value: null, opensAt: null, seconds: 1800 },
      'if the value had changed within 30 minutes.',
    ],
  ] as const)('is told of a %s', (kind, counterfactual, text) => {
    expect(textOf(kind, counterfactual)).toBe(`It would not have opened ${text}`);
  });
});
