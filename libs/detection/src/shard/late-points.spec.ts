import { START, white } from '../testing/generators.js';
import { applyAll, definition, input, interleaved, tick } from '../testing/shard-input.js';
import { type ShardInput } from '../types.js';
import { DetectionShard } from './detection-shard.js';

const HOUR = 3600;

/** Points of a sender that was cut off: a log record of kind `backfill`, appended at `now`. */
const late = (now: number, rows: [number, number, number][]): ShardInput => ({ ...input(rows, 'backfill'), now });

describe('points that arrive late', () => {
  function steady(minutes: number, slotSeconds = 60): { shard: DetectionShard; end: number } {
    const shard = new DetectionShard();
    shard.define(definition(1, { slotSeconds }));
    applyAll(shard, interleaved(minutes / 1440, [white(9)]));
    return { shard, end: START + (minutes - 1) * 60 };
  }

  it('are scored in order, and their anomalies are marked as backfill', () => {
    const { shard, end } = steady(300);
    const now = end + 3 * HOUR;
    const rows = Array.from({ length: 90 }, (_, i): [number, number, number] => [
      1,
      end + (i + 1) * 60,
      i < 30 ? 100 : 0,
    ]);
    const { scored, events } = shard.apply(late(now, rows));
    expect(scored).toBe(90);
    expect(events.map(({ type, backfill }) => [type, backfill])).toContainEqual(['opened', true]);
    expect(events.filter(({ backfill }) => !backfill)).toEqual([]);
  });

  it.each([
    ['a tick', (now: number) => tick(now)],
    ['a live point', (now: number) => input([[1, now, 0]])],
  ])('are marked as backfill when %s completes their last slot', (_, next) => {
    const shard = new DetectionShard();
    shard.define(definition(1));
    // Two points per slot: the last slot waits for more of them.
    applyAll(
      shard,
      interleaved(300 / 1440, [white(9)]).flatMap(([id, at, value]): [number, number, number][] => [
        [id, at, value],
        [id, at + 30, value],
      ]),
    );
    const end = START + 300 * 60;
    const now = end + 3 * HOUR;
    expect(shard.apply(late(now, [[1, end, 1000]])).events).toEqual([]);
    const opened = shard.apply(next(now)).events.find(({ kind }) => kind !== 'missing_data');
    expect(opened).toMatchObject({ type: 'opened', startTimestamp: end, backfill: true });
  });

  it('do not include an hourly slot that the next tick completes in time', () => {
    const shard = new DetectionShard();
    shard.define(definition(1, { slotSeconds: HOUR }));
    const first = START - (START % HOUR);
    const at = (hour: number): [number, number, number][] => {
      const value = hour === 400 ? 1000 : Math.sin(hour * 12.9898);
      return [
        [1, first + hour * HOUR, value],
        [1, first + hour * HOUR + 1800, value],
      ];
    };
    for (let hour = 0; hour <= 400; hour++) shard.apply(input(at(hour)));
    const [opened] = shard.apply(tick(first + 402 * HOUR + 59)).events;
    expect(opened).toMatchObject({ type: 'opened', startTimestamp: first + 400 * HOUR, backfill: false });
  });

  it('close missing data once, however many ticks arrive until the sender has caught up', () => {
    const { shard, end } = steady(300);
    const back = end + 3 * HOUR;
    expect(shard.apply(tick(end + 960)).events).toMatchObject([{ type: 'opened', kind: 'missing_data' }]);
    const events = Array.from({ length: 10 }, (_, minute) => {
      const now = back + minute * 60;
      const rows = Array.from({ length: 10 }, (_, i): [number, number, number] => [
        1,
        end + (minute * 10 + i + 1) * 60,
        0,
      ]);
      return [...shard.apply(late(now, rows)).events, ...shard.apply(tick(now + 30)).events];
    }).flat();
    expect(events.filter(({ kind }) => kind === 'missing_data')).toMatchObject([
      { type: 'closed', closeReason: 'recovered' },
    ]);
  });

  it('are followed by missing data when no more points arrive', () => {
    const { shard, end } = steady(300);
    const back = end + 3 * HOUR;
    shard.apply(tick(end + 960));
    shard.apply(late(back, [[1, end + 60, 0]]));
    expect(shard.apply(tick(back + 30)).events).toEqual([]);
    const restored = DetectionShard.restore(shard.snapshot());
    for (const one of [shard, restored]) {
      expect(one.apply(tick(back + 90)).events).toMatchObject([
        { type: 'opened', kind: 'missing_data', startTimestamp: end + 120, backfill: false },
      ]);
    }
  });
});
