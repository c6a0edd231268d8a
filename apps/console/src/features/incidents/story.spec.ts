import { type Schema } from '../../lib/api';
import { kindOfMark, marksOf, storyOf } from './story';

const START = 1_760_000_040;

const anomaly = (id: number, at: number, rest: Partial<Schema<'AnomalyDto'>> = {}) =>
  ({ id, timestamp: START + at, until_timestamp: null, acknowledged_at: null, ...rest }) as Schema<'AnomalyDto'>;
/** Its last anomalous slot is the minute before `at`. */
const over = (at: number) => ({ until_timestamp: START + at - 60, out_until_timestamp: START + at });
const delivery = (id: number, at: number, rest: Partial<Schema<'DeliveryDto'>> = {}) =>
  ({
    id,
    timestamp: START + at,
    watcher_id: 1,
    channel: 'email',
    phase: 'opened',
    title: 'Major: shop.orders fell to 12',
    state: 'sent',
    suppressed_by: null,
    message: '',
    ...rest,
  }) as Schema<'DeliveryDto'>;
const open = { ended_timestamp: null };

const textsOf = (...story: Parameters<typeof storyOf>) =>
  storyOf(...story).map(({ at, kind, anomalies, deliveries }) => [
    at - START,
    kind,
    [...anomalies, ...deliveries].map(({ id }) => id),
  ]);

describe('storyOf', () => {
  it('lists beginnings, notifications, acknowledgements, recoveries and the end in order of time', () => {
    const anomalies = [
      anomaly(2, 60, { ...over(600) }),
      anomaly(1, 0, { ...over(900), acknowledged_at: START + 180, acknowledged_by: 4 }),
    ];
    expect(textsOf({ ended_timestamp: START + 900 }, anomalies, [delivery(9, 65)])).toEqual([
      [0, 'began', [1]],
      [60, 'joined', [2]],
      [65, 'sent', [9]],
      [180, 'acknowledged', [1]],
      [600, 'back', [2]],
      [900, 'back', [1]],
      [900, 'ended', []],
    ]);
  });

  it('combines many metrics with the same time, and lists a few individually', () => {
    const many = [1, 2, 3, 4, 5].map((id) => anomaly(id, 0, { ...over(300) }));
    expect(textsOf(open, many, [])).toEqual([
      [0, 'began', [1]],
      [0, 'joined', [2, 3, 4, 5]],
      [300, 'back', [1, 2, 3, 4, 5]],
    ]);
    expect(textsOf(open, many.slice(0, 3), []).filter(([, kind]) => kind === 'joined')).toEqual([
      [0, 'joined', [2]],
      [0, 'joined', [3]],
    ]);
  });

  it('combines messages of one watcher to several recipients, separately for each phase and state', () => {
    const deliveries = [
      delivery(1, 60),
      delivery(2, 62),
      delivery(3, 61, { state: 'failed', message: 'refused' }),
      delivery(4, 61, { watcher_id: 2 }),
      delivery(5, 61, { state: 'suppressed', suppressed_by: 'budget' }),
      delivery(6, 61, { state: 'retrying' }),
      delivery(7, 3600),
      delivery(8, 3601, { phase: 'recovered', title: 'Recovered: shop.orders is as expected again' }),
    ];
    expect(textsOf(open, [anomaly(1, 0)], deliveries)).toEqual([
      [0, 'began', [1]],
      [60, 'sent', [1, 2]],
      [61, 'sent', [4]],
      [61, 'failed', [3]],
      [61, 'waiting', [6]],
      [61, 'held', [5]],
      [3600, 'sent', [7]],
      [3601, 'sent', [8]],
    ]);
  });

  it('combines acknowledgements of one person at the same time', () => {
    const mine = { acknowledged_at: START + 60, acknowledged_by: 4 };
    const anomalies = [anomaly(1, 0, mine), anomaly(2, 1, mine), anomaly(3, 2, { ...mine, acknowledged_by: 5 })];
    expect(textsOf(open, anomalies, []).slice(3)).toEqual([
      [60, 'acknowledged', [1, 2]],
      [60, 'acknowledged', [3]],
    ]);
  });

  it('contains only the end for an incident that has lost all its anomalies', () => {
    expect(textsOf({ ended_timestamp: START }, [], [])).toEqual([[0, 'ended', []]]);
  });

  it('gives each entry a unique key', () => {
    const entries = storyOf(
      { ended_timestamp: START + 900 },
      [1, 2, 3].map((id) => anomaly(id, id * 60, { ...over(900), acknowledged_at: START + id })),
      [delivery(1, 1), delivery(2, 1, { state: 'failed' })],
    );
    expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
  });
});

describe('marksOf', () => {
  const story = storyOf(
    open,
    [anomaly(1, 0), anomaly(2, 60)],
    [delivery(1, 65), delivery(2, 3000, { state: 'failed' })],
  );
  const window = { from: START - 3600, until: START + 3600 };

  it('places entries by time, and combines those that would overlap', () => {
    const marks = marksOf(story, window, { width: 720, apart: 18 });
    expect(marks.map((mark) => [mark.place.toFixed(3), kindOfMark(mark), mark.entries.length])).toEqual([
      ['0.500', 'began', 3],
      ['0.917', 'failed', 1],
    ]);
  });

  it('omits entries outside the window', () => {
    expect(marksOf(story, { from: START + 100, until: START + 200 }, { width: 720, apart: 18 })).toEqual([]);
  });
});
