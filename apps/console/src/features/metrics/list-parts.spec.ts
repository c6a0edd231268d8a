import { PAGE_SIZE, partOf, reachableRows } from './list-parts.js';

const MAX_SKIPPED = 100_000;

describe('a page of a long list', () => {
  it('is read from the start up to the maximum offset', () => {
    expect(partOf(0, 200_000)).toEqual({ offset: 0, limit: 200, reverse: false });
    expect(partOf(500, 200_000)).toEqual({ offset: 100_000, limit: 200, reverse: false });
  });

  it('is read from the end beyond the maximum offset', () => {
    expect(partOf(501, 200_000)).toEqual({ offset: 99_600, limit: 200, reverse: true });
    expect(partOf(999, 200_000)).toEqual({ offset: 0, limit: 200, reverse: true });
  });

  it('is limited to the remaining rows at the end of the list', () => {
    expect(partOf(1000, 200_010)).toEqual({ offset: 0, limit: 10, reverse: true });
  });
});

describe('the reachable rows', () => {
  it.each([0, 150, 100_200, 200_000, 200_400])('are all rows of a list of %d', (total) => {
    expect(reachableRows(total)).toBe(total);
  });

  it('are the first ones when both ends together do not reach all rows', () => {
    expect(reachableRows(200_401)).toBe(100_200);
  });

  it.each([201, 99_999, 100_201, 150_000, 200_399, 200_400])(
    'are requested exactly once each for a list of %d',
    (total) => {
      let asked = 0;
      for (let page = 0; page * PAGE_SIZE < reachableRows(total); page++) {
        const { offset, limit, reverse } = partOf(page, total);
        const first = reverse ? total - offset - limit : offset;
        expect(first).toBe(page * PAGE_SIZE);
        expect(offset).toBeLessThanOrEqual(MAX_SKIPPED);
        asked += Math.min(limit, total - first);
      }
      expect(asked).toBe(total);
    },
  );
});
