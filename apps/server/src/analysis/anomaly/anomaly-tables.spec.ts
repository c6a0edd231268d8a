import { csvText } from '../../common/http/csv-answer.js';
import { tableOfTimeseries, type TimeseriesDto } from '../../data/metric/timeseries.dto.js';
import { type AnomaliesDto, tableOfAnomalies } from './dto/anomaly-answers.dto.js';
import { tableOfYhat, type YhatDto } from './dto/yhat.dto.js';

const AT = 1_760_000_000;

describe('CSV tables', () => {
  it('have one column for each list of a time series', () => {
    const points: [number, number | null][] = [
      [AT, 1],
      [AT + 60, null],
    ];
    const series = { points, points_min: points, points_max: null, derivative: [[AT, 0.5]] } as Partial<TimeseriesDto>;
    expect(csvText(tableOfTimeseries(series as TimeseriesDto)).split('\r\n')).toEqual([
      'timestamp,value,min,derivative',
      '2025-10-09T08:53:20Z,1,1,0.5',
      '2025-10-09T08:54:20Z,,,',
      '',
    ]);
  });

  it('have anomalies with RFC 3339 times and escaped formulas', () => {
    const times = { timestamp: AT, until_timestamp: null, out_until_timestamp: AT + 60, acknowledged_at: AT };
    const anomaly = { id: 7, metric: '@a', ...times, kind: 'spike' };
    const [head, row] = csvText(tableOfAnomalies({ anomalies: [anomaly] } as unknown as AnomaliesDto)).split('\r\n');
    const cells = Object.fromEntries(head!.split(',').map((name, column) => [name, row!.split(',')[column]]));
    expect(cells).toMatchObject({
      id: '7',
      metric: `"'@a"`,
      timestamp: '2025-10-09T08:53:20Z',
      until_timestamp: '',
      out_until_timestamp: '2025-10-09T08:54:20Z',
      acknowledged_at: '2025-10-09T08:53:20Z',
      kind: 'spike',
    });
  });

  it('have one row per slot for expected values', () => {
    const point = { timestamp: AT, yhat: 1, yhat_lower: 0, yhat_upper: 2, value: -1, anomalous: true };
    const text = csvText(tableOfYhat({ yhat: [point] } as unknown as YhatDto));
    expect(text.split('\r\n')[1]).toMatch(/^2025-10-09T08:53:20Z,1,0,2,.*-1,.*true$/);
  });
});
