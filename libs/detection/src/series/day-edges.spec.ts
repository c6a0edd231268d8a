import { detectSeries } from '../detect-series.js';
import { DAY, type Generator, series, white } from '../testing/generators.js';
import { opened } from '../testing/verdicts.js';

const MINUTE = 60;
const DAYS = 14;

/** A slope of a few hours every day, as a room has it: no job. */
function room(seed: number): Generator {
  const noise = white(seed);
  return (index, timestamp) =>
    21 + 1.5 * Math.sin((2 * Math.PI * (timestamp % DAY)) / DAY) + 0.06 * noise(index, timestamp);
}

describe('steps of the day', () => {
  it.each([1, 2, 3])('a slope is no job that lasts too long (%i)', (seed) => {
    const { timestamps, values } = series(DAYS, MINUTE, room(seed));
    const missing = opened(detectSeries(timestamps, values, { type: 'gauge' }), 2);
    expect(missing.filter(({ kind }) => kind === 'seasonal_break')).toEqual([]);
  });
});
