import { readRetryAfter } from './retry-after.js';

describe('readRetryAfter', () => {
  it.each([
    [null, null],
    [undefined, null],
    ['', null],
    ['5', 5],
    [' 1.5 ', 1.5],
    ['-1', 0],
    ['Thu, 01 Jan 1970 00:00:10 GMT', 7],
    ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
    ['later', null],
    ['0x10 of them', null],
    ['9'.repeat(65), null],
  ])('for %p returns %p', (header, want) => expect(readRetryAfter(header, 3)).toBe(want));
});
