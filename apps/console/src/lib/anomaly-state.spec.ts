import { endOf, stateText } from './anomaly-state.js';

const open = { until_timestamp: null, out_until_timestamp: null };
const closed = { until_timestamp: 600, out_until_timestamp: 660 };

describe('the state of an anomaly', () => {
  it.each([
    [{ state: 'open', ...open }, 'open'],
    [{ state: 'resolved', ...closed }, 'resolved'],
    [{ state: 'trained', ...open }, 'open, expected'],
    [{ state: 'trained', ...open, out_until_timestamp: 660 }, 'open, expected'],
    [{ state: 'trained', ...closed }, 'expected'],
  ] as const)('of %j is: %s', (anomaly, text) => expect(stateText(anomaly)).toBe(text));

  it('has an end once it has closed: the end of its last anomalous slot', () => {
    expect(endOf({ state: 'open', ...open, out_until_timestamp: 660 })).toBeNull();
    expect(endOf({ state: 'resolved', ...closed })).toBe(660);
  });
});
