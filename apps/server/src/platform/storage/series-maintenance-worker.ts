import { type MaintenanceReport } from '#libs/series';
import { type Handled, serveWorker } from '../../common/workers/worker-port.js';
import { SeriesMaintenanceHost, type SeriesMaintenanceRequest } from './series-maintenance-executor.js';

const host = new SeriesMaintenanceHost();

/** Entry point of the thread that maintains the series store. Its connections end with it. */
serveWorker(async (request: SeriesMaintenanceRequest): Promise<Handled<MaintenanceReport | null>> => ({
  response: await host.handle(request),
  transfer: [],
}));
