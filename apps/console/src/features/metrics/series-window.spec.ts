import { baseName, pagesOf } from './series-window.js';

describe('the name before the labels', () => {
  it.each([
    ['up{job="a"}', { job: 'a' }, 'up'],
    ['a.b', {}, 'a.b'],
    ['odd{name', {}, 'odd{name'],
  ])('of %s', (name, labels, base) => expect(baseName(name, labels as Record<string, string>)).toBe(base));
});

describe('pages of rows that are seen', () => {
  it('are those that the rows lie in', () => {
    expect(pagesOf(95, 130, 100)).toEqual([0, 1]);
    expect(pagesOf(-3, 5, 100)).toEqual([0]);
  });
});
