import { type NoisyAnomaly } from './noisy-metrics.types.js';
import { suggestionFor } from './suggestion.js';

const DAY = 86_400;
const START = 1_760_054_400;

const anomaly = (start: number, minutes: number | null, more: Partial<NoisyAnomaly> = {}): NoisyAnomaly => ({
  metricId: 1,
  start,
  end: minutes === null ? null : start + (minutes - 1) * 60,
  outUntil: null,
  kind: 'spike',
  isConfirmed: false,
  ...more,
});
const confirmed = { isConfirmed: true };
const suggest = (anomalies: NoisyAnomaly[]) => suggestionFor(anomalies, 60, (time) => time % DAY);
const spread = (count: number, minutes: number, more: Partial<NoisyAnomaly> = {}) =>
  Array.from({ length: count }, (_, n) => anomaly(START + n * 100_000, minutes, more));

describe('suggestionFor', () => {
  it.each<[string, NoisyAnomaly[], object]>([
    ['few anomalies', spread(2, 60), { kind: 'none', tuning: null }],
    ['mostly confirmed anomalies', [...spread(3, 60), ...spread(4, 60, confirmed)], { kind: 'none' }],
    [
      'missing data',
      spread(5, 60, { kind: 'missing_data' }),
      { kind: 'exclude', text: expect.stringMatching(/^5 of 5 were missing data/) },
    ],
    [
      'a nightly job',
      [0, 1, 2, 3].map((day) => anomaly(START + day * DAY + 7200 + day * 60, 40)),
      { kind: 'train', text: '4 of 4 began around 02:00, on 4 days: train one of them as expected.' },
    ],
    [
      'a job around midnight',
      [0, 1, 2].map((day) => anomaly(START + day * DAY + (day % 2 === 0 ? -300 : 300), 40)),
      { kind: 'train', text: expect.stringContaining('on 3 days') },
    ],
    ['short anomalies', spread(5, 3), { kind: 'tune', tuning: { min_duration_seconds: 300 } }],
    [
      'short anomalies with a short confirmed one',
      [...spread(5, 3), anomaly(START, 2, confirmed)],
      { kind: 'tune', tuning: { sensitivity: 0.5 } },
    ],
    [
      'anomalies in the opposite direction of a confirmed one',
      [...spread(5, 60), anomaly(START, 60, { ...confirmed, kind: 'dip' })],
      { kind: 'tune', tuning: { direction: 'down' }, text: expect.stringContaining('went up') },
    ],
    [
      'too many anomalies without a pattern',
      spread(9, 60),
      { kind: 'tune', tuning: { sensitivity: 0.5 }, text: expect.stringContaining('9 anomalies') },
    ],
    [
      'open anomalies',
      [...spread(1, 60), anomaly(START, null), anomaly(START + 50_000, null)],
      { tuning: { sensitivity: 0.5 } },
    ],
  ])('returns a suggestion for %s', (_, anomalies, expected) => {
    expect(suggest(anomalies)).toMatchObject(expected);
  });
});
