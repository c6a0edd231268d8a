import { validateMetricSearch, validateMetricsSearch } from './metrics-search.js';

describe('the URL of the metric list', () => {
  it('contains chips, state and order', () => {
    expect(validateMetricsSearch({ chips: ['job:api', ' cpu '], state: 'stale', order: 'anomalies' })).toEqual({
      chips: ['job:api', 'cpu'],
      state: 'stale',
      order: 'anomalies',
    });
  });

  it('accepts a single chip that is not a list or is a number', () => {
    expect(validateMetricsSearch({ chips: 500 })).toEqual({ chips: ['500'] });
  });

  it.each([{}, { chips: [], state: 'odd', order: 'name' }, { chips: ['', null, {}], state: 4 }])(
    'drops empty, invalid and default members: %j',
    (search) => expect(validateMetricsSearch(search)).toEqual({}),
  );
});

describe('the URL of a metric', () => {
  it('contains the tab and the comparisons', () => {
    expect(validateMetricSearch({ tab: 'related', vs: ['week', 'day', 'day'] })).toEqual({
      tab: 'related',
      vs: ['day', 'week'],
    });
  });

  it('omits unknown and default values', () => {
    expect(validateMetricSearch({ tab: 'anomalies', vs: 'year' })).toEqual({});
  });
});
