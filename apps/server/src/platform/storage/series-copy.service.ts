import { Injectable } from '@nestjs/common';
import {
  type PointColumns,
  type RollupSlots,
  type TransferableStore,
  type TransferredSeries,
  type VictoriaMetricsAddress,
} from '#libs/series';
import { DAY } from '../../common/time.js';
import { WrongSeriesStoreError } from './series-home.errors.js';
import { homeName, openSeriesStore } from './series-home.js';
import { SeriesHomeRepository } from './series-home.repository.js';
import { type CopiedSeries, SeriesCopyRepository } from './series-copy.repository.js';

/**
 * Number of series and points that are flushed and compared together: a server needs half a minute to have them on
 * disk.
 */
const SERIES_AT_A_TIME = 5000;
const POINTS_AT_A_TIME = 20_000_000;
/** For one series at a time: a quarter of a million points at ten seconds. */
const WINDOW = 30 * DAY;
const CONNECTIONS = 2;

export interface SeriesCopyOrder {
  /** Null: PostgreSQL. */
  from: VictoriaMetricsAddress | null;
  to: VictoriaMetricsAddress | null;
  signal: AbortSignal;
  /** Called before the first series, and after each batch. */
  progress: (state: { copied: number; all: number }) => void;
}

export interface SeriesCopyReport {
  /** False: the copy was interrupted, and continues with the next call. */
  isComplete: boolean;
  /** Total of all calls. */
  points: number;
  rollupDays: number;
}

/** A series differs between the two stores. */
export class CopyDiffersError extends Error {
  constructor(id: number) {
    super(`Metric ${String(id)} reads differently from the store that it was copied to. Run the command again.`);
    this.name = 'CopyDiffersError';
  }
}

/**
 * Copies the points of the installation from one store to another, and makes the target its store when all points are
 * there.
 */
@Injectable()
export class SeriesCopyService {
  constructor(
    private readonly copies: SeriesCopyRepository,
    private readonly homes: SeriesHomeRepository,
  ) {}

  /** @throws WrongSeriesStoreError, CopyDiffersError; VictoriaMetricsError if a store is unavailable */
  async copy({ from, to, signal, progress }: SeriesCopyOrder): Promise<SeriesCopyReport> {
    await this.requirePossible(from, to);
    const target = homeName({ address: to });
    const { connectionString } = this.copies;
    const source = openSeriesStore({ connectionString, address: from, delaySeconds: 0 }, CONNECTIONS);
    const sink = openSeriesStore({ connectionString, address: to, delaySeconds: 0 }, CONNECTIONS);
    try {
      for (;;) {
        progress(await this.copies.countOfInstallation(target));
        const ids = await this.copies.listIdsOfInstallation(target, SERIES_AT_A_TIME);
        if (ids.length === 0) break;
        const copied: CopiedSeries[] = [];
        for (const id of ids) {
          if (signal.aborted) return { isComplete: false, ...(await this.copies.totalOfInstallation(target)) };
          copied.push(await copyOne(source, sink, id));
          if (copied.reduce((sum, { points }) => sum + points, 0) >= POINTS_AT_A_TIME) break;
        }
        await sink.settle();
        for (const { id } of copied) await compareOne(source, sink, id);
        await this.copies.recordOfInstallation(target, copied);
      }
      await this.homes.saveHomeOfInstallation(target);
      return { isComplete: true, ...(await this.copies.totalOfInstallation(target)) };
    } finally {
      await Promise.all([source.close(), sink.close()]);
    }
  }

  private async requirePossible(from: VictoriaMetricsAddress | null, to: VictoriaMetricsAddress | null): Promise<void> {
    const [source, target] = [homeName({ address: from }), homeName({ address: to })];
    if (source === target) {
      throw new WrongSeriesStoreError(
        source === 'postgres'
          ? 'Both stores are PostgreSQL.'
          : 'Points move from one VictoriaMetrics to another with vmctl: labels and samples stay as they are.',
      );
    }
    const home = await this.homes.findHomeOfInstallation();
    if (home !== undefined && home !== source) {
      throw new WrongSeriesStoreError(`The points of this installation are in ${home} already.`);
    }
    if (await this.copies.isDetecting()) {
      throw new WrongSeriesStoreError(
        'A process of this installation detects, and writes points meanwhile. Stop the processes with the role detect ' +
          'first; those with the role ingest may go on, what they take waits.',
      );
    }
  }
}

/** Replaces what an earlier copy of the series left in the target. */
async function copyOne(source: TransferableStore, sink: TransferableStore, id: number): Promise<CopiedSeries> {
  if ((await sink.extent(id)) !== null) await sink.erase([id]);
  let written = 0;
  const days: RollupSlots[] = [];
  for await (const { points, rollups } of windowsOf(source, id)) {
    const count = points.timestamps.length;
    if (count > 0) await sink.write({ ids: new Uint32Array(count).fill(id), ...points });
    days.push(...rollups);
    written += count;
  }
  if (days.length > 0) await sink.writeRollups(id, days);
  return { id, points: written, rollupDays: days.length };
}

async function compareOne(source: TransferableStore, sink: TransferableStore, id: number): Promise<void> {
  for await (const { points, rollups, from, until } of windowsOf(source, id)) {
    const found = await sink.readStored(id, from, until);
    const isSame =
      arePointsSame(points, found.points) &&
      rollups.length === found.rollups.length &&
      rollups.every((slots, i) => areSlotsSame(slots, found.rollups[i]!));
    if (!isSame) throw new CopyDiffersError(id);
  }
}

/** Windows of whole days, so that each roll-up is in only one of them. */
async function* windowsOf(
  store: TransferableStore,
  id: number,
): AsyncGenerator<TransferredSeries & { from: number; until: number }> {
  const extent = await store.extent(id);
  if (extent === null) return;
  for (let from = extent.first - (extent.first % DAY); from <= extent.last; from += WINDOW) {
    const until = from + WINDOW - 1;
    yield { ...(await store.readStored(id, from, until)), from, until };
  }
}

function arePointsSame(a: PointColumns, b: PointColumns): boolean {
  return areColumnsSame(a.timestamps, b.timestamps) && areColumnsSame(a.values, b.values);
}

function areSlotsSame(a: RollupSlots, b: RollupSlots): boolean {
  return (
    a.slotSeconds === b.slotSeconds &&
    (['starts', 'counts', 'mins', 'maxs', 'sums', 'lasts'] as const).every((name) => areColumnsSame(a[name], b[name]))
  );
}

function areColumnsSame(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}
