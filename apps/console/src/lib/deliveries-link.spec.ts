import { deliveriesSearch } from './deliveries-link';

const NOW = 1_760_000_000;
const DAY = 86_400;

describe('deliveriesSearch', () => {
  it('covers the last 30 days, in the time zone of the current page', () => {
    expect(deliveriesSearch({ watcher: 5 })({ w: '1h', tz: 'utc', page: 3 })).toEqual({
      watcher: 5,
      w: '30d',
      tz: 'utc',
    });
    expect(deliveriesSearch({ anomaly: 7 }, NOW - DAY, NOW)({})).toEqual({ anomaly: 7, w: '30d' });
  });

  it('covers 30 days from the start of an older incident', () => {
    const began = NOW - 60 * DAY;
    expect(deliveriesSearch({ incident: 3 }, began, NOW)({})).toEqual({
      incident: 3,
      from: began - 3600,
      until: began + 30 * DAY,
    });
  });
});
