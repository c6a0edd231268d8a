import { scoreSeries } from '../scores/score-series.js';
import { differenceFromWhole, differenceOfEvents, firstRows, unsoundIn } from './columns.js';
import { during, series, white } from './generators.js';

const rows = series(
  1,
  60,
  during(white(1), 0.5, 20, (x) => x + 40),
);
const detect = () => scoreSeries(rows.timestamps, rows.values, { type: 'gauge' });

describe('verdicts', () => {
  it('of the first rows are compared bit by bit with those of all rows', () => {
    const part = firstRows(rows, 900);
    const verdicts = scoreSeries(part.timestamps, part.values, { type: 'gauge' });
    expect(differenceFromWhole(verdicts, detect())).toBeUndefined();
    verdicts.upper[800] = verdicts.upper[800]! * (1 + Number.EPSILON);
    expect(differenceFromWhole(verdicts, detect())).toBe('upper of row 800');
  });

  it('are compared by their events, and the first different event is reported', () => {
    const { anomalies } = detect();
    expect(anomalies.length).toBeGreaterThan(0);
    expect(differenceOfEvents(anomalies, detect().anomalies)).toBeUndefined();
    expect(differenceOfEvents(anomalies, anomalies.slice(1))).toMatch(/events and/);
    const [first, ...others] = anomalies;
    const backfilled = [{ ...first!, backfill: !first!.backfill }, ...others];
    expect(differenceOfEvents(anomalies, backfilled)).toBeUndefined();
    expect(differenceOfEvents(anomalies, [{ ...first!, severity: first!.severity + 1 }, ...others])).toBe('event 0');
  });

  it.each([
    ['yhat', NaN, /^range/],
    ['lower', 1e9, /order/],
    ['alarm', -0.1, /^alarm/],
    ['score', 1.1, /^score/],
    ['novelty', NaN, /^novelty/],
  ] as const)('are unsound with %s %d', (column, value, what) => {
    const verdicts = detect();
    expect(unsoundIn(rows, verdicts, 200)).toBeUndefined();
    verdicts[column][500] = value;
    expect(unsoundIn(rows, verdicts, 200)).toMatch(what);
  });
});
