import { MINUTE_PACE } from './labelled-series.js';
import { labelledNormalRows, nabNormalRows } from './normal-rows.js';

it('nabNormalRows excludes the probation and the windows', () => {
  // 15 % of 20 rows are 3.
  const normal = nabNormalRows(20, [
    { first: 2, last: 4 },
    { first: 18, last: 19 },
  ]);
  expect(Array.from(normal).join('')).toBe('00000111111111111100');
});

it('labelledNormalRows excludes the warm-up and the labelled rows', () => {
  const labels = new Uint8Array(20);
  labels[10] = 1;
  expect(Array.from(labelledNormalRows(labels, MINUTE_PACE)).join('')).toBe('00011111110111111111');
});
