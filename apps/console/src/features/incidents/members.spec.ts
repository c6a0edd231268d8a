import { type Schema } from '../../lib/api';
import { inOrder, membersOf, valueAt, windowAround } from './members';

const anomaly = (id: number, metricId: number) =>
  ({ id, metric_id: metricId, metric: `m${String(metricId)}` }) as Schema<'AnomalyDto'>;

describe('membersOf', () => {
  it('returns each metric once, in the order of its first anomaly', () => {
    const members = membersOf([anomaly(1, 7), anomaly(2, 5), anomaly(3, 7)]);
    expect(members.map(({ metric, anomalies }) => [metric, anomalies.map(({ id }) => id)])).toEqual([
      ['m7', [1, 3]],
      ['m5', [2]],
    ]);
  });
});

describe('windowAround', () => {
  it('shows the duration of a long incident before it and a quarter of it after', () => {
    expect(windowAround({ started: 72_000, ended: 86_400 }, 200_000)).toEqual({ from: 57_600, until: 90_000 });
  });

  it('shows an hour before a short incident', () => {
    expect(windowAround({ started: 72_000, ended: 72_060 }, 200_000)).toEqual({ from: 68_400, until: 72_960 });
  });

  it('ends now for an ongoing incident', () => {
    expect(windowAround({ started: 72_000, ended: null }, 79_200).until).toBe(79_200);
  });

  it('never ends before it starts, even when the clock of the browser is slow', () => {
    const { from, until } = windowAround({ started: 72_000, ended: null }, 60_000);
    expect(until).toBeGreaterThan(from);
  });
});

describe('valueAt', () => {
  const points = [
    [10, 1],
    [20, null],
    [30, 3],
  ] as const;

  it.each([
    [10, 1],
    [19, 1],
    [25, null],
    [99, 3],
    [5, null],
  ])('for time %i returns %j', (at, expected) => {
    expect(valueAt(points, at)).toBe(expected);
  });
});

describe('inOrder', () => {
  const members = membersOf([anomaly(1, 7), anomaly(2, 5), anomaly(3, 9)]);
  const ids = (shown: number[]): number[] =>
    inOrder(
      members,
      [
        { metric_id: 9, rank: 2 },
        { metric_id: 5, rank: 1 },
      ],
      shown,
    ).map(({ metricId }) => metricId);

  it('returns likely origins by rank, then the other metrics in the order of their first anomaly', () => {
    expect(ids([])).toEqual([5, 9, 7]);
  });

  it('keeps the position of visible rows and drops removed ones', () => {
    expect(ids([7, 4])).toEqual([7, 5, 9]);
  });
});
