import { normal } from '../testing/generators.js';
import { noveltyOf, rememberValue } from './novelty.js';
import { createRecord } from './reset-record.js';

function seen(values: Iterable<number>) {
  const record = createRecord();
  for (const value of values) rememberValue(record, value);
  return record;
}

const noise = (count: number): number[] => {
  const next = normal(1);
  return Array.from({ length: count }, () => next());
};

describe('novelty', () => {
  it('is nothing for a value seen before, however rare', () => {
    expect(noveltyOf(seen([...noise(3000), 40]), 40)).toBe(0);
  });

  it('grows with the distance to the nearest value seen, outside and in gaps', () => {
    const record = seen([...noise(3000), 100]);
    expect(noveltyOf(record, 50)).toBeGreaterThan(noveltyOf(record, 10));
    expect(noveltyOf(record, 300)).toBeGreaterThan(noveltyOf(record, 120));
    expect(noveltyOf(record, -300)).toBeGreaterThan(4);
  });

  it('is unknown before twenty values and for a constant', () => {
    expect(noveltyOf(seen([1, 2, 3]), 100)).toBe(0);
    expect(noveltyOf(seen(Array<number>(500).fill(7)), 100)).toBe(0);
  });

  it('forgets after two epochs', () => {
    const record = seen([...noise(100), 40]);
    for (const value of noise(40_000)) rememberValue(record, value);
    expect(noveltyOf(record, 38)).toBeGreaterThan(3);
  });

  it('takes absurd values', () => {
    const record = seen([...noise(200), 1e36, -1e36, 1e-300]);
    expect(Number.isFinite(noveltyOf(record, 5e35))).toBe(true);
  });
});
