import { baseName, pagesOf } from './series-window.js';

describe('baseName', () => {
  it.each([
    ['up{job="a"}', { job: 'a' }, 'up'],
    ['a.b', {}, 'a.b'],
    ['odd{name', {}, 'odd{name'],
  ])('returns the name before the labels of %s', (name, labels, base) =>
    expect(baseName(name, labels as Record<string, string>)).toBe(base),
  );
});

describe('pagesOf', () => {
  it('returns the pages that contain the visible rows', () => {
    expect(pagesOf(95, 130, 100)).toEqual([0, 1]);
    expect(pagesOf(-3, 5, 100)).toEqual([0]);
  });
});
