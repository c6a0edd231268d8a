import { type ChartStretch } from './chart-props.js';
import { stretchLabel, stretchText } from './stretch-text.js';

const START = 1_759_873_800;
const place = { unit: 'bytes', zone: 'UTC', window: { from: START - 600, until: START + 600 } };
const stretch: ChartStretch = {
  from: START,
  until: null,
  kind: 'level_shift_up',
  value: 9e6,
  lower: 1e6,
  upper: 2e6,
  severity: 'minor',
};

describe('the text at a mark of a chart', () => {
  it('describes the anomaly, with the usual range in the text but not in the label', () => {
    expect(stretchText(stretch, place)).toBe('rose to 9 MB (usual 1 to 2 MB)');
    expect(stretchLabel(stretch, place)).toBe('rose to 9 MB');
  });

  it('shows values of a counter as rates', () => {
    expect(stretchLabel(stretch, { ...place, isRate: true })).toBe('rose to 9 MB/s');
  });

  it('shows times in the time zone of the page', () => {
    const silent: ChartStretch = { ...stretch, kind: 'missing_data', value: null };
    expect(stretchText(silent, place)).toBe('has had no data since 21:50');
    expect(stretchText(silent, { ...place, zone: 'Asia/Tokyo' })).toBe('has had no data since 06:50');
  });

  it('is "anomaly" for an unknown kind', () => {
    expect(stretchText({ ...stretch, kind: null }, place)).toBe('anomaly');
  });
});
