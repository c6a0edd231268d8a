import { type Schema } from '../../lib/api';
import { judgementText, readinessSentences } from './readiness.js';

const ready = { ready: true, expected_timestamp: null };
const all = { range: ready, daily: ready, weekly: ready };
const timeOf = (timestamp: number): string => `t${String(timestamp)}`;
const times = { timeOf, now: 6 };
const judgement = (change: Partial<Schema<'JudgementDto'>> = {}): Schema<'JudgementDto'> => ({
  state: 'judged',
  until_timestamp: null,
  reason: null,
  values_needed: 0,
  silence: true,
  ...change,
});
const learning = (needed: number) =>
  judgement({ state: 'learning', until_timestamp: 7, values_needed: needed, silence: false });
const notJudged = (reason: Schema<'JudgementDto'>['reason']) =>
  judgement({ state: 'not_judged', reason, values_needed: 60, silence: false });

describe('readinessSentences', () => {
  it('returns nothing for a metric that is fully learnt', () => {
    expect(readinessSentences({ judgement: judgement(), readiness: all }, times)).toEqual([]);
  });

  it('lists the missing values, then the missing patterns of a young metric', () => {
    const readiness = {
      ...all,
      daily: { ready: false, expected_timestamp: 9 },
      weekly: { ready: false, expected_timestamp: null },
    };
    expect(readinessSentences({ judgement: learning(1200), readiness }, times)).toEqual([
      'Learning until t7: needs 1,200 more values.',
      'Not learnt yet: daily pattern from t9; weekly pattern.',
    ]);
    expect(readinessSentences({ judgement: learning(0), readiness: all }, times)).toEqual(['Learning until t7.']);
    expect(readinessSentences({ judgement: learning(0), readiness: all }, { timeOf, now: 7 })).toEqual([
      'Its history is being learnt.',
    ]);
  });

  it.each([
    ['too_few_values', 'Not judged: needs 60 more values.'],
    ['irregular_rows', 'Not judged: needs 60 more values; points are too irregular to predict when.'],
    ['excluded', 'An exclusion stops its analysis.'],
    ['paused', 'Analysis is paused.'],
  ] as const)('states why a metric is not judged: %s', (reason, sentence) => {
    expect(readinessSentences({ judgement: notJudged(reason), readiness: all }, times)).toEqual([sentence]);
  });

  it('reports that missing data is not detected', () => {
    const metric = { judgement: judgement({ silence: false }), readiness: all };
    expect(readinessSentences(metric, times)).toEqual([
      'Missing data is not reported: points are too irregular, or arrive only as history.',
    ]);
  });
});

describe('the state of a metric in a list', () => {
  it('states how long the metric is being learnt, or why it is not judged', () => {
    const text = (one: Schema<'JudgementDto'>): string | null => judgementText({ judgement: one }, times);
    expect(text(judgement())).toBeNull();
    expect(text(learning(3))).toBe('learning until t7');
    expect(judgementText({ judgement: learning(3) }, { timeOf, now: 9 })).toBe('learning its history');
    expect(text(notJudged('irregular_rows'))).toBe('not judged: irregular points');
    expect(text(notJudged('too_few_values'))).toBe('not judged: too few values');
  });
});
