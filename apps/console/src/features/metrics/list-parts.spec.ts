import { PAGE_SIZE, partOf, reachableRows } from './list-parts.js';

const MAX_SKIPPED = 100_000;

describe('a page of a long list', () => {
  it('is read from the beginning as far as that goes', () => {
    expect(partOf(0, 200_000)).toEqual({ offset: 0, limit: 200, reverse: false });
    expect(partOf(500, 200_000)).toEqual({ offset: 100_000, limit: 200, reverse: false });
  });

  it('is read from the end beyond that', () => {
    expect(partOf(501, 200_000)).toEqual({ offset: 99_600, limit: 200, reverse: true });
    expect(partOf(999, 200_000)).toEqual({ offset: 0, limit: 200, reverse: true });
  });

  it('has at the end of the list as many rows as there are', () => {
    expect(partOf(1000, 200_010)).toEqual({ offset: 0, limit: 10, reverse: true });
  });
});

describe('the rows that can be reached', () => {
  it.each([0, 150, 100_200, 200_000, 200_400])('are all of %d', (total) => {
    expect(reachableRows(total)).toBe(total);
  });

  it('are the first ones of lists that are too long for both ends', () => {
    expect(reachableRows(200_401)).toBe(100_200);
  });

  it.each([201, 99_999, 100_201, 150_000, 200_399, 200_400])('of %d are each asked for once', (total) => {
    let asked = 0;
    for (let page = 0; page * PAGE_SIZE < reachableRows(total); page++) {
      const { offset, limit, reverse } = partOf(page, total);
      const first = reverse ? total - offset - limit : offset;
      expect(first).toBe(page * PAGE_SIZE);
      expect(offset).toBeLessThanOrEqual(MAX_SKIPPED);
      asked += Math.min(limit, total - first);
    }
    expect(asked).toBe(total);
  });
});
