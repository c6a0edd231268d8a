import { chartRows, fileName, rowsAsCsv } from './chart-rows.js';

const series = { timestamps: [60, 120, 180], values: [1, null, 3.5] };
const expected = { timestamps: [60, 180], lower: [0, 1], upper: [2, 5], yhat: [1, null] };

describe('chartRows', () => {
  it('returns each point with its expected range, newest first', () => {
    expect(chartRows(series, expected, { from: 0, until: 500 })).toEqual([
      { timestamp: 180, value: 3.5, lower: 1, upper: 5, yhat: null },
      { timestamp: 120, value: null, lower: null, upper: null, yhat: null },
      { timestamp: 60, value: 1, lower: 0, upper: 2, yhat: 1 },
    ]);
  });

  it('returns only points within the window', () => {
    expect(chartRows(series, undefined, { from: 100, until: 150 }).map(({ timestamp }) => timestamp)).toEqual([120]);
  });

  it('returns rows that are exported as CSV with the oldest first and empty fields for gaps', () => {
    expect(rowsAsCsv(chartRows(series, expected, { from: 0, until: 500 }))).toBe(
      'timestamp,time_utc,value,expected,expected_lower,expected_upper\r\n' +
        '60,1970-01-01T00:01:00.000Z,1,1,0,2\r\n' +
        '120,1970-01-01T00:02:00.000Z,,,,\r\n' +
        '180,1970-01-01T00:03:00.000Z,3.5,,1,5\r\n',
    );
  });
});

describe('fileName', () => {
  it.each([
    ['http_requests{job="api"}', 'http_requests_job_api.csv'],
    ['<img src=x onerror=alert(1)>', 'img_src_x_onerror_alert_1.csv'],
    ['../../etc/passwd', 'etc_passwd.csv'],
    ['cpu.load', 'cpu_load.csv'],
    ['{}', 'metric.csv'],
    ['Größe', 'Größe.csv'],
  ])('turns %s into %s', (name, file) => expect(fileName(name, 'csv')).toBe(file));
});
