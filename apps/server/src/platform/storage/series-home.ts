import {
  PostgresSeriesStore,
  type TransferableStore,
  type VictoriaMetricsAddress,
  VictoriaMetricsSeriesStore,
  type NamesOfSeries,
} from '#libs/series';
import { DEFAULT_TIERS } from './retention-tiers.js';

/** Points that arrive within this time move together. */
const MAX_BATCH_SECONDS = 15;

export type SeriesHomeName = 'postgres' | 'victoria-metrics';

/** The store of the installation's points. Threads get it as a message. */
export interface SeriesHome {
  /** Of the product database. */
  connectionString: string;
  /** Null: points are in the database too. */
  address: VictoriaMetricsAddress | null;
  /** Time that points wait before they move to VictoriaMetrics. */
  delaySeconds: number;
  /** Maximum number of waiting points; default: that of the adapter. */
  mostWaitingPoints?: number;
}

export function homeName({ address }: Pick<SeriesHome, 'address'>): SeriesHomeName {
  return address === null ? 'postgres' : 'victoria-metrics';
}

export function openSeriesStore(
  { connectionString, address, delaySeconds, mostWaitingPoints }: SeriesHome,
  maxConnections: number,
): TransferableStore {
  const options = { connectionString, tiers: DEFAULT_TIERS, maxConnections };
  return address === null
    ? new PostgresSeriesStore(options)
    : new VictoriaMetricsSeriesStore({
        ...options,
        address,
        names: metricNames,
        ...(mostWaitingPoints !== undefined && { mostWaitingPoints }),
        policy: { delaySeconds, batchSeconds: Math.min(delaySeconds, MAX_BATCH_SECONDS) },
      });
}

/** Names of metrics for series outside of the database. */
const metricNames: NamesOfSeries = async (database, ids) => {
  const { rows } = await database.query<{ id: number; org: number; name: string; labels: Record<string, string> }>(
    'SELECT id, org_id AS org, display_name AS name, labels FROM metric WHERE id = ANY($1::int[])',
    [ids],
  );
  return new Map(rows.map(({ id, ...name }) => [id, name]));
};
