import { validateMetricSearch, validateMetricsSearch } from './metrics-search.js';

describe('the address of the list of metrics', () => {
  it('chooses by chips, state and order', () => {
    expect(validateMetricsSearch({ chips: ['job:api', ' cpu '], state: 'stale', order: 'anomalies' })).toEqual({
      chips: ['job:api', 'cpu'],
      state: 'stale',
      order: 'anomalies',
    });
  });

  it('may have one chip that is no list, or looks like a number', () => {
    expect(validateMetricsSearch({ chips: 500 })).toEqual({ chips: ['500'] });
  });

  it.each([{}, { chips: [], state: 'odd', order: 'name' }, { chips: ['', null, {}], state: 4 }])(
    'with nothing that is known is the default: %j',
    (search) => expect(validateMetricsSearch(search)).toEqual({}),
  );
});

describe('the address of a metric', () => {
  it('chooses tab and comparisons', () => {
    expect(validateMetricSearch({ tab: 'related', vs: ['week', 'day', 'day'] })).toEqual({
      tab: 'related',
      vs: ['day', 'week'],
    });
  });

  it('leaves out what is unknown or the default', () => {
    expect(validateMetricSearch({ tab: 'anomalies', vs: 'year' })).toEqual({});
  });
});
