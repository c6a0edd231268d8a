import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { answeredSlots, columnsOf, LONGEST_SLOT, requireFitting } from '../answer/stored-series.js';
import { type StoredSeries } from '../answer/stored-series.types.js';
import { pointsBetween } from '../points/point-columns.js';
import { connectForMaintenance, createPool, LOCK_MAINTENANCE, UNLOCK_MAINTENANCE } from '../postgres/connection.js';
import { chunksOf, JoinedWrites } from '../postgres/recent-writer.js';
import { cutOf, SeriesPeriods } from '../retention/series-periods.js';
import { type RollupSlots, slotStart } from '../rollup/rollup-slots.js';
import {
  type MaintenanceReport,
  type RetentionPlan,
  type RetentionTiers,
  type SeriesBatch,
  type SeriesColumns,
  type SeriesQuery,
} from '../series-store.js';
import { type TransferableStore } from '../series-transfer.js';
import { MOVE_POLICY, type MovePolicy, type NamesOfSeries, PointMover } from './move-points.js';
import { MAX_VERSIONS, ROLLUP_LABEL, ROLLUP_NAME } from './rollup-samples.js';
import { idLabelOf, linesOfRollups, selectorOf } from './samples.js';
import { type SeriesName } from './series-name.js';
import {
  countsFrom,
  cutIndexOf,
  erased,
  generationOf,
  type Stretch,
  storedSeriesOf,
  withoutTier1,
} from './series-history.js';
import { retireSeries } from './retire-series.js';
import { type GenerationWindow, readGenerations } from './series-reads.js';
import {
  BEGIN_CHANGING,
  markForDeletion,
  type FoundSeries,
  insertChunks,
  loadStates,
  loadWindows,
  newState,
  saveStates,
  type SeriesState,
  type SeriesWindow,
  takeMark,
} from './state-tables.js';
import { type VictoriaMetricsAddress } from './vm-address.js';
import { VictoriaMetricsClient } from './vm-client.js';

export interface VictoriaMetricsSeriesStoreOptions {
  address: VictoriaMetricsAddress;
  /** PostgreSQL with the tables of the migrations: points wait there until they are confirmed in VictoriaMetrics. */
  connectionString: string;
  /** For series without other settings. The resolution of tier 2 is a multiple of that of tier 1. */
  tiers: RetentionTiers;
  /** Names and labels of series, for the written samples. */
  names: NamesOfSeries;
  maxConnections?: number;
  /** Omitted members have their defaults. */
  policy?: Partial<MovePolicy>;
  /** Writes are refused while this many points wait. */
  mostWaitingPoints?: number;
}

const DAY = 86_400;
const OWN_TIERS: RetentionPlan = { groups: [], newestId: Infinity };
const MAX_WAITING_POINTS = 200_000_000;
const COUNT_EVERY_MS = 5000;
const SETTLE_EVERY_MS = 1000;
/** VictoriaMetrics accepts samples up to two days in the future. */
const FUTURE_SECONDS = 2 * DAY;
/** A query returns nothing if its window, including the margin that the server adds, begins before 1970. */
const EARLIEST = 2 * DAY;
const LATEST = 253_402_300_799;

/** Too many points wait for VictoriaMetrics; no more are accepted. */
export class TooManyWaitingError extends Error {
  constructor(points: number) {
    super(`${String(points)} points wait for VictoriaMetrics, so no more are taken`);
    this.name = 'TooManyWaitingError';
  }
}

/**
 * SeriesStore in VictoriaMetrics, see README.md. Points wait in PostgreSQL (series_ahead) for a minute or two, so that
 * a write is durable immediately and a slot is complete when it moves; `maintain` moves them (move-points.ts). The
 * state of a series apart from its samples is in series_outside. VictoriaMetrics keeps every point until its own
 * retention ends or the series is deleted: roll-ups are computed on read, and the retention of tiers is applied on
 * read.
 */
export class VictoriaMetricsSeriesStore implements TransferableStore {
  private readonly pool: pg.Pool;
  private readonly writes = new JoinedWrites((batch) => insertChunks(this.pool, chunksOf(batch)));
  private readonly vm: VictoriaMetricsClient;
  private readonly tiers: RetentionTiers;
  private readonly policy: MovePolicy;
  private readonly closing = new AbortController();
  private maintaining: Promise<unknown> = Promise.resolve();
  private maintainer: pg.Client | undefined;
  private waiting = { points: 0, countedAt: -Infinity };

  constructor(private readonly options: VictoriaMetricsSeriesStoreOptions) {
    requireFitting(options.tiers);
    this.tiers = options.tiers;
    this.policy = { ...MOVE_POLICY, ...options.policy };
    this.vm = new VictoriaMetricsClient(options.address, this.closing.signal);
    this.pool = createPool(options.connectionString, options.maxConnections ?? 4);
  }

  /** @throws TooManyWaitingError if VictoriaMetrics has been unavailable for too long */
  async write(batch: SeriesBatch): Promise<void> {
    await this.requireRoom();
    await this.writes.write(batch);
  }

  async read(query: SeriesQuery): Promise<SeriesColumns> {
    const [columns] = await this.readMany([query]);
    return columns!;
  }

  async readMany(queries: readonly SeriesQuery[]): Promise<SeriesColumns[]> {
    const wanted = queries.map((query) => answeredSlots(query, this.tiers));
    const windows = queries.map(({ id }, i) => ({ id, from: wanted[i]!.from, until: wanted[i]!.until + LONGEST_SLOT }));
    const series = await this.load(windows);
    return queries.map((query, i) => columnsOf(query, series[i]!, wanted[i]!));
  }

  async readRaw(id: number, from: number, until: number): Promise<{ timestamps: Float64Array; values: Float64Array }> {
    const [series] = await this.load([{ id, from, until }]);
    return { timestamps: series!.points.timestamps.slice(), values: series!.points.values.slice() };
  }

  async extent(id: number): Promise<{ first: number; last: number } | null> {
    const [found] = await loadWindows(this.pool, [{ id, from: 0, until: LATEST }]);
    const { state, ahead } = found!;
    let first = Infinity;
    let last = -Infinity;
    const note = (generation: number, timestamp: number): void => {
      const cut = state.history.cuts[cutIndexOf(state.history, generation, timestamp)];
      first = Math.min(first, cut ? slotStart(timestamp, cut.slotSeconds) : timestamp);
      last = Math.max(last, timestamp);
    };
    for (const stretch of stretchesAhead(found!)) {
      const from = countsFrom(state.history, stretch);
      const { timestamps } = pointsBetween(stretch.points, from, LATEST);
      for (const timestamp of timestamps) note(stretch.generation.number, timestamp);
    }
    if (state.org !== null || ahead.length === 0) {
      for (const generation of state.history.generations) {
        const from = countsFrom(state.history, { generation, seq: null });
        for (const timestamp of await this.endsOf(state, generation.number, from)) note(generation.number, timestamp);
      }
    }
    return last < 0 ? null : { first, last };
  }

  async erase(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.change(ids, (state, mark) => {
      const generations = state.history.generations.map(({ number }) => number);
      const isMoved = state.org !== null;
      Object.assign(state, { ...newState(state.id), org: state.org, history: erased(state.history, mark) });
      return isMoved ? generations : [];
    });
  }

  async dropTier1(ids: readonly number[], tiers = this.tiers): Promise<void> {
    requireFitting(tiers);
    if (ids.length === 0) return;
    await this.change(ids, (state, mark) => {
      state.history = withoutTier1(state.history, mark, cutOf(tiers));
      state.lastTimestamp = null;
      return [];
    });
  }

  maintain(): Promise<MaintenanceReport> {
    return this.maintenance((client) =>
      new PointMover(client, this.vm, this.options.names, this.policy, this.closing.signal).run(),
    );
  }

  async applyRetention(now: number, plan: RetentionPlan = OWN_TIERS): Promise<void> {
    for (const { tiers } of plan.groups) requireFitting(tiers);
    const periods = new SeriesPeriods(this.tiers, plan);
    await this.maintenance((client) => retireSeries(client, now, periods, this.closing.signal));
  }

  async close(): Promise<void> {
    this.closing.abort(new Error('The series store was closed'));
    await this.maintaining.catch(() => undefined);
    await this.maintainer?.end().catch(() => undefined);
    if (!this.pool.ending) await this.pool.end();
  }

  /** PostgreSQL first: a point that moves in the meantime is then seen twice, never missed. */
  private async load(windows: readonly SeriesWindow[]): Promise<StoredSeries[]> {
    if (windows.length === 0) return [];
    // Roll-ups consist of whole days.
    const wide = windows.map(({ id, from, until }) => ({
      id,
      from: Math.max(0, from - (from % DAY)),
      until: Math.min(LATEST, until - (until % DAY) + DAY - 1),
    }));
    const found = await loadWindows(this.pool, wide);
    const asked: GenerationWindow[] = [];
    const firstOf = found.map(({ state }, i) => {
      const { id, from, until } = needsWholeDays(state) ? wide[i]! : windows[i]!;
      const first = asked.length;
      for (const { number } of state.history.generations) {
        asked.push({ id, generation: number, org: state.org ?? 0, from, until });
      }
      return first;
    });
    const stored = await readGenerations(this.vm, asked);
    return found.map((one, i) => {
      const { history } = one.state;
      const ahead = stretchesAhead(one);
      const stretches = history.generations.flatMap((generation, n): Stretch[] => [
        { generation, seq: null, points: stored[firstOf[i]! + n]! },
        ...ahead.filter((stretch) => stretch.generation === generation),
      ]);
      const carried = history.generations.flatMap((generation, n) =>
        stored[firstOf[i]! + n]!.days.map(({ slots }) => ({ generation, slots })),
      );
      const { points, rollups } = storedSeriesOf(history, stretches, carried);
      return { points: pointsBetween(points, windows[i]!.from, windows[i]!.until), rollups };
    });
  }

  async readStored(id: number, from: number, until: number): Promise<StoredSeries> {
    const [series] = await this.load([{ id, from, until }]);
    return series!;
  }

  async writeRollups(id: number, rollups: readonly RollupSlots[]): Promise<void> {
    if (rollups.length === 0) return;
    const client = await this.pool.connect();
    try {
      const names = await this.options.names(client, [id]);
      await client.query(BEGIN_CHANGING);
      const state = (await loadStates(client, [id])).get(id)!;
      state.org ??= names.get(id)?.org ?? 0;
      const isFirst = state.history.hasCarried !== true;
      state.history = { ...state.history, hasCarried: true };
      await saveStates(client, [state]);
      await client.query('COMMIT');
      const name = names.get(id) ?? { org: state.org, name: '', labels: {} };
      await this.importRollups(state, name, rollups, isFirst);
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.release();
  }

  /** Moves all waiting points and checks them, until none waits any more. */
  async settle(): Promise<void> {
    const policy = { ...this.policy, delaySeconds: 0, batchSeconds: 0 };
    for (;;) {
      const { recentPoints } = await this.maintenance((client) =>
        new PointMover(client, this.vm, this.options.names, policy, this.closing.signal).run(),
      );
      if (recentPoints === 0) return;
      await sleep(SETTLE_EVERY_MS, undefined, { signal: this.closing.signal });
    }
  }

  private async importRollups(
    state: SeriesState,
    name: SeriesName,
    rollups: readonly RollupSlots[],
    isFirst: boolean,
  ): Promise<void> {
    const { id } = state;
    const org = state.org!;
    const generation = state.history.generations.at(-1)!.number;
    const versions = isFirst ? new Map<number, number>() : await this.rollupVersions(state, generation, rollups);
    const days = rollups.map((slots) => ({ version: (versions.get(dayOfSlots(slots)) ?? -1) + 1, slots }));
    if (days.some(({ version }) => version >= MAX_VERSIONS)) throw new RangeError('A day was rolled up too often');
    await this.vm.import(this.vm.isByTenant ? org : 0, linesOfRollups(idLabelOf(id, generation), name, days));
  }

  /** The stored versions of days. */
  private async rollupVersions(
    { id, org }: SeriesState,
    generation: number,
    rollups: readonly RollupSlots[],
  ): Promise<Map<number, number>> {
    await this.vm.flush();
    const [from, until] = [dayOfSlots(rollups[0]!), dayOfSlots(rollups.at(-1)!) + DAY - 1];
    const [found] = await readGenerations(this.vm, [{ id, generation, org: org ?? 0, from, until }]);
    return new Map(found!.days.map(({ version, slots }) => [dayOfSlots(slots), version]));
  }

  /** First and last slot of a generation in VictoriaMetrics, from a time on. */
  private async endsOf({ id, org, history }: SeriesState, generation: number, from: number): Promise<number[]> {
    const time = Math.floor(Date.now() / 1000) + FUTURE_SECONDS;
    const label = idLabelOf(id, generation);
    const since = Math.max(from, EARLIEST);
    // The encoded roll-ups are not points.
    const samples = `${selectorOf([label]).slice(0, -1)},__name__!="${ROLLUP_NAME}"}[${String(time - since)}s]`;
    const ends = ['min', 'max'].map((name, n) =>
      this.vm.query(
        org ?? 0,
        `${name}(${n === 0 ? 'tfirst' : 'tlast'}_over_time(${samples})) by (${ROLLUP_LABEL})`,
        time,
      ),
    );
    const [first, last] = await Promise.all(ends);
    const found = [...first!, ...last!].map(({ value }) => Math.floor(value));
    if (history.hasCarried !== true) return found;
    // The last of the averages is at the start of its slot, whose last point came later.
    const [newest] = last!.filter(({ metric }) => metric[ROLLUP_LABEL] !== undefined).map(({ value }) => value);
    if (newest === undefined) return found;
    const day = newest - (newest % DAY);
    const window = { id, generation, org: org ?? 0, from: day, until: day + DAY - 1 };
    const [stored] = await readGenerations(this.vm, [window]);
    return [...found, ...stored!.days.map(({ slots }) => slots.lastTimestamps.at(-1)!)];
  }

  /** @param work returns the generations whose samples must be deleted */
  private async change(ids: readonly number[], work: (state: SeriesState, mark: number) => number[]): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query(BEGIN_CHANGING);
      const mark = await takeMark(client);
      const states = [...(await loadStates(client, [...new Set(ids)])).values()];
      const deleted = states.flatMap((state) =>
        work(state, mark).map((generation) => ({ id: state.id, generation, org: state.org ?? 0 })),
      );
      await saveStates(client, states);
      await markForDeletion(client, deleted);
      await client.query('COMMIT');
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.release();
  }

  /** Sequential in this process; other processes wait for a lock. */
  private maintenance<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    const run = async (): Promise<T> => {
      this.closing.signal.throwIfAborted();
      const client = (this.maintainer ??= await connectForMaintenance(this.options.connectionString));
      try {
        await client.query(LOCK_MAINTENANCE);
        const result = await work(client);
        await client.query(UNLOCK_MAINTENANCE);
        return result;
      } catch (error) {
        // Closing the connection is the one rollback that works in every state.
        this.maintainer = undefined;
        await client.end().catch(() => undefined);
        throw error;
      }
    };
    const result = this.maintaining.then(run, run);
    this.maintaining = result;
    return result;
  }

  private async requireRoom(): Promise<void> {
    if (performance.now() - this.waiting.countedAt > COUNT_EVERY_MS) {
      this.waiting.countedAt = performance.now();
      const { rows } = await this.pool.query<{ points: number }>(
        'SELECT coalesce(sum(points), 0)::float8 AS points FROM series_ahead',
      );
      this.waiting.points = rows[0]!.points;
    }
    const { points } = this.waiting;
    if (points > (this.options.mostWaitingPoints ?? MAX_WAITING_POINTS)) throw new TooManyWaitingError(points);
  }
}

function needsWholeDays({ history }: SeriesState): boolean {
  return history.cuts.length > 0 || history.hasCarried === true;
}

/** Waiting points of a series that are not erased. */
function stretchesAhead({ state, ahead }: FoundSeries): (Stretch & { seq: number })[] {
  return ahead.flatMap(({ seq, points }) => {
    const generation = generationOf(state.history, seq);
    return generation ? [{ generation, seq, points }] : [];
  });
}

function dayOfSlots({ starts }: RollupSlots): number {
  return starts[0]! - (starts[0]! % DAY);
}
