import { readinessSentences } from './readiness.js';

const ready = { ready: true, expected_timestamp: null };
const all = { range: ready, daily: ready, weekly: ready };
const timeOf = (timestamp: number): string => `t${String(timestamp)}`;

describe('what the detector still needs', () => {
  it('is nothing for a metric that has it all', () => {
    const metric = { analysis_state: 'live', points_needed: 0, live_from_timestamp: 5, readiness: all } as const;
    expect(readinessSentences(metric, timeOf)).toEqual([]);
  });

  it('is points, then days and weeks, for a young metric', () => {
    const readiness = {
      ...all,
      daily: { ready: false, expected_timestamp: 9 },
      weekly: { ready: false, expected_timestamp: null },
    };
    const metric = { analysis_state: 'collecting', points_needed: 1200, live_from_timestamp: 7, readiness } as const;
    expect(readinessSentences(metric, timeOf)).toEqual([
      'Analysis starts after 1,200 more points. That is about t7.',
      'Still to come: days compared with each other from t9; weeks compared with each other.',
    ]);
  });

  it('is an end of the exclusion for one that is excluded', () => {
    const metric = { analysis_state: 'excluded', points_needed: 3, live_from_timestamp: null, readiness: all } as const;
    expect(readinessSentences(metric, timeOf)).toEqual(['An exclusion keeps it from being analysed.']);
  });
});
