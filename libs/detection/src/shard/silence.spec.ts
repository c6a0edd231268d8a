import { DAY, START, white } from '../testing/generators.js';
import { applyAll, definition, input, interleaved, tick } from '../testing/shard-input.js';
import { HAS_ENDED, ONLY_HISTORY, SERIES_SLOTS, SERIES_TERMS } from '../types.js';
import { DetectionShard } from './detection-shard.js';

describe('the silence of a series', () => {
  function steady(minutes: number): { shard: DetectionShard; end: number } {
    const shard = new DetectionShard();
    shard.define(definition(1));
    applyAll(shard, interleaved(minutes / 1440, [white(9)]));
    return { shard, end: START + (minutes - 1) * 60 };
  }

  it('opens missing data after 15 minutes and closes it when data returns', () => {
    const { shard, end } = steady(300);
    expect(shard.apply(tick(end + 900)).events).toEqual([]);
    const [opened] = shard.apply(tick(end + 960)).events;
    expect(opened).toMatchObject({ type: 'opened', kind: 'missing_data', value: null, backfill: false });
    expect(opened).toMatchObject({ startTimestamp: end + 60, score: expect.any(Number) });
    expect(shard.apply(tick(end + 960)).events).toEqual([]);
    const [closed] = shard.apply(input([[1, end + 1200, 0]])).events;
    expect(closed).toMatchObject({
      type: 'closed',
      startTimestamp: end + 60,
      endTimestamp: end + 1140,
      closeReason: 'recovered',
    });
  });

  it('has a rarity once a day of the series is known', () => {
    const { shard, end } = steady(3000);
    const [opened] = shard.apply(tick(end + 960)).events;
    expect(opened!.rarityDays).toBeCloseTo(2.1, 1);
    expect(opened!.explanation.map(({ test }) => test)).toEqual(['silence', 'rarity']);
    expect(opened!.explanation[1]!.text).toBe('This series has an anomaly about once in 2 days or less often.');
  });

  it('closes missing data after a day and does not open it again', () => {
    const { shard, end } = steady(300);
    shard.apply(tick(end + 1000));
    const events = shard.apply(tick(end + DAY)).events;
    expect(events).toMatchObject([{ type: 'closed', closeReason: 'data_ended' }]);
    expect(shard.apply(tick(end + DAY + 60)).events).toEqual([]);
  });

  it('opens nothing for a series without a steady pace, or before the warm-up', () => {
    const shard = new DetectionShard();
    shard.define(definition(1));
    let at = START;
    shard.apply(input(Array.from({ length: 200 }, (_, i) => [1, (at += i % 2 ? 60 : 1200), 1])));
    expect(shard.apply(tick(at + 50_000)).events).toEqual([]);
    const young = steady(90);
    expect(young.shard.apply(tick(young.end + 5000)).events).toEqual([]);
  });

  it('closes an open anomaly of values after a day', () => {
    const { shard, end } = steady(300);
    expect(shard.apply(input([[1, end + 60, 100]])).events).toMatchObject([{ type: 'opened' }]);
    const events = shard.apply(tick(end + 60 + DAY)).events;
    expect(events).toMatchObject([{ type: 'closed', closeReason: 'data_ended', endTimestamp: end + 60 }]);
  });

  it('sets HAS_ENDED in the progress when the sender ends the series, until it sends newer points', () => {
    const { shard, end } = steady(5);
    shard.define(definition(2));
    const flags = () => [...shard.drainProgress().flags];
    flags();
    // The second series has no points: it cannot have ended.
    shard.apply(
      input([
        [1, end + 30, NaN],
        [2, end + 30, NaN],
      ]),
    );
    expect(flags()).toEqual([HAS_ENDED]);
    shard.apply(input([[1, end, 1]]));
    expect(flags()).toEqual([HAS_ENDED]);
    for (const next of [end + 40, end + 60]) {
      shard.apply(input([[1, next, 1]]));
      expect(flags()).toEqual([0]);
    }
  });

  it('opens nothing after the sender has ended the series, until it sends again', () => {
    const { shard, end } = steady(300);
    expect(shard.apply(input([[1, end + 30, NaN]]))).toMatchObject({ events: [], slots: { ids: new Uint32Array(0) } });
    expect(shard.apply(tick(end + 5000)).events).toEqual([]);
    expect(shard.apply(input([[1, end + 6000, 0]])).events).toEqual([]);
    expect(shard.apply(tick(end + 6000 + 1000)).events).toMatchObject([{ type: 'opened', kind: 'missing_data' }]);
  });

  it('closes an open anomaly when the sender ends the series', () => {
    const { shard, end } = steady(300);
    expect(shard.apply(input([[1, end + 60, 100]])).events).toMatchObject([{ type: 'opened' }]);
    const { events } = shard.apply(input([[1, end + 90, NaN]]));
    expect(events).toMatchObject([{ type: 'closed', closeReason: 'data_ended', endTimestamp: end + 60 }]);
  });

  it('ignores an end of the series older than its newest point, and keeps a valid end in a snapshot', () => {
    const { shard, end } = steady(300);
    shard.apply(input([[1, end - 60, NaN]]));
    expect(shard.apply(tick(end + 1000)).events).toMatchObject([{ type: 'opened' }]);
    const other = steady(300);
    other.shard.apply(input([[1, end + 1, NaN]]));
    expect(DetectionShard.restore(other.shard.snapshot()).apply(tick(end + 5000)).events).toEqual([]);
  });

  describe('with a backfill', () => {
    function history(minutes: number): { shard: DetectionShard; end: number } {
      const shard = new DetectionShard();
      shard.define(definition(1));
      shard.apply(input(interleaved(minutes / 1440, [white(9)]), 'backfill'));
      return { shard, end: START + (minutes - 1) * 60 };
    }
    const flags = (shard: DetectionShard) => [...shard.drainProgress().flags].map((flag) => flag & ONLY_HISTORY);

    it('opens nothing at the end of the history, or after a restart', () => {
      const { shard, end } = history(300);
      expect(shard.apply(tick(end + 1000)).events).toEqual([]);
      const restarted = DetectionShard.restore(shard.snapshot());
      expect(restarted.apply(tick(end + 3 * DAY)).events).toEqual([]);
      expect(flags(shard)).toEqual([ONLY_HISTORY]);
    });

    it('opens nothing between parts of the history, or before the first live point', () => {
      const { shard, end } = history(300);
      expect(shard.apply(input([[1, end + 7200, 0]], 'backfill')).events).toEqual([]);
      expect(shard.apply(input([[1, end + 3 * DAY, 0]])).events).toEqual([]);
    });

    it('opens missing data after the first live point', () => {
      const { shard, end } = history(300);
      flags(shard);
      const first = shard.apply(input([[1, end + 7200, 0]]));
      expect(first).toMatchObject({ events: [], hasUrgentProgress: true });
      expect(flags(shard)).toEqual([0]);
      const [opened] = shard.apply(tick(end + 7200 + 960)).events;
      expect(opened).toMatchObject({ type: 'opened', kind: 'missing_data', backfill: false });
    });

    it('opens missing data when the series also has live points', () => {
      const { shard, end } = steady(300);
      shard.apply(input([[1, end + 60, 0]], 'backfill'));
      expect(flags(shard)).toEqual([0]);
      expect(shard.apply(tick(end + 60 + 960)).events).toMatchObject([{ kind: 'missing_data', backfill: false }]);
    });

    it('opens nothing after a change of slots, type or season', () => {
      for (const row of [[1, 300, SERIES_SLOTS] as const, [1, 0, 2] as const, [1, 9, SERIES_TERMS] as const]) {
        const { shard, end } = history(300);
        shard.apply({ ...input([[...row]], 'define'), terms: new Map([[9, { periodSeconds: 0 }]]) });
        shard.apply(
          input(
            interleaved(300 / 1440, [white(8)]).map(([id, at, value]) => [id, at + 18_000, value]),
            'backfill',
          ),
        );
        expect(shard.apply(tick(end + 18_000 + 5000)).events).toEqual([]);
        expect(flags(shard)).toEqual([ONLY_HISTORY]);
      }
    });

    it('marks anomalies in the last slot of the history as backfill, whatever completes it', () => {
      for (const next of [tick(START + 5 * DAY), input([[1, START + 300 * 60 + 600, 0]])]) {
        const shard = new DetectionShard();
        shard.define(definition(1));
        // Two points in a slot: the last slot waits for more of them.
        const rows = interleaved(300 / 1440, [white(9)]).flatMap(([id, at, value]): [number, number, number][] => [
          [id, at, value],
          [id, at + 30, value],
        ]);
        shard.apply(input([...rows, [1, START + 300 * 60, 1000]], 'backfill'));
        const [opened] = shard.apply(next).events;
        expect(opened).toMatchObject({ type: 'opened', backfill: true });
      }
    });
  });
});
