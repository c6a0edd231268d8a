import { type SeriesName } from './series-name.js';
import type pg from 'pg';
import { type MaintenanceReport } from '../series-store.js';
import { isWild } from './exact-values.js';
import { linesOf, MAX_SAMPLES_OF_SLOT, type NewSample, rowOf, idLabelOf, selectorOf } from './samples.js';
import { beginGeneration, type Generation, type SeriesHistory } from './series-history.js';
import { type GenerationWindow, readGenerations } from './series-reads.js';
import {
  type AheadChunk,
  BEGIN_CHANGING,
  idsInChunk,
  loadStates,
  saveStates,
  type SeriesState,
} from './state-tables.js';
import { type SampleLine, type VictoriaMetricsClient } from './vm-client.js';
import { finalOf, type GenerationPoints, newestOf, type Waiting, waitingOf } from './waiting-points.js';

/** When points are moved. Seconds. */
export interface MovePolicy {
  /** Minimum age of a moved point, so that its slot is complete. */
  delaySeconds: number;
  /** Points that arrived within this time are moved together. */
  batchSeconds: number;
  /** Imported points are checked after this time: by then a server has written them to disk, or lost them. */
  settleSeconds: number;
  /** Samples of erased series are deleted after this time, when none of them is in transfer any more. */
  deleteAfterSeconds: number;
}

export const MOVE_POLICY: MovePolicy = {
  delaySeconds: 60,
  batchSeconds: 15,
  settleSeconds: 15,
  deleteAfterSeconds: 60,
};

/** Name and labels of series; unknown ones are omitted. */
export type NamesOfSeries = (
  database: pg.ClientBase,
  ids: readonly number[],
) => Promise<ReadonlyMap<number, SeriesName>>;

const MAX_POINTS = 1_000_000;
const MAX_CHUNKS = 2000;
const SERIES_AT_A_TIME = 1000;
const DELETED_AT_A_TIME = 200;
const DAY = 86_400;
/** Limit of the growing delay for points that are imported repeatedly without being found. */
const MAX_DOUBLINGS = 7;
const NO_NAME: SeriesName = { org: 0, name: '', labels: {} };

interface ImportedChunk extends AheadChunk {
  /** Number of import attempts. */
  imports: number;
}

/** Slots of one generation that wait to be moved. */
interface Movement extends GenerationPoints {
  state: SeriesState;
  name: SeriesName;
  /** Parallel to the points; undefined: VictoriaMetrics already has this value of the slot. */
  later: (number | undefined)[];
}

/**
 * Moves waiting points from PostgreSQL to VictoriaMetrics. One connection across all processes does this at a time. A
 * chunk is deleted only after all of it was found in VictoriaMetrics some time after its import; lost points are
 * imported again. Both this process and VictoriaMetrics may therefore stop at any moment.
 */
export class PointMover {
  constructor(
    private readonly client: pg.ClientBase,
    private readonly vm: VictoriaMetricsClient,
    private readonly names: NamesOfSeries,
    private readonly policy: MovePolicy,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<MaintenanceReport> {
    await this.deleteMarked();
    const foldedPoints = await this.importReady();
    await this.releaseImported();
    const { rows } = await this.client.query<{ points: number }>(
      'SELECT coalesce(sum(points), 0)::float8 AS points FROM series_ahead',
    );
    return { foldedPoints, writtenBlocks: 0, writtenBlockBytes: 0, compactedDays: 0, recentPoints: rows[0]!.points };
  }

  /** Returns the number of moved points. */
  private async importReady(): Promise<number> {
    const { delaySeconds, batchSeconds } = this.policy;
    const { rows: waits } = await this.client.query(
      `SELECT FROM series_ahead WHERE imported_at IS NULL
       AND written_at <= clock_timestamp() - make_interval(secs => $1) LIMIT 1`,
      [delaySeconds + batchSeconds],
    );
    if (waits.length === 0) return 0;
    const readyCondition = 'imported_at IS NULL AND written_at <= clock_timestamp() - make_interval(secs => $1)';
    let moved = 0;
    for (
      let ready = await this.chunks(readyCondition, delaySeconds);
      ready.length > 0;
      ready = await this.chunks(readyCondition, delaySeconds)
    ) {
      moved += await this.importChunks(ready);
    }
    return moved;
  }

  private async importChunks(chunks: readonly ImportedChunk[]): Promise<number> {
    const series = [...(await waitingOf(this.client, chunks))];
    const seqs = chunks.map(({ seq }) => seq);
    const isAgain = chunks.some(({ imports }) => imports > 0);
    await this.client.query('UPDATE series_ahead SET imports = least(imports + 1, 1000) WHERE seq = ANY($1)', [seqs]);
    let moved = 0;
    for (let first = 0; first < series.length; first += SERIES_AT_A_TIME) {
      this.signal.throwIfAborted();
      moved += await this.importSeries(new Map(series.slice(first, first + SERIES_AT_A_TIME)), isAgain);
    }
    await this.client.query('UPDATE series_ahead SET imported_at = clock_timestamp() WHERE seq = ANY($1)', [seqs]);
    return moved;
  }

  /**
   * The target samples are stored first: if the process ends in between, none of them is assigned to another value of
   * the slot.
   * @param isAgain some of it may have been imported before
   */
  private async importSeries(series: ReadonlyMap<number, Waiting>, isAgain: boolean): Promise<number> {
    const ids = [...series.keys()];
    const names = await this.names(this.client, ids);
    const movements = await this.changing(async () => {
      const states = await loadStates(this.client, ids);
      const planned = ids.flatMap((id) => {
        const state = states.get(id)!;
        const waiting = series.get(id)!;
        const name = names.get(id) ?? { ...NO_NAME, org: state.org ?? 0 };
        state.org ??= name.org;
        state.history = prepared(state, waiting);
        return newestOf(state.history, waiting).map((points): Movement => ({ ...points, state, name, later: [] }));
      });
      await this.number(planned, isAgain);
      await saveStates(this.client, [...states.values()]);
      return planned;
    });
    const linesOfOrg = new Map<number, SampleLine[]>();
    let moved = 0;
    for (const movement of movements) {
      const { state, name, generation } = movement;
      const samples = samplesOf(movement);
      if (samples.length === 0) continue;
      moved += samples.length;
      const tenant = this.vm.isByTenant ? state.org! : 0;
      const lines = linesOfOrg.get(tenant) ?? [];
      linesOfOrg.set(tenant, lines);
      lines.push(...linesOf(idLabelOf(state.id, generation.number), name, samples, generation.isWild));
    }
    for (const [tenant, lines] of linesOfOrg) await this.vm.import(tenant, lines);
    return moved;
  }

  /** Assigns a sample to each slot: an existing slot gets a later one. */
  private async number(movements: readonly Movement[], isAgain: boolean): Promise<void> {
    const unsure: { movement: Movement; row: number }[] = [];
    for (const movement of movements) {
      const { state, generation, points } = movement;
      const isCurrent = generation === state.history.generations.at(-1);
      for (const [row, timestamp] of points.timestamps.entries()) {
        if (isCurrent && timestamp > (state.lastTimestamp ?? -1)) movement.later[row] = 0;
        else if (isCurrent && !isAgain && timestamp === state.lastTimestamp) {
          movement.later[row] = Object.is(points.values[row], state.lastValue) ? undefined : state.lastLater + 1;
        } else unsure.push({ movement, row });
      }
    }
    if (unsure.length > 0) await this.lookUp(unsure);
    for (const movement of movements) {
      const { state, generation } = movement;
      if (generation !== state.history.generations.at(-1)) continue;
      if (movement.later.some((later) => later !== undefined && later >= MAX_SAMPLES_OF_SLOT)) {
        // No free millisecond is left in its slot: all points moved now start another generation.
        state.history = beginGeneration(state.history, generation.after, generation.isWild);
        movement.generation = state.history.generations.at(-1)!;
        movement.later = movement.later.map(() => 0);
        state.lastTimestamp = null;
      }
      noteNewest(movement);
    }
  }

  private async lookUp(unsure: readonly { movement: Movement; row: number }[]): Promise<void> {
    await this.vm.flush();
    const rows = new Map<Movement, number[]>();
    for (const { movement, row } of unsure) rows.set(movement, [...(rows.get(movement) ?? []), row]);
    const found = await readGenerations(
      this.vm,
      Array.from(rows, ([movement, some]) =>
        windowOf(movement.state, movement.generation, movement.points.timestamps, some),
      ),
    );
    for (const [n, [movement, some]] of [...rows].entries()) {
      const stored = found[n]!;
      const { lastTimestamp, lastLater } = movement.state;
      for (const row of some) {
        const timestamp = movement.points.timestamps[row]!;
        const place = rowOf(stored, timestamp);
        if (place === undefined) movement.later[row] = timestamp === lastTimestamp ? lastLater + 1 : 0;
        else if (Object.is(stored.values[place], movement.points.values[row])) movement.later[row] = undefined;
        else movement.later[row] = stored.later[place]! + 1;
      }
    }
  }

  /** Deletes chunks that were found in VictoriaMetrics; the others are imported again. */
  private async releaseImported(): Promise<void> {
    const readyCondition = `imported_at <= clock_timestamp()
      - make_interval(secs => $1 * 2 ^ least(imports - 1, ${String(MAX_DOUBLINGS)}))`;
    const { settleSeconds } = this.policy;
    let ready = await this.chunks(readyCondition, settleSeconds);
    if (ready.length > 0) await this.vm.flush();
    for (; ready.length > 0; ready = await this.chunks(readyCondition, settleSeconds)) {
      const lost = await this.findLost(ready);
      const found = ready.filter(({ seq }) => !lost.has(seq));
      const held = await this.findHeld(found);
      await this.client.query('UPDATE series_ahead SET imported_at = NULL WHERE seq = ANY($1)', [[...lost]]);
      await this.client.query('UPDATE series_ahead SET imported_at = clock_timestamp() WHERE seq = ANY($1)', [
        [...held],
      ]);
      await this.client.query('DELETE FROM series_ahead WHERE seq = ANY($1)', [
        found.map(({ seq }) => seq).filter((seq) => !held.has(seq)),
      ]);
      // Those are checked again in the next run.
      if (lost.size + held.size > 0) return;
    }
  }

  /**
   * Numbers of the chunks that must be kept because an older chunk of the same series is kept: alone, that one would
   * count as the newest write of their slots when it is imported again.
   */
  private async findHeld(chunks: readonly AheadChunk[]): Promise<Set<number>> {
    const held = new Set<number>();
    if (chunks.length === 0) return held;
    const { rows } = await this.client.query<AheadChunk>(
      'SELECT seq::float8 AS seq, payload FROM series_ahead WHERE seq < $1 AND seq <> ALL($2) ORDER BY seq',
      [chunks.at(-1)!.seq, chunks.map(({ seq }) => seq)],
    );
    const oldest = new Map<number, number>();
    for (const { seq, payload } of rows) {
      for (const id of idsInChunk(payload)) if (!oldest.has(id)) oldest.set(id, seq);
    }
    for (const { seq, payload } of oldest.size === 0 ? [] : chunks) {
      const ids = [...idsInChunk(payload)];
      if (!ids.some((id) => (oldest.get(id) ?? Infinity) < seq)) continue;
      held.add(seq);
      for (const id of ids) if (!oldest.has(id)) oldest.set(id, seq);
    }
    return held;
  }

  /** Numbers of the chunks that are not completely in VictoriaMetrics. */
  private async findLost(chunks: readonly AheadChunk[]): Promise<Set<number>> {
    const series = [...(await waitingOf(this.client, chunks))];
    const lost = new Set<number>();
    for (let first = 0; first < series.length; first += SERIES_AT_A_TIME) {
      this.signal.throwIfAborted();
      const some = series.slice(first, first + SERIES_AT_A_TIME);
      const states = await loadStates(
        this.client,
        some.map(([id]) => id),
      );
      const expected = some.flatMap(([id, waiting]) =>
        finalOf(states.get(id)!.history, waiting)
          .filter(({ points }) => points.timestamps.length > 0)
          .map((final) => ({ ...final, waiting, state: states.get(id)! })),
      );
      const found = await readGenerations(
        this.vm,
        expected.map(({ state, generation, points }) => windowOf(state, generation, points.timestamps)),
      );
      for (const [n, { points, waiting }] of expected.entries()) {
        const stored = found[n]!;
        for (const [row, timestamp] of points.timestamps.entries()) {
          const place = rowOf(stored, timestamp);
          if (place !== undefined && Object.is(stored.values[place], points.values[row])) continue;
          for (const { seq, points: written } of waiting.chosen) {
            if (rowOf(written, timestamp) !== undefined) lost.add(seq);
          }
        }
      }
    }
    return lost;
  }

  private async deleteMarked(): Promise<void> {
    for (;;) {
      const { rows } = await this.client.query<{ id: number; generation: number; org: number }>(
        `SELECT metric_id AS id, generation, org_id AS org FROM series_doomed
         WHERE doomed_at <= clock_timestamp() - make_interval(secs => $1) ORDER BY org_id, metric_id, generation LIMIT $2`,
        [this.policy.deleteAfterSeconds, DELETED_AT_A_TIME],
      );
      if (rows.length === 0) return;
      const byTenant = new Map<number, string[]>();
      for (const { id, generation, org } of rows) {
        const tenant = this.vm.isByTenant ? org : 0;
        byTenant.set(tenant, [...(byTenant.get(tenant) ?? []), idLabelOf(id, generation)]);
      }
      for (const [tenant, labels] of byTenant) await this.vm.deleteSeries(tenant, selectorOf(labels));
      await this.client.query(
        `DELETE FROM series_doomed d USING unnest($1::int[], $2::int[]) AS done (id, generation)
         WHERE d.metric_id = done.id AND d.generation = done.generation`,
        [rows.map(({ id }) => id), rows.map(({ generation }) => generation)],
      );
    }
  }

  /** The oldest chunks that are ready to be moved, up to about a million points. */
  private async chunks(readyCondition: string, seconds: number): Promise<ImportedChunk[]> {
    const { rows } = await this.client.query<ImportedChunk>(
      `SELECT seq, payload, imports FROM (
         SELECT seq::float8 AS seq, payload, imports, sum(points) OVER (ORDER BY seq) - points AS before
         FROM series_ahead WHERE ${readyCondition}
       ) AS ready WHERE before < $2 ORDER BY seq LIMIT $3`,
      [seconds, MAX_POINTS, MAX_CHUNKS],
    );
    return rows;
  }

  private async changing<T>(work: () => Promise<T>): Promise<T> {
    await this.client.query(BEGIN_CHANGING);
    try {
      const result = await work();
      await this.client.query('COMMIT');
      return result;
    } catch (error) {
      await this.client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }
}

/** Starts another generation if the current one cannot contain the waiting points. Updates the state accordingly. */
function prepared(state: SeriesState, { chosen }: Waiting): SeriesHistory {
  const { history } = state;
  const current = history.generations.at(-1)!;
  const written = chosen.filter(({ seq }) => seq > current.after);
  if (written.length === 0) return history;
  const { hidden } = history;
  const isLate = ({ seq, points }: (typeof written)[number]) =>
    seq > hidden.seq && current.after < hidden.seq && points.timestamps[0]! < hidden.until;
  const turnsWild = !current.isWild && written.some(({ points }) => points.values.some(isWild));
  if (!turnsWild && !written.some(isLate)) return history;
  state.lastTimestamp = null;
  const after = Math.max(current.after, written.some(isLate) ? hidden.seq : 0, turnsWild ? written[0]!.seq - 1 : 0);
  return beginGeneration(history, after, current.isWild || turnsWild);
}

function noteNewest({ state, points, later }: Movement): void {
  for (const [row, timestamp] of points.timestamps.entries()) {
    if (later[row] === undefined || timestamp < (state.lastTimestamp ?? -1)) continue;
    state.lastTimestamp = timestamp;
    state.lastLater = later[row];
    state.lastValue = points.values[row]!;
  }
}

function samplesOf({ points, later }: Movement): NewSample[] {
  const samples: NewSample[] = [];
  for (const [row, timestamp] of points.timestamps.entries()) {
    const by = later[row];
    if (by !== undefined) samples.push({ timestamp, later: by, value: points.values[row]! });
  }
  return samples;
}

/** In whole days, so that many series are read together. @param rows default: all */
function windowOf(
  { id, org }: SeriesState,
  generation: Generation,
  timestamps: Float64Array,
  rows?: readonly number[],
): GenerationWindow {
  const [first, last] = [timestamps[rows?.[0] ?? 0]!, timestamps[rows?.at(-1) ?? timestamps.length - 1]!];
  const dayOf = (timestamp: number) => timestamp - (timestamp % DAY);
  return { id, generation: generation.number, org: org ?? 0, from: dayOf(first), until: dayOf(last) + DAY - 1 };
}
