import { titleWithoutTimes } from './incident-title';

describe('titleWithoutTimes', () => {
  it.each([
    // A former title format that is still stored.
    ['shop.signups since 14:02', 'shop.signups'],
    ['shop.signups from 21:37 to 21:45', 'shop.signups'],
    ['shop.signups has had no data since 07:29', 'shop.signups has had no data'],
    ['shop.signups had no data at 07:29', 'shop.signups had no data'],
    [
      'shop.signups did not change from 21.5 °C from Tue 23:50 to Wed 00:10',
      'shop.signups did not change from 21.5 °C',
    ],
    [
      '3 metrics of job=shop have had no data since 14:02, first: cpu',
      '3 metrics of job=shop have had no data, first: cpu',
    ],
    ['3 metrics did not change from 14:02 to 14:40, first: cpu', '3 metrics did not change, first: cpu'],
    ['3 metrics since 28 Sept 23:50, first: cpu', '3 metrics, first: cpu'],
    ['3 metrics from 30 Dec 2025 23:50 to 2 Jan 00:10, first: cpu', '3 metrics, first: cpu'],
    ['3 metrics of job=shop since 14:02, first: disk_latency', '3 metrics of job=shop, first: disk_latency'],
    ['3 metrics from 23:59 to 00:10, first: cpu', '3 metrics, first: cpu'],
  ])('removes times from %j', (title, expected) => {
    expect(titleWithoutTimes(title)).toBe(expected);
  });

  it('keeps times in the name of a metric', () => {
    expect(titleWithoutTimes('batch since 03:00 job since 14:02')).toBe('batch since 03:00 job');
  });

  it('keeps a title without times unchanged', () => {
    expect(titleWithoutTimes('a from here to there')).toBe('a from here to there');
    const sentence = 'cpu rose to 93 % (usual 20 to 40 %)';
    expect(titleWithoutTimes(sentence)).toBe(sentence);
  });
});
