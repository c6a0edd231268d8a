import fc from 'fast-check';
import { METRIC_TYPES } from '#libs/contracts';
import { dailySine, during, series, START, uniform } from '../testing/generators.js';
import { definition } from '../testing/shard-input.js';
import {
  type AnomalyEvent,
  type ProgressColumns,
  SERIES_ERASED,
  SERIES_SLOTS,
  type SeriesDefinition,
  type ShardInput,
} from '../types.js';
import { DetectionShard } from './detection-shard.js';
import { readEntries } from './snapshot.js';

type Record = ShardInput & { position: number };

/** Series that send all the time. The others send once and fill the pages in between. */
const BUSY = [1, 2, 200, 290, 300, 511, 512, 640];
const SERIES = 650;
const RETYPED = 300;
const ERASED = 511;
const RESLOTTED = [1, 640];
const ROWS = 260;

/** A log of points, history, ticks, changes of type and slots, and an erased series; positions rise with gaps. */
function aLog(seed: number): Record[] {
  const chance = uniform(seed);
  const busy = BUSY.map((_, index) =>
    series(
      1,
      60,
      during(dailySine(seed + index, 20), (150 + 5 * index) / 1440, 30, (x) => x + 80),
    ),
  );
  const records: Record[] = [];
  let position = 10;
  let quiet = 1;
  const add = (kind: ShardInput['kind'], rows: [number, number, number][], now: number): void => {
    position += 1 + Math.floor(chance() * 3);
    records.push({
      kind,
      position,
      now,
      ids: Uint32Array.from(rows, ([id]) => id),
      timestamps: Float64Array.from(rows, ([, timestamp]) => timestamp),
      values: Float64Array.from(rows, ([, , value]) => value),
    });
  };
  for (let row = 0; row < ROWS;) {
    const count = 1 + Math.floor(chance() * 12);
    const rows: [number, number, number][] = [];
    for (const end = Math.min(ROWS, row + count); row < end; row++) {
      const silent = row > 200 && row < 230 ? 3 : -1;
      busy.forEach((one, index) => {
        if (index !== silent) rows.push([BUSY[index]!, one.timestamps[row]!, one.values[row]!]);
      });
      for (let i = 0; i < 3; i++) if (quiet <= SERIES) rows.push([quiet++, one(busy, row), 1]);
    }
    const now = START + row * 60;
    add(chance() < 0.1 ? 'backfill' : 'live', rows, now);
    if (chance() < 0.3) add('tick', [], now + 30);
    if (row > 100 && !records.some(({ kind }) => kind === 'define')) {
      add('define', [[RETYPED, 0, METRIC_TYPES.indexOf('counter')]], now);
      add('define', [[ERASED, 0, SERIES_ERASED]], now);
      add('define', [[RESLOTTED[0]!, 300, SERIES_SLOTS]], now);
      add('define', [[RESLOTTED[1]!, 20, SERIES_SLOTS]], now);
    }
  }
  return records;
}

const one = (busy: { timestamps: Float64Array }[], row: number): number => busy[0]!.timestamps[row]!;

/** State that is kept outside the detecting process. */
class Outside {
  pages = new Map<number, { position: number; bytes: Uint8Array }>();
  replayAfter = 0;
  applied = 0;
  events: AnomalyEvent[] = [];
  progress = new Map<number, string>();
  types = new Map<number, SeriesDefinition['type']>();
  slots = new Map<number, number>();
  erased = new Set<number>();

  keepProgress(columns: ProgressColumns): void {
    columns.ids.forEach((id, row) => {
      const { ids: _, ...others } = columns;
      this.progress.set(id, JSON.stringify(Object.values(others).map((column) => column[row]!)));
    });
  }
}

/** A detecting process, which may end at any moment. */
class Inside {
  readonly shard = new DetectionShard();
  private readonly known = new Set<number>();
  private readonly replayUntil: number;

  constructor(private readonly outside: Outside) {
    this.shard.resumeAfter(outside.replayAfter);
    for (const [page, { position, bytes }] of outside.pages) this.shard.restorePage(page, position, bytes);
    this.replayUntil = outside.applied;
  }

  get isReplaying(): boolean {
    return this.shard.replayAfter < this.replayUntil && this.lastPosition < this.replayUntil;
  }

  lastPosition = 0;

  /** Applies successive records as one input. */
  apply(records: Record[]): void {
    const { outside, shard } = this;
    for (const { kind, ids } of records) {
      if (kind === 'define') continue;
      for (const id of ids) {
        if (this.known.has(id) || outside.erased.has(id)) continue;
        this.known.add(id);
        const type = outside.types.get(id) ?? 'gauge';
        const slotSeconds = outside.slots.get(id) ?? 60;
        shard.define(definition(id, { type, slotSeconds, mayBeCounter: id % 2 === 0 }));
      }
    }
    const { kind, position, now } = records.at(-1)!;
    const output = shard.apply({
      kind,
      position,
      now,
      ids: Uint32Array.from(records.flatMap(({ ids }) => [...ids])),
      timestamps: Float64Array.from(records.flatMap(({ timestamps }) => [...timestamps])),
      values: Float64Array.from(records.flatMap(({ values }) => [...values])),
    });
    this.lastPosition = position;
    if (position <= outside.applied) return;
    outside.events.push(...output.events);
    outside.applied = position;
    if (kind !== 'define') return;
    for (const { ids, timestamps, values } of records) {
      ids.forEach((id, row) => {
        if (values[row] === SERIES_ERASED) outside.erased.add(id);
        else if (values[row] === SERIES_SLOTS) outside.slots.set(id, timestamps[row]!);
        else outside.types.set(id, METRIC_TYPES[values[row]!]!);
      });
    }
  }

  savePage(): void {
    const saved = this.shard.savePage();
    if (saved) {
      this.outside.keepProgress(saved.progress);
      this.outside.pages.set(saved.page, { position: saved.position, bytes: saved.bytes });
    }
    this.outside.replayAfter = this.shard.replayAfter;
  }
}

const recordsOf = (shard: DetectionShard): Map<number, string> =>
  new Map(
    readEntries(shard.snapshot())
      .filter(({ definition: { id } }) => id !== ERASED)
      .map(({ definition, record }) => [
        definition.id,
        JSON.stringify(definition) + Buffer.from(record).toString('base64'),
      ]),
  );

const bySeries = (events: AnomalyEvent[]): AnomalyEvent[][] =>
  BUSY.filter((id) => id !== ERASED).map((id) => events.filter(({ seriesId }) => seriesId === id));

const sorted = (map: Map<number, string>): [number, string][] => [...map].sort(([a], [b]) => a - b);

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ what: fc.constant('apply' as const), count: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('save' as const), count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('drain' as const), count: fc.constant(0) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('crash' as const), count: fc.constant(0) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('crash while saving' as const), count: fc.constant(0) }) },
);

describe('checkpoints of pages', () => {
  const uninterrupted = new Map<number, { outside: Outside; shard: DetectionShard }>();
  const steady = (seed: number) => {
    const known = uninterrupted.get(seed);
    if (known) return known;
    const outside = new Outside();
    const inside = new Inside(outside);
    for (const record of aLog(seed)) inside.apply([record]);
    outside.keepProgress(inside.shard.drainProgress());
    uninterrupted.set(seed, { outside, shard: inside.shard });
    return { outside, shard: inside.shard };
  };

  it('restore the same events, records and progress after any number of crashes', () => {
    const events = bySeries(steady(1).outside.events);
    expect(events.filter((some) => some.length > 1).length).toBeGreaterThan(3);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { minLength: 30, maxLength: 120 }), (seed, steps) => {
        const expected = steady(seed);
        const outside = new Outside();
        let log = aLog(seed);
        let inside = new Inside(outside);
        let next = 0;
        const restart = (): void => {
          inside = new Inside(outside);
          // Records before the checkpoint are removed.
          log = log.filter(({ position }) => position > outside.replayAfter);
          next = 0;
        };
        const advance = (count: number): void => {
          const first = log[next];
          if (!first) return;
          const group = [first];
          const isReplayed = first.position <= outside.applied;
          while (!isReplayed && first.kind !== 'tick' && group.length < count) {
            const following = log[next + group.length];
            if (following?.kind !== first.kind) break;
            group.push(following);
          }
          next += group.length;
          inside.apply(group);
        };
        for (const { what, count } of steps) {
          if (what === 'apply') advance(count);
          else if (what === 'crash') restart();
          else if (inside.lastPosition < outside.applied) continue;
          else if (what === 'drain') outside.keepProgress(inside.shard.drainProgress());
          else if (what === 'save') for (let i = 0; i < count; i++) inside.savePage();
          else {
            inside.shard.savePage();
            restart();
          }
        }
        while (next < log.length) advance(3);
        outside.keepProgress(inside.shard.drainProgress());
        expect(bySeries(outside.events)).toEqual(bySeries(expected.outside.events));
        expect(sorted(recordsOf(inside.shard))).toEqual(sorted(recordsOf(expected.shard)));
        outside.progress.delete(ERASED);
        expected.outside.progress.delete(ERASED);
        expect(sorted(outside.progress)).toEqual(sorted(expected.outside.progress));
      }),
      { seed: 20_260_105, numRuns: 30 },
    );
  });

  it('save the page with the oldest unsaved change first', () => {
    const shard = new DetectionShard();
    const touch = (id: number, position: number): void => {
      shard.define(definition(id));
      shard.apply({ ...inputOf(id), position });
    };
    for (let id = 1; id <= 300; id++) touch(id, 100 + id);
    expect(shard.replayAfter).toBe(0);
    expect(shard.savePage()).toMatchObject({ page: 0, position: 400, series: 256 });
    expect(shard.replayAfter).toBe(356);
    touch(1, 410);
    expect(shard.savePage()).toMatchObject({ page: 1, position: 410, series: 44 });
    expect(shard.replayAfter).toBe(400);
    expect(shard.changedPages).toBe(1);
    expect(shard.savePage()).toMatchObject({ page: 0, position: 410 });
    expect(shard.savePage()).toBeNull();
    expect(shard.replayAfter).toBe(410);
  });

  it('are not saved for unchanged pages', () => {
    const shard = new DetectionShard();
    shard.define(definition(1));
    shard.apply({ ...inputOf(1), position: 5 });
    shard.savePage();
    shard.define(definition(1));
    shard.apply({ ...inputOf(404), position: 9 });
    expect(shard.savePage()).toBeNull();
    expect(shard.replayAfter).toBe(9);
  });

  const inputOf = (id: number): ShardInput => ({
    kind: 'live',
    now: START,
    ids: Uint32Array.of(id),
    timestamps: Float64Array.of(START),
    values: Float64Array.of(1),
  });
});
