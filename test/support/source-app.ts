import { type Type } from '@nestjs/common';
import { SourceModule } from '../../apps/server/src/data/source/source.module.js';
import { SourceReaderService } from '../../apps/server/src/data/source/source-reader.service.js';
import { POINT_LOG, type PointLog } from '../../apps/server/src/platform/storage/storage.types.js';
import { AreaApp, type AreaAppOptions } from './area-app.js';
import { HandClock, START } from './hand-clock.js';

/** Maximum number of points in one read of the log. */
const MAX_POINTS = 1_000_000;

/** A point in the log; `kind` distinguishes live points and backfill. */
export interface LoggedPoint {
  metric: string;
  timestamp: number;
  /** NaN: the series has ended. */
  value: number;
  kind: string;
}

/** Sources, with the path of a point up to the log. Sources are read only by the test. */
export class SourceApp extends AreaApp {
  static async create(options: AreaAppOptions = {}, also: readonly Type[] = []): Promise<SourceApp> {
    const clock = options.clock ?? new HandClock(START, 0.5);
    const app = new SourceApp(await this.start([SourceModule, ...also], { ...options, clock }), clock);
    await app.byHand(SourceReaderService);
    return app;
  }

  /** Reads all sources that are ready, including those that become ready by that. */
  read(): Promise<void> {
    return this.get(SourceReaderService).deliverAll();
  }

  /** Moves the clock forward in steps, and reads the sources that become ready. */
  async readFor(seconds: number, everySeconds = 5): Promise<void> {
    for (const until = this.clock.seconds + seconds; this.clock.seconds < until;) {
      this.clock.seconds += everySeconds;
      await this.read();
    }
  }

  /** All points of an organisation by metric and time; points with the same time keep the order of the log. */
  async points(orgId: number): Promise<LoggedPoint[]> {
    const log = this.app.get<PointLog>(POINT_LOG, { strict: false });
    const rows = await this.database.dataSource.query<{ id: number; name: string }[]>(
      'SELECT id, name FROM metric WHERE org_id = $1',
      [orgId],
    );
    const names = new Map(rows.map(({ id, name }) => [id, name]));
    const found: LoggedPoint[] = [];
    for (let partition = 0; partition < log.partitions; partition++) {
      for (let after = 0, records; (records = await log.read(partition, after, MAX_POINTS)).length > 0;) {
        after = records.at(-1)!.position;
        for (const { batch, kind } of records) {
          batch.ids.forEach((id, row) => {
            const metric = names.get(id);
            if (metric === undefined) return;
            found.push({ metric, timestamp: batch.timestamps[row]!, value: batch.values[row]!, kind });
          });
        }
      }
    }
    return found.sort((one, other) => one.metric.localeCompare(other.metric) || one.timestamp - other.timestamp);
  }
}
