import { type Schema } from '../../lib/api';
import { inOrder, membersOf, valueAt, windowAround } from './members';

const anomaly = (id: number, metricId: number) =>
  ({ id, metric_id: metricId, metric: `m${String(metricId)}` }) as Schema<'AnomalyDto'>;

describe('membersOf', () => {
  it('has a metric once, in the order of its first anomaly', () => {
    const members = membersOf([anomaly(1, 7), anomaly(2, 5), anomaly(3, 7)]);
    expect(members.map(({ metric, anomalies }) => [metric, anomalies.map(({ id }) => id)])).toEqual([
      ['m7', [1, 3]],
      ['m5', [2]],
    ]);
  });
});

describe('windowAround', () => {
  it('shows as much before a long incident as it lasted, and a quarter after', () => {
    expect(windowAround({ started: 72_000, ended: 86_400 }, 200_000)).toEqual({ from: 57_600, until: 90_000 });
  });

  it('shows an hour before a short one', () => {
    expect(windowAround({ started: 72_000, ended: 72_060 }, 200_000)).toEqual({ from: 68_400, until: 72_960 });
  });

  it('ends now while the incident lasts', () => {
    expect(windowAround({ started: 72_000, ended: null }, 79_200).until).toBe(79_200);
  });

  it('never ends before it begins, even when the clock of the reader is behind', () => {
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
  ])('at %i is %j', (at, expected) => {
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

  it('has likely origins by their rank, then the others as they became unusual', () => {
    expect(ids([])).toEqual([5, 9, 7]);
  });

  it('leaves rows that are shown in their places, without those that are gone', () => {
    expect(ids([7, 4])).toEqual([7, 5, 9]);
  });
});
