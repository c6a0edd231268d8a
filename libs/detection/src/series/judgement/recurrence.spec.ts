import { ABOVE, enterPart, lessRecurring, NOT_THERE } from './recurrence.js';
import { createRecord } from '../reset-record.js';
import { type SeriesRecord } from '../record/series-record.js';

const DAY = 86_400;
const AT = 2 * 3600;

/**
 * At two in the morning, after this many nights with evidence 3 at that time, and then some nights without evidence.
 */
function afterNights(nights: number, without: number, kind = ABOVE): SeriesRecord {
  const record = createRecord();
  const now = (nights + without) * DAY + AT;
  for (let second = 0; second <= now; second += 600) {
    enterPart(record, { timestamp: second, localSeconds: second });
    if (second % DAY === AT && second < nights * DAY) lessRecurring(record, kind, 3);
  }
  return record;
}

describe('evidence that recurs at a time of day', () => {
  it('is reduced from the fourth night on', () => {
    expect(lessRecurring(afterNights(2, 0), ABOVE, 3)).toBe(3);
    expect(lessRecurring(afterNights(3, 0), ABOVE, 3)).toBeLessThan(0.55);
  });

  it('is still reduced after one night without it', () => {
    expect(lessRecurring(afterNights(6, 1), ABOVE, 3)).toBeLessThan(0.62);
  });

  it('stays significant when it is twice as strong', () => {
    expect(lessRecurring(afterNights(6, 0), ABOVE, 6)).toBeGreaterThan(0.9);
  });

  it('is not reduced after a week without it', () => {
    expect(lessRecurring(afterNights(6, 7), ABOVE, 3)).toBe(3);
  });

  it('is reduced from the second night on for a value that was late', () => {
    expect(lessRecurring(afterNights(1, 0, NOT_THERE), NOT_THERE, 3)).toBeLessThan(0.2);
  });
});
