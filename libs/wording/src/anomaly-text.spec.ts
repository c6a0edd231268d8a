import { type TextPart } from '#libs/contracts';
import { anomalyText, commonEventText, type DescribedAnomaly } from './anomaly-text.js';
import { reasonText, writtenReasons } from './reason.js';

/** Tuesday, 7 October 2025, 21:50 in UTC, 23:50 in Oslo. */
const START = 1_759_873_800;
const READER = { zone: 'Europe/Oslo', now: START + 3600 };

const anomaly = (fields: Partial<DescribedAnomaly>): DescribedAnomaly => ({
  kind: 'level_shift_up',
  value: 93,
  lower: 20,
  upper: 40,
  unit: '%',
  start: START,
  end: null,
  ...fields,
});

describe('anomalyText', () => {
  it.each([
    [{}, 'rose to 93 % (usual 20 to 40 %)'],
    [{ kind: 'missing_data', value: null }, 'has had no data since Tue 23:50'],
    [{ kind: 'missing_data', value: null, end: START + 1200 }, 'had no data from Tue 23:50 to Wed 00:10'],
    [{ kind: 'missing_data', value: null, start: START - 1200, end: START }, 'had no data from Tue 23:30 to 23:50'],
    [{ kind: 'flatline', value: 1 }, 'has not changed from 1 % since Tue 23:50'],
    [{ kind: 'new_value_range' }, 'reached a new high of 93 % (usual 20 to 40 %)'],
    [{ kind: 'new_value_range', value: 3 }, 'reached a new low of 3 % (usual 20 to 40 %)'],
    [{ kind: 'dip', value: 3, unit: null }, 'dropped to 3 (usual 20 to 40)'],
    [{ kind: 'spike', value: 3e6, lower: 0, upper: 1e6, unit: 'bytes/s' }, 'spiked to 3 MB/s (usual 0 to 1 MB/s)'],
    // The peak, once it is further out than the first value.
    [{ value: 41, peakValue: 93 }, 'rose to 93 % (usual 20 to 40 %)'],
    [{ value: 93, peakValue: 41 }, 'rose to 93 % (usual 20 to 40 %)'],
    [{ value: 93, peakValue: -500 }, 'rose to 93 % (usual 20 to 40 %)'],
    [{ value: 30, peakValue: 35 }, 'rose to 30 %'],
    [{ lower: null, upper: null, value: 41, peakValue: 93 }, 'rose to 93 %'],
    [{ kind: 'dip', value: 19, peakValue: 3 }, 'dropped to 3 % (usual 20 to 40 %)'],
    [{ kind: 'new_value_range', value: 30, peakValue: 3 }, 'reached a new low of 3 % (usual 20 to 40 %)'],
    [{ kind: 'variance_change', value: 19, peakValue: 93 }, 'fluctuates more than usual, at 93 % (usual 20 to 40 %)'],
    [{ kind: 'variance_change', value: 3, peakValue: 41 }, 'fluctuates more than usual, at 3 % (usual 20 to 40 %)'],
    [{ kind: 'flatline', value: 1, peakValue: 5 }, 'has not changed from 1 % since Tue 23:50'],
    // A range that contains the value explains nothing.
    [{ value: 30 }, 'rose to 30 %'],
    [{ kind: 'spike', value: null }, 'spiked'],
    [{ kind: 'seasonal_break', value: null }, 'is unlike its usual pattern'],
  ] as const)('describes %j: %s', (fields, text) => expect(anomalyText(anomaly(fields), READER)).toBe(text));
});

describe('commonEventText', () => {
  it.each([
    [['missing_data', 'missing_data'], false, 'have had no data'],
    [['missing_data', 'missing_data'], true, 'had no data'],
    [['flatline', 'flatline'], false, 'have not changed'],
    [['flatline', 'flatline'], true, 'did not change'],
    [['missing_data', 'flatline'], false, null],
    [['spike', 'spike'], false, null],
    [[], false, null],
  ] as const)('describes %j, over: %j: %j', (kinds, isOver, text) => expect(commonEventText(kinds, isOver)).toBe(text));
});

describe('reasonText', () => {
  const parts: TextPart[] = ['it has stayed above the usual ', { lower: 20, upper: 40 }, ' since ', { at: START }, '.'];

  it('includes unit, local time and day of the week', () => {
    expect(reasonText(parts, { unit: '%', zone: 'Europe/Oslo' })).toBe(
      'It has stayed above the usual 20 to 40 % since Tue 23:50.',
    );
  });

  it('contains only the date for daily rows', () => {
    const text = reasonText(parts, { unit: null, zone: 'UTC', slotSeconds: 86_400 });
    expect(text).toBe('It has stayed above the usual 20 to 40 since 7 Oct 2025.');
  });

  it('replaces parts by text in writtenReasons, and keeps reasons without parts', () => {
    const item = { test: 'a', score: 0, observed: null, expected: null, timestamp: 0, text: 'Said.' };
    const [kept, written] = writtenReasons([item, { ...item, parts }], { unit: '%', zone: 'UTC' });
    expect(kept).toEqual(item);
    expect(written).toEqual({ ...item, text: 'It has stayed above the usual 20 to 40 % since Tue 21:50.' });
  });
});
