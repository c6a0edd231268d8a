import { ANALYSIS_TYPE_ID } from '../../exclusion/exclusion.types.js';
import { type MetricRecord } from '../metric.types.js';
import { type MetricContext, toMetricDto } from './metric.dto.js';

const NOW = 1_760_000_000;
const DAY = 86_400;
const FIRST = NOW - 3 * DAY;

const AROUND: MetricContext = {
  exclusions: [],
  watchers: [{ id: 5 }],
  anomalies: { count: 0, openId: null, lastTimestamp: null, matches: 0, lastMatchTimestamp: null, patterns: 0 },
  now: NOW,
  timezone: 'UTC',
  longTermPatternLengthSeconds: 30 * DAY,
  graphUrl: 'https://plumbline.example.org/api/metric/up/graph',
};

function aMetric(overrides: Partial<MetricRecord> = {}): MetricRecord {
  return {
    id: 982,
    orgId: 1,
    name: 'up{job="api"}',
    displayName: 'up',
    labels: { job: 'api' },
    type: 'gauge',
    aggregation: 'last',
    unit: null,
    description: null,
    source: 'prometheus',
    createdTimestamp: FIRST + 5,
    firstTimestamp: FIRST,
    lastTimestamp: NOW - 30,
    lastValue: 1,
    points: 4320,
    valuesNeeded: 0,
    isSteady: true,
    resolutionSeconds: 60,
    seasonalPeriods: [DAY],
    terms: null,
    ready: { range: true, daily: true, weekly: false },
    state: 'active',
    excludedTimestamp: null,
    isOnlyHistory: false,
    ...overrides,
  };
}

const describeMetric = (overrides: Partial<MetricRecord>) => toMetricDto(aMetric(overrides), AROUND);

describe('toMetricDto', () => {
  it('returns every member', () => {
    expect(toMetricDto(aMetric(), AROUND)).toEqual({
      id: 982,
      name: 'up{job="api"}',
      display_name: 'up',
      labels: { job: 'api' },
      type: 'gauge',
      unit: null,
      description: null,
      source: 'prometheus',
      state: 'active',
      analysis_state: 'live',
      points_needed: 0,
      live_from_timestamp: FIRST + DAY,
      judgement: { state: 'judged', until_timestamp: null, reason: null, values_needed: 0, silence: true },
      created_timestamp: FIRST + 5,
      created_string: 'October 6th 2025',
      last_timestamp: NOW - 30,
      last_string: 'just now',
      last_value: 1,
      resolution_seconds: 60,
      seasonal_periods: [DAY],
      readiness: {
        range: { ready: true, expected_timestamp: null },
        daily: { ready: true, expected_timestamp: null },
        weekly: { ready: false, expected_timestamp: FIRST + 14 * DAY },
      },
      trainable_from_timestamp: FIRST + DAY,
      long_term_trainable_from_timestamp: FIRST + 30 * DAY,
      anomaly_count: 0,
      match_count: 0,
      pattern_count: 0,
      open_anomaly_id: null,
      last_anomaly_timestamp: null,
      last_anomaly_string: 'never',
      last_match_timestamp: null,
      last_match_string: 'never',
      watcher_ids: [5],
      exclusion_ids: [],
      counts_against_quota: true,
      graph_url: AROUND.graphUrl,
    });
  });

  it.each<[string, Partial<MetricRecord>, object]>([
    [
      'no point yet',
      { firstTimestamp: null, lastTimestamp: null, points: 0, resolutionSeconds: null },
      { analysis_state: 'collecting', points_needed: 100, live_from_timestamp: null },
    ],
    [
      'one point',
      { firstTimestamp: NOW, lastTimestamp: NOW, points: 1, resolutionSeconds: null },
      { analysis_state: 'collecting', points_needed: 99, live_from_timestamp: null },
    ],
    [
      '40 points',
      { firstTimestamp: NOW - 2400, lastTimestamp: NOW, points: 40 },
      { analysis_state: 'collecting', points_needed: 60, live_from_timestamp: NOW - 2400 + DAY },
    ],
    [
      '40 points of an hour each',
      { firstTimestamp: NOW - 40 * 3600, lastTimestamp: NOW, points: 40, resolutionSeconds: 3600 },
      { analysis_state: 'collecting', live_from_timestamp: NOW + 60 * 3600 },
    ],
    [
      'half a day',
      { firstTimestamp: NOW - DAY / 2, lastTimestamp: NOW, points: 720 },
      { analysis_state: 'learning', points_needed: 0, live_from_timestamp: NOW + DAY / 2 },
    ],
    ['stale', { state: 'stale' }, { analysis_state: 'paused', counts_against_quota: true }],
    ['inactive', { state: 'inactive' }, { analysis_state: 'paused', counts_against_quota: true }],
    ['removed', { state: 'removed' }, { analysis_state: 'paused', counts_against_quota: false }],
    ['stopped early', { state: 'inactive', points: 40 }, { points_needed: 60, live_from_timestamp: null }],
  ])('describes a metric: %s', (_, overrides, expected) => {
    expect(describeMetric(overrides)).toMatchObject(expected);
  });

  it('predicts the range of a metric that learns again from the values that it still needs', () => {
    const again = describeMetric({ valuesNeeded: 40, ready: { range: false, daily: false, weekly: false } });
    expect(again).toMatchObject({
      points_needed: 0,
      judgement: { state: 'learning', values_needed: 40 },
      readiness: { range: { ready: false, expected_timestamp: NOW - 30 + 40 * 60 } },
    });
  });

  const learning = (until: number) => ({ state: 'learning', until_timestamp: until, reason: null });
  const notJudged = (reason: string) => ({ state: 'not_judged', until_timestamp: null, reason, silence: false });

  it.each<[string, Partial<MetricRecord>, object]>([
    [
      'is learning until its first day is over',
      { firstTimestamp: NOW - DAY / 2, valuesNeeded: 0 },
      { ...learning(NOW + DAY / 2), silence: true },
    ],
    [
      'is learning until it has enough values, if that takes longer than a day',
      { firstTimestamp: NOW - 40 * 3600, lastTimestamp: NOW, valuesNeeded: 60, resolutionSeconds: 3600 },
      { ...learning(NOW + 60 * 3600), values_needed: 60, silence: false },
    ],
    [
      'is learning again after a change of type, regardless of its points',
      { lastTimestamp: NOW, valuesNeeded: 90 },
      learning(NOW + 90 * 60),
    ],
    [
      'is not judged with one value',
      { valuesNeeded: 99, resolutionSeconds: null, isSteady: null },
      notJudged('too_few_values'),
    ],
    [
      'is not judged if its values come too irregularly to predict when it has enough',
      { valuesNeeded: 60, isSteady: false },
      notJudged('irregular_rows'),
    ],
    [
      'is judged with irregular rows, but not for missing data',
      { isSteady: false },
      { state: 'judged', silence: false },
    ],
    ['is judged as history, but not for missing data', { isOnlyHistory: true }, { state: 'judged', silence: false }],
    [
      'is judged only for missing data while it is stale',
      { state: 'stale' },
      { ...notJudged('paused'), silence: true },
    ],
    [
      'is not judged if it stopped before it had enough values',
      { state: 'stale', valuesNeeded: 60 },
      notJudged('paused'),
    ],
  ])('reports that a series %s', (_, overrides, expected) => {
    expect(describeMetric(overrides).judgement).toMatchObject(expected);
  });

  it('reports that an excluded series is not judged', () => {
    const exclusions = [{ id: 4, typeId: ANALYSIS_TYPE_ID }];
    expect(toMetricDto(aMetric(), { ...AROUND, exclusions }).judgement).toMatchObject(notJudged('excluded'));
  });

  it('returns no expected time for readiness that is overdue', () => {
    const { readiness } = describeMetric({ ready: { range: false, daily: false, weekly: false } });
    expect(readiness.daily).toEqual({ ready: false, expected_timestamp: null });
    expect(readiness.weekly.expected_timestamp).toBe(FIRST + 14 * DAY);
  });
});
