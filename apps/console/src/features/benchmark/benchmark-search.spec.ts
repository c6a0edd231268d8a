import { readLabels, validateBenchmarkSearch, writeLabels } from './benchmark-search.js';
import { joined, labelOf } from './labels.js';

const T = 1_760_000_000;

describe('labels in the URL', () => {
  it.each([
    [[]],
    [[[T, T + 600]]],
    [
      [
        [T, T],
        [T + 60, T + 3600],
        [T + 90_000, T + 90_001],
      ],
    ],
  ] as [[number, number][]][])('survive a round trip: %j', (labels) => {
    const text = writeLabels(labels);
    expect(text).toMatch(/^[0-9a-z._]+$/);
    expect(readLabels(text)).toEqual(labels);
  });

  it('fit with the maximum number of labels, and reject one more', () => {
    const labels = Array.from({ length: 500 }, (_, i) => [T + i * 86_400, T + i * 86_400 + 3600] as const);
    const text = writeLabels(labels);
    expect(text.length).toBeLessThan(7000);
    expect(readLabels(text)).toEqual(labels);
    expect(readLabels(`${text}_1.1`)).toBeNull();
  });

  it.each(['1', 'a.b.c', '-1.2', 'x', '.', 'A.B', '123456789.1'])('are null for invalid text: %s', (text) => {
    expect(readLabels(text)).toBeNull();
  });
});

describe('the URL of a benchmark', () => {
  it('keeps valid members', () => {
    const search = { with: 'q7V', model: 'plumbline', sort: 'recall', reverse: true, found: 'false', labels: 'none' };
    expect(validateBenchmarkSearch(search)).toEqual(search);
  });

  it('drops invalid members', () => {
    const search = { with: '', model: 'oracle', sort: 'beauty', reverse: 'yes', found: 'all', labels: '?' };
    expect(validateBenchmarkSearch(search)).toEqual({});
  });

  it('accepts a numeric id and the boolean false', () => {
    expect(validateBenchmarkSearch({ with: 12, found: false })).toEqual({ with: '12', found: 'false' });
  });
});

describe('a label', () => {
  it('is clamped to the time range of the series, in whole seconds', () => {
    expect(labelOf({ from: 10.4, until: 99.6 }, { from: 20, until: 200 })).toEqual([20, 100]);
    expect(labelOf({ from: 300, until: 400 }, { from: 20, until: 200 })).toBeNull();
  });

  it('is merged with overlapping labels', () => {
    expect(
      joined([
        [50, 60],
        [10, 20],
        [15, 30],
        [30, 35],
      ]),
    ).toEqual([
      [10, 35],
      [50, 60],
    ]);
  });
});
