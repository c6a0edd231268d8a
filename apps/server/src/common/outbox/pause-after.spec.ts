import { pauseAfter } from './pause-after.js';

it('pauseAfter doubles up to five minutes, with a random half', () => {
  expect([1, 2, 3, 7, 50].map((failures) => pauseAfter(failures, 1))).toEqual([5, 10, 20, 300, 300]);
  expect([1, 2, 3, 7, 50].map((failures) => pauseAfter(failures, 0))).toEqual([2.5, 5, 10, 150, 150]);
});
