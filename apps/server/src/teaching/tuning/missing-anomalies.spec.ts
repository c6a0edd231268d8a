import { countMissing, type Span } from './tuning-preview.service.js';

const spans = (metric: string, ...times: [number, number | null][]): Span[] =>
  times.map(([from, until]) => ({ metric, from, until }));

describe('countMissing', () => {
  it('counts anomalies that no anomaly of the same metric overlaps or touches', () => {
    const before = [...spans('a', [10, 20], [30, 40], [90, null]), ...spans('b', [10, 20])];
    expect(countMissing(before, before)).toBe(0);
    expect(countMissing(before, [])).toBe(4);
    expect(countMissing(before, spans('a', [20, 30], [200, 210]))).toBe(1);
    expect(countMissing(before, spans('a', [21, 29], [50, 60]))).toBe(4);
    expect(countMissing(spans('a', [100, 110]), spans('a', [10, null]))).toBe(0);
  });

  it('reads each anomaly a limited number of times', () => {
    const count = 20_000;
    let looks = 0;
    const many = Array.from({ length: count }, (_, place): Span => {
      const from = 10 * place;
      return {
        metric: 'a',
        get from() {
          looks++;
          return from;
        },
        until: from + 5,
      };
    });
    expect(countMissing(many, many)).toBe(0);
    expect(looks).toBeLessThan(60 * count);
  });
});
