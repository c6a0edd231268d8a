import { type MaintenanceReport, PostgresSeriesStore } from '#libs/series';
import { type Handled, serveWorker } from '../../common/workers/worker-port.js';
import { DEFAULT_TIERS } from './retention-tiers.js';
import { type SeriesMaintenanceRequest } from './series-maintenance-executor.js';

let store: PostgresSeriesStore | undefined;

/** Entry of the thread that maintains the series store. It ends with its connections whenever it is told to. */
serveWorker(async (request: SeriesMaintenanceRequest): Promise<Handled<MaintenanceReport | null>> => {
  const { connectionString, now, plan } = request;
  store ??= new PostgresSeriesStore({ connectionString, tiers: DEFAULT_TIERS, maxConnections: 1 });
  if (plan === null) return { response: await store.maintain(now), transfer: [] };
  await store.applyRetention(now, plan);
  return { response: null, transfer: [] };
});
