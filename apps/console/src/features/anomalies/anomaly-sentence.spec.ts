import { describe, expect, it } from '@jest/globals';
import {
  type AnomalyRecord,
  countText,
  lookAlikeAmong,
  rangeText,
  reasonsOf,
  sentenceOf,
  textOf,
  valuesBetween,
  windowAround,
} from './anomaly-sentence';

// Tuesday 14 October 2025, 14:02 UTC.
const START = Date.UTC(2025, 9, 14, 14, 2) / 1000;
const MINUTE = 60;

function anomaly(change: Partial<AnomalyRecord> = {}): AnomalyRecord {
  return {
    id: 1,
    metric: 'checkout_p95{job="shop"}',
    kind: 'level_shift_up',
    timestamp: START,
    until_timestamp: null,
    out_until_timestamp: null,
    value: 2.1,
    peak_value: 2.61,
    expected_range_lower: 0.41,
    expected_range_upper: 0.79,
    explanation: [],
    ...change,
  } as AnomalyRecord;
}

const reason = (test: string, text: string, expected: number | null = null) => ({
  test,
  text,
  expected,
  score: 1,
  observed: null,
  anomaly_id: null,
  timestamp: START,
});

const base = { valueRange: null, unit: 's', zone: 'UTC', now: START + 25 * MINUTE };

describe('sentenceOf', () => {
  it('states the current values, the start and the usual range', () => {
    expect(sentenceOf({ ...base, anomaly: anomaly(), valueRange: { low: 2.1, high: 2.6 } })).toBe(
      'checkout_p95 has been 2.1 to 2.6 s since 14:02; it is usually 410 to 790 ms.',
    );
  });

  it('names the day of the week when the detector compares weeks', () => {
    const weekly = anomaly({
      explanation: [reason('deviation', '2 is far above the value usual at this time of the week, 0.5.')],
    });
    expect(sentenceOf({ ...base, anomaly: weekly })).toContain('on Tuesdays at this time it is usually 410 to 790 ms.');
  });

  it('omits the time of day when rows are daily', () => {
    const weekly = anomaly({ explanation: [reason('deviation', '2 is above the usual 0.5 on this day of the week.')] });
    expect(sentenceOf({ ...base, anomaly: weekly })).toContain('; on Tuesdays it is usually 410 to 790 ms.');
    const broken = anomaly({ kind: 'seasonal_break' });
    expect(sentenceOf({ ...base, anomaly: broken })).not.toContain('time of day');
  });

  it('has a lower bound of 0 for a series that was never negative', () => {
    const low = anomaly({ expected_range_lower: -72 });
    expect(sentenceOf({ ...base, anomaly: low, isNeverNegative: true })).toContain('usually 0 to 790 ms.');
  });

  it('states the value that was expected at this time instead of the expected range', () => {
    const missing = anomaly({
      kind: 'seasonal_break',
      explanation: [reason('time_of_day', 'At this time of day 82.5 is usual, and it has not come.', 82.5)],
    });
    expect(sentenceOf({ ...base, anomaly: missing })).toContain('; at this time of day it is usually about 82.5 s.');
  });

  it('names the point of the period when the period is not a day', () => {
    const missing = anomaly({
      kind: 'seasonal_break',
      explanation: [reason('time_of_day', 'At this point of its period of 8.3 hours 82.5 is usual.', 82.5)],
    });
    const text = sentenceOf({ ...base, anomaly: missing });
    expect(text).toContain('; at this point of its period it is usually about 82.5 s.');
  });

  it('omits a name that is too long for a title', () => {
    expect(sentenceOf({ ...base, anomaly: anomaly({ metric: 'a'.repeat(80) }) })).toMatch(/^It has been/);
  });

  it('names the day only once for an ended anomaly', () => {
    const ended = anomaly({ until_timestamp: START + 39 * MINUTE, out_until_timestamp: START + 40 * MINUTE });
    expect(sentenceOf({ ...base, anomaly: ended, now: START + 30 * 86_400 })).toBe(
      'checkout_p95 was 2.1 to 2.61 s from 14 Oct 14:02 to 14:42 (40 min); it is usually 410 to 790 ms.',
    );
  });

  it('states one interval for a single point', () => {
    const spike = anomaly({ until_timestamp: START, out_until_timestamp: START + MINUTE });
    expect(sentenceOf({ ...base, anomaly: spike })).toContain('from 14:02 to 14:03 (1 min);');
  });

  it('does not grow while an anomaly is open with values that are normal again', () => {
    const returned = anomaly({ out_until_timestamp: START + 5 * MINUTE });
    expect(sentenceOf({ ...base, anomaly: returned })).toBe(
      'checkout_p95 was 2.1 to 2.61 s from 14:02 to 14:07 (5 min); it is usually 410 to 790 ms.',
    );
  });

  it('states the usual interval of points when data is missing', () => {
    const silent = anomaly({
      kind: 'missing_data',
      value: null,
      peak_value: null,
      explanation: [reason('silence', 'No data for 41 minutes; points usually come every 60 seconds.', 60)],
    });
    expect(sentenceOf({ ...base, anomaly: silent })).toBe(
      'checkout_p95 has had no data since 14:02; a point usually comes every 1 min.',
    );
  });

  it('describes a flatline, without an expected range if it has none', () => {
    const flat = anomaly({ kind: 'flatline', value: 43, peak_value: 43, expected_range_lower: null });
    expect(sentenceOf({ ...base, unit: null, anomaly: flat })).toBe('checkout_p95 has stood still at 43 since 14:02.');
  });
});

describe('rangeText', () => {
  it('formats numbers with their unit, and shows equal bounds once', () => {
    expect(rangeText(1_159_300_000, 1_191_173_407, 'bytes')).toBe('1.159 to 1.191 GB');
    expect(rangeText(64.784, 64.786, '%')).toBe('64.78 to 64.79 %');
    expect(rangeText(null, 3, 's')).toBeNull();
    expect(rangeText(-321_431, -321_431, null)).toBe('−321.4 k');
  });
});

describe('valuesBetween', () => {
  it('considers only points during the anomaly, and skips gaps', () => {
    expect(valuesBetween([0, 60, 120, 180, 240], [9, 1, null, 5, 9], 60, 240)).toEqual({ low: 1, high: 5 });
    expect(valuesBetween([0, 60], [null, null], 0, null)).toBeNull();
  });
});

describe('countText', () => {
  it('counts the anomalies of the kind, and returns null for less than a day', () => {
    expect(countText('dip', 4, 8 * 86_400)).toBe('There were 4 of the kind “dip” here in 8 d.');
    expect(countText('dip', 1, 8 * 86_400)).toBe('It is the only dip here in 8 d.');
    expect(countText('dip', 1, 3600)).toBeNull();
  });
});

describe('windowAround', () => {
  it('is six times as long as the anomaly, with most of the margin before it', () => {
    const window = windowAround({ timestamp: 100_000, until_timestamp: 110_000 }, 1_000_000);
    expect(window.until - window.from).toBe(60_000);
    expect(100_000 - window.from).toBeGreaterThan(window.until - 110_000);
  });

  it('is at least one hour long and never ends in the future', () => {
    expect(windowAround({ timestamp: 100_000, until_timestamp: null }, 100_060)).toEqual({
      from: 96_460,
      until: 100_060,
    });
  });
});

describe('the explanation of an anomaly', () => {
  it('separates reasons from rarity and counterfactual', () => {
    const rarity = 'An anomaly of this series is expected about once in 4 months.';
    const all = anomaly({
      explanation: [reason('step', 'A jump.'), reason('rarity', rarity), reason('counterfactual', 'Not below 3.')],
    });
    expect(reasonsOf(all)).toEqual(['A jump.']);
    expect(textOf(all, 'rarity')).toBe(rarity);
    expect(textOf(anomaly(), 'rarity')).toBeNull();
  });

  it('finds the similar anomaly by the time in its text', () => {
    const earlier = [
      { id: 4, timestamp: START - 100, timestamp_string: 'October 13th 2025, 14:02' },
      { id: 5, timestamp: START - 50, timestamp_string: 'October 14th 2025, 02:02' },
    ];
    const text = 'Most like the earlier anomaly of October 14th 2025, 02:02 (dip, 97 % alike in shape).';
    expect(lookAlikeAmong(text, { timestamp: START }, earlier)?.id).toBe(5);
    expect(lookAlikeAmong('Most like nothing', { timestamp: START }, earlier)).toBeNull();
  });
});
