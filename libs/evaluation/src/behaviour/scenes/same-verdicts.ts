import {
  type AnomalyEvent,
  DetectionShard,
  detectSeries,
  type DetectSeriesOptions,
  type SeriesVerdicts,
  type ShardInput,
} from '#libs/detection';
import {
  autoregressive,
  dailySine,
  definition,
  differenceFromWhole,
  differenceOfEvents,
  during,
  firstRows,
  type Generator,
  type Rows,
  series,
  white,
} from '#libs/detection/testing';
import { ALWAYS, type Cell, cell, type Outcome, type Scene, scene, yes } from '../cell.js';

/** The same points give the same verdicts, however they arrive. */

const DAYS = 6;
const OPTIONS: DetectSeriesOptions = { type: 'gauge', slotSeconds: 60, seriesId: 1 };

/** Four series with trouble of different kinds. */
function withTrouble(seed: number): Generator[] {
  return [
    during(dailySine(seed), 4.3, 60, (x) => x + 12),
    during(white(seed + 1), 4.5, 100, () => 1),
    during(autoregressive(seed + 2, 0.99), 3.2, 1200, (x, minute) => x - minute / 8),
    during(dailySine(seed + 3, 20), 3.1, 2000, (x) => x - 50),
  ];
}

interface Stored {
  all: Rows[];
  verdicts: SeriesVerdicts[];
}

const IDS = [1, 2, 3, 4];

/** Rows of all series in chronological order, as columns of ids, timestamps and values. */
function interleave(all: readonly Rows[], ids: readonly number[]): Pick<ShardInput, 'ids' | 'timestamps' | 'values'> {
  const rows = all[0]!.values.length;
  const columns = {
    ids: new Uint32Array(rows * ids.length),
    timestamps: new Float64Array(rows * ids.length),
    values: new Float64Array(rows * ids.length),
  };
  for (let row = 0, at = 0; row < rows; row++) {
    for (const id of ids) {
      columns.ids[at] = id;
      columns.timestamps[at] = all[id - 1]!.timestamps[row]!;
      columns.values[at++] = all[id - 1]!.values[row]!;
    }
  }
  return columns;
}

/** Sends rows [from, until) in inputs of 1 to `most` rows; returns the events. */
function stream(
  shard: DetectionShard,
  columns: ReturnType<typeof interleave>,
  chance: () => number,
  { from = 0, until = columns.ids.length, most = 2000 } = {},
): AnomalyEvent[] {
  const events: AnomalyEvent[] = [];
  for (let at = from; at < until;) {
    const end = Math.min(until, at + 1 + Math.floor(chance() * most));
    const output = shard.apply({
      kind: 'live',
      now: columns.timestamps[end - 1]!,
      ids: columns.ids.slice(at, end),
      timestamps: columns.timestamps.slice(at, end),
      values: columns.values.slice(at, end),
    });
    events.push(...output.events);
    at = end;
  }
  return events;
}

function shardOf(ids: readonly number[]): DetectionShard {
  const shard = new DetectionShard();
  for (const id of ids) shard.define(definition(id));
  return shard;
}

const bySeries = (events: readonly AnomalyEvent[]): AnomalyEvent[] =>
  IDS.flatMap((id) => events.filter(({ seriesId }) => seriesId === id));

/** The events of all series equal those of the stored verdicts. */
function sameAsStored({ verdicts }: Stored, events: readonly AnomalyEvent[]): Outcome {
  const stored = verdicts.flatMap(({ anomalies }, index) =>
    anomalies.map((one) => ({ ...one, seriesId: IDS[index]! })),
  );
  if (stored.length === 0) return yes(false, 'no event at all');
  const difference = differenceOfEvents(bySeries(events), stored);
  return yes(difference === undefined, difference);
}

const cells: readonly Cell<Stored>[] = [
  cell('verdicts of the past never change', ALWAYS, ({ all, verdicts }, chance) => {
    for (const [index, rows] of all.entries()) {
      const part = firstRows(rows, Math.floor(chance() * rows.values.length));
      const again = detectSeries(part.timestamps, part.values, OPTIONS);
      const difference = differenceFromWhole(again, verdicts[index]!);
      if (difference !== undefined) return yes(false, difference);
    }
    return yes(true);
  }),
  cell('streamed in inputs of any size as stored', ALWAYS, (stored, chance) => {
    return sameAsStored(stored, stream(shardOf(IDS), interleave(stored.all, IDS), chance));
  }),
  cell('two shards say what one says', ALWAYS, (stored, chance) => {
    const events = [
      [1, 4],
      [2, 3],
    ].flatMap((ids) => stream(shardOf(ids), interleave(stored.all, ids), chance));
    return sameAsStored(stored, events);
  }),
  cell('stopped and restored at any row as never stopped', ALWAYS, (stored, chance) => {
    const columns = interleave(stored.all, IDS);
    const middle = Math.floor(chance() * columns.ids.length);
    const first = shardOf(IDS);
    const before = stream(first, columns, chance, { until: middle });
    const bytes = first.snapshot();
    const second = DetectionShard.restore(bytes);
    if (!isEqual(second.snapshot(), bytes)) return yes(false, 'another snapshot');
    const after = stream(second, columns, chance, { from: middle });
    return sameAsStored(stored, [...before, ...after]);
  }),
];

function isEqual(some: Uint8Array, others: Uint8Array): boolean {
  return some.length === others.length && some.every((byte, index) => byte === others[index]);
}

export const sameVerdicts: readonly Scene[] = [
  scene('the same points', (seed): Stored => {
    const all = withTrouble(seed).map((generator) => series(DAYS, 60, generator));
    return { all, verdicts: all.map((rows) => detectSeries(rows.timestamps, rows.values, OPTIONS)) };
  }).with(cells),
];
