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
  it('says what happened, in the picture without what was usual', () => {
    expect(stretchText(stretch, place)).toBe('rose to 9 MB (usual 1 to 2 MB)');
    expect(stretchLabel(stretch, place)).toBe('rose to 9 MB');
  });

  it('has the rates of a counter', () => {
    expect(stretchLabel(stretch, { ...place, isRate: true })).toBe('rose to 9 MB/s');
  });

  it('has times in the zone of the page', () => {
    const silent: ChartStretch = { ...stretch, kind: 'missing_data', value: null };
    expect(stretchText(silent, place)).toBe('has had no data since 21:50');
    expect(stretchText(silent, { ...place, zone: 'Asia/Tokyo' })).toBe('has had no data since 06:50');
  });

  it('is plain where the kind is not known', () => {
    expect(stretchText({ ...stretch, kind: null }, place)).toBe('anomaly');
  });
});
