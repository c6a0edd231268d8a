import { titleWithoutTimes } from './incident-title';

describe('titleWithoutTimes', () => {
  it.each([
    ['shop.signups since 14:02', 'shop.signups'],
    ['shop.signups from 21:37 to 21:45', 'shop.signups'],
    ['3 metrics of job=shop since 14:02, first: disk latency', '3 metrics of job=shop, first: disk latency'],
    ['3 metrics from 23:59 to 00:10, first: cpu', '3 metrics, first: cpu'],
  ])('makes of %j', (title, expected) => {
    expect(titleWithoutTimes(title)).toBe(expected);
  });

  it('leaves times in the name of a metric', () => {
    expect(titleWithoutTimes('batch since 03:00 job since 14:02')).toBe('batch since 03:00 job');
  });

  it('leaves a title without times as it is', () => {
    expect(titleWithoutTimes('a from here to there')).toBe('a from here to there');
  });
});
