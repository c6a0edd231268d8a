import { PeriodError, periodOf } from './period.js';

describe('periodOf', () => {
  it.each([
    ['auto', 'auto'],
    ['none', 0],
    ['90s', 90],
    ['45m', 2700],
    ['12h', 43_200],
    ['1.5h', 5400],
    ['1d', 86_400],
    ['7d', 604_800],
    ['1w', 604_800],
    ['366d', 31_622_400],
  ])('reads %s as %p', (text, want) => expect(periodOf(text)).toBe(want));

  it.each(['', '1', 'd', '1y', '1 d', '-1d', '1D', '1d12h', '0d', '0.1s', '367d', '1e3s', 'daily'])(
    'refuses "%s"',
    (text) => expect(() => periodOf(text)).toThrow(PeriodError),
  );
});
