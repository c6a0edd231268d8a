import { Inject, Injectable } from '@nestjs/common';
import { type PointBatch, type PointLog } from '#libs/point-log';
import { type EndedSeries, type ParsedBatch } from '#libs/protocols';
import { POINT_LOG } from '../../platform/storage/storage.types.js';
import { MetricRegistry } from '../metric/metric-registry.service.js';
import { type Admitted } from './ingest-admission.service.js';
import { IngestStorage } from './ingest-storage.service.js';

/** Writes the points of a body to the log. */
@Injectable()
export class PointWriter {
  constructor(
    @Inject(POINT_LOG) private readonly log: PointLog,
    private readonly registry: MetricRegistry,
    private readonly storage: IngestStorage,
  ) {}

  /**
   * Writes points and ends of series to the log; resolves when they are durable. May be called again after a failure:
   * the same point twice is one point.
   * @throws IngestBusyError, PointsNotStoredError
   */
  async commit({ orgId, batch, ids, ended }: Admitted): Promise<void> {
    await this.storage.attempt(() => this.append(batch, ids));
    if (batch.count > 0) this.storage.noteStored();
    if (ended.length > 0) await this.storage.attempt(() => this.end(orgId, ended));
  }

  /** Live points and history are records of different kinds. */
  private async append(batch: ParsedBatch, ids: Uint32Array): Promise<void> {
    if (batch.count === 0) return;
    const { series } = batch;
    const histories = series.reduce((count, { backfill }) => (backfill ? count + 1 : count), 0);
    if (histories === 0) return this.log.append(columnsOf(batch, ids), 'live');
    if (histories === series.length) return this.log.append(columnsOf(batch, ids), 'backfill');
    const kinds = ['backfill', 'live'] as const;
    await Promise.all(
      kinds.map(async (kind) => {
        const columns = columnsOf(batch, ids, (index) => series[index]!.backfill === (kind === 'backfill'));
        if (columns.ids.length > 0) await this.log.append(columns, kind);
      }),
    );
  }

  /** Series that the sender has ended; those that were never stored need no end. */
  private async end(orgId: number, ended: readonly EndedSeries[]): Promise<void> {
    const idOf = await this.registry.findIds(
      orgId,
      ended.map(({ name }) => name),
    );
    const known = ended.filter(({ name }) => idOf.has(name));
    if (known.length === 0) return;
    const batch: PointBatch = {
      ids: Uint32Array.from(known, ({ name }) => idOf.get(name)!),
      timestamps: Float64Array.from(known, ({ timestamp }) => timestamp),
      values: new Float64Array(known.length).fill(NaN),
    };
    await this.log.append(batch, 'live');
  }
}

function columnsOf(batch: ParsedBatch, ids: Uint32Array, isMeant?: (series: number) => boolean): PointBatch {
  const { seriesIndex, timestamps, values, count } = batch;
  if (!isMeant) {
    const metricIds = new Uint32Array(count);
    for (let row = 0; row < count; row++) metricIds[row] = ids[seriesIndex[row]!]!;
    return { ids: metricIds, timestamps, values };
  }
  const rows: number[] = [];
  for (let row = 0; row < count; row++) if (isMeant(seriesIndex[row]!)) rows.push(row);
  return {
    ids: Uint32Array.from(rows, (row) => ids[seriesIndex[row]!]!),
    timestamps: Float64Array.from(rows, (row) => timestamps[row]!),
    values: Float64Array.from(rows, (row) => values[row]!),
  };
}
