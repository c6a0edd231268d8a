import { parseDuration, parseSeconds, parseTime } from './durations.js';

describe('parseDuration', () => {
  it.each([
    ['0', 0],
    ['5m', 300],
    ['1h30m', 5400],
    ['1d', 86_400],
    ['1w', 604_800],
    ['1y', 31_536_000],
    ['250ms', 0.25],
    ['1m500ms', 60.5],
    ['1y2w3d4h5m6s7ms', 33_019_506.007],
  ])('parses %s as %d s', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  it.each(['', '5', 'm', '5m1h', '5m5m', '1.5h', '-5m', '5 m', '5M', '999999999999y', '1m'.repeat(40)])(
    'returns undefined for %j',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );
});

describe('parseSeconds', () => {
  it.each([
    ['15', 15],
    ['0.5', 0.5],
    ['1e2', 100],
    ['1m', 60],
    ['-1', -1],
  ])('parses %s as %d', (text, seconds) => {
    expect(parseSeconds(text)).toBe(seconds);
  });

  it.each(['', 'x', 'NaN', 'Inf', '1e30', '0x10', '1_000'])('returns undefined for %j', (text) => {
    expect(parseSeconds(text)).toBeUndefined();
  });
});

describe('parseTime', () => {
  it.each([
    ['1760000000', 1_760_000_000],
    ['1760000000.781', 1_760_000_000.781],
    ['1.76e9', 1_760_000_000],
    ['2025-10-09T08:53:20Z', 1_760_000_000],
    ['2025-10-09T08:53:20.5Z', 1_760_000_000.5],
    ['2025-10-09T10:53:20+02:00', 1_760_000_000],
    ['2025-10-09t08:53:20.123456789z', 1_760_000_000.123],
  ])('parses %s as %d', (text, seconds) => {
    expect(parseTime(text)).toBe(seconds);
  });

  it.each(['', 'now', '2025-10-09', '2025-10-09T08:53:20', '2025-13-09T08:53:20Z', '1e300', 'Infinity'])(
    'returns undefined for %j',
    (text) => {
      expect(parseTime(text)).toBeUndefined();
    },
  );
});
