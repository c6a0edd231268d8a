import { AnomalyModule } from '../../apps/server/src/analysis/anomaly/anomaly.module.js';
import { DetectionModule } from '../../apps/server/src/analysis/detection/detection.module.js';
import { IngestModule } from '../../apps/server/src/data/ingest/ingest.module.js';
import {
  POINT_LOG,
  type PointLog,
  SERIES_STORE,
  type SeriesStore,
} from '../../apps/server/src/platform/storage/storage.types.js';
import { AreaApp, type AreaAppOptions } from './area-app.js';
import { HandClock } from './hand-clock.js';

/** The whole path of a point: ingest, log, detection, store, anomalies and their API. */
export class PointApp extends AreaApp {
  static async create({ env, clock = new HandClock(), ...options }: AreaAppOptions = {}): Promise<PointApp> {
    const areas = [IngestModule, DetectionModule, AnomalyModule];
    const atOnce = { PLUMBLINE_DETECTION_GATHER_MS: '0', PLUMBLINE_PROGRESS_SECONDS: '0', ...env };
    return new PointApp(await this.start(areas, { ...options, env: atOnce, clock }), clock);
  }

  get log(): PointLog {
    return this.app.get<PointLog>(POINT_LOG, { strict: false });
  }

  get series(): SeriesStore {
    return this.app.get<SeriesStore>(SERIES_STORE, { strict: false });
  }
}
