import { ANOMALY_KINDS } from '#libs/contracts';
import { type CsvSeries } from '../csv/read-series-csv.js';
import { scoresCsv } from './scores-csv.js';

function scored(timestampTexts: string[], values: number[], placeOf?: Uint32Array): string {
  const rows = values.length;
  const series: CsvSeries = {
    timestamps: new Float64Array(rows),
    values: Float64Array.from(values),
    timestampTexts,
    lines: Float64Array.from(values, (_, row) => row + 1),
    valueName: null,
  };
  const verdicts = {
    values: series.values,
    yhat: Float64Array.from(values, (_, i) => (i === 0 ? NaN : 2)),
    lower: Float64Array.from(values, (_, i) => (i === 0 ? NaN : 1)),
    upper: Float64Array.from(values, (_, i) => (i === 0 ? NaN : 3.5)),
    novelty: Float64Array.from(values, (_, i) => i / 8),
    spike: Float64Array.from(values, (_, i) => i / 10),
    score: Float64Array.from(values, (_, i) => i / 4),
    alarm: Float64Array.from(values, (_, i) => i / 4),
    kind: Uint8Array.from(values, (_, i) => (i === 2 ? 1 + ANOMALY_KINDS.indexOf('level_shift_up') : 0)),
    anomalous: Uint8Array.from(values, (_, i) => (i === 2 ? 1 : 0)),
    anomalies: [],
  };
  return Array.from(scoresCsv({ series, placeOf: placeOf ?? Uint32Array.from(values.keys()) }, verdicts)).join('');
}

describe('scoresCsv', () => {
  it('writes a line per row with its original timestamp, and empty cells for unknown values', () => {
    expect(scored(['2025-10-09 08:00:00', '1760000060', '1760000120000'], [0.1, NaN, 9])).toBe(
      'timestamp,value,yhat,yhat_lower,yhat_upper,novelty,spike,score,anomalous,kind\n' +
        '2025-10-09 08:00:00,0.1,,,,0,0,0,0,\n' +
        '1760000060,,2,1,3.5,0.125,0.1,0.25,0,\n' +
        '1760000120000,9,2,1,3.5,0.25,0.2,0.5,1,level_shift_up\n',
    );
  });

  it('writes the lines in the order of the input', () => {
    const lines = scored(['10', '20', '30'], [1, 2, 3], Uint32Array.of(2, 1, 0))
      .split('\n')
      .slice(1, 4);
    expect(lines.map((line) => line.split(',').slice(0, 2))).toEqual([
      ['30', '3'],
      ['20', '2'],
      ['10', '1'],
    ]);
  });

  it('quotes a timestamp that contains a comma', () => {
    expect(scored(['2025-10-09 08:00:00,5'], [1])).toContain('\n"2025-10-09 08:00:00,5",1,');
  });

  it('writes all rows of a large file', () => {
    const rows = 25_000;
    const text = scored(
      Array.from({ length: rows }, (_, i) => String(i)),
      Array.from({ length: rows }, (_, i) => i),
    );
    expect(text.split('\n')).toHaveLength(rows + 2);
  });
});
