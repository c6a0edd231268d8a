import type pg from 'pg';
import { cutOf, type SeriesPeriods } from '../retention/series-periods.js';
import { erased, retired } from './series-history.js';
import {
  type AheadChunk,
  BEGIN_CHANGING,
  markForDeletion,
  idsInChunk,
  loadStates,
  loadStatesAfter,
  newState,
  saveStates,
  type SeriesState,
  takeMark,
} from './state-tables.js';

const SERIES_AT_A_TIME = 2000;
const CHUNKS_AT_A_TIME = 500;
const DAY = 86_400;

/**
 * Records for every series which of its days have left tier 1 and tier 2. Samples are kept, except those of series
 * without remaining data.
 */
export async function retireSeries(
  client: pg.ClientBase,
  now: number,
  periods: SeriesPeriods,
  signal: AbortSignal,
): Promise<void> {
  const waiting = await noteWaiting(client);
  for (let after = -1; ;) {
    signal.throwIfAborted();
    await client.query(BEGIN_CHANGING);
    try {
      const mark = await takeMark(client);
      const states = await loadStatesAfter(client, after, SERIES_AT_A_TIME);
      const changed: SeriesState[] = [];
      const deleted: { id: number; generation: number; org: number }[] = [];
      for (const state of states) {
        if (state.id > periods.newestId) continue;
        const generations = state.history.generations.map(({ number }) => number);
        const change = retire(state, now, periods, mark, !waiting.has(state.id));
        if (change !== 'none') changed.push(state);
        if (change === 'erased') {
          deleted.push(...generations.map((generation) => ({ id: state.id, generation, org: state.org ?? 0 })));
        }
      }
      await saveStates(client, changed);
      await markForDeletion(client, deleted);
      await client.query('COMMIT');
      if (states.length < SERIES_AT_A_TIME) return;
      after = states.at(-1)!.id;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }
}

/** @param isMoved it has no waiting points */
function retire(
  state: SeriesState,
  now: number,
  periods: SeriesPeriods,
  mark: number,
  isMoved: boolean,
): 'none' | 'changed' | 'erased' {
  const tiers = periods.of(state.id);
  const [tier1Until, tier2Until] = [tiers.tier1, tiers.tier2].map(({ periodSeconds }) => {
    const until = Math.max(0, now - periodSeconds);
    return until - (until % DAY);
  }) as [number, number];
  const { history } = state;
  const hasLeft1 = tier1Until > state.retiredUntil;
  const hasLeft2 = tier2Until > history.hidden.until;
  if (!hasLeft1 && !hasLeft2) return 'none';
  if (hasLeft2 && isMoved && state.lastTimestamp !== null && state.lastTimestamp < tier2Until) {
    Object.assign(state, { ...newState(state.id), org: state.org, history: erased(history, mark) });
    return 'erased';
  }
  if (hasLeft1) {
    state.history = retired(state.history, tier1Until, cutOf(tiers));
    state.retiredUntil = tier1Until;
  }
  if (hasLeft2) state.history = { ...state.history, hidden: { until: tier2Until, seq: mark } };
  return 'changed';
}

/** Series with waiting points; each of them has a row afterwards. */
async function noteWaiting(client: pg.ClientBase): Promise<Set<number>> {
  const waiting = new Set<number>();
  for (let after = 0; ;) {
    const { rows } = await client.query<AheadChunk>(
      'SELECT seq::float8 AS seq, payload FROM series_ahead WHERE seq > $1 ORDER BY seq LIMIT $2',
      [after, CHUNKS_AT_A_TIME],
    );
    for (const { payload } of rows) for (const id of idsInChunk(payload)) waiting.add(id);
    if (rows.length < CHUNKS_AT_A_TIME) break;
    after = rows.at(-1)!.seq;
  }
  const ids = [...waiting];
  for (let first = 0; first < ids.length; first += SERIES_AT_A_TIME) {
    await client.query(BEGIN_CHANGING);
    try {
      const states = await loadStates(client, ids.slice(first, first + SERIES_AT_A_TIME));
      await saveStates(client, [...states.values()]);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }
  return waiting;
}
