import { Inject, Injectable } from '@nestjs/common';
import { type PointBatch, type PointLog } from '#libs/point-log';
import { type EndedSeries, type ParsedBatch } from '#libs/protocols';
import { Clock } from '../../common/clock.js';
import { inSpan, LINKS } from '../../common/telemetry/tracing.js';
import { type OpenSpan } from '../../common/telemetry/tracing.types.js';
import { HOUR } from '../../common/time.js';
import { POINT_LOG } from '../../platform/storage/storage.types.js';
import { MetricRegistryService } from '../metric/metric-registry.service.js';
import { type Admitted } from './ingest-admission.service.js';
import { IngestStorageService } from './ingest-storage.service.js';

/**
 * Points that are older than this on arrival are history: their period has passed, so they are not a reason for an
 * alert.
 */
const HISTORY_AFTER_SECONDS = HOUR;

/** Writes the points of a body to the log. */
@Injectable()
export class PointWriterService {
  constructor(
    @Inject(POINT_LOG) private readonly log: PointLog,
    private readonly registry: MetricRegistryService,
    private readonly storage: IngestStorageService,
    private readonly clock: Clock,
  ) {}

  /**
   * Writes points and ends of series to the log; resolves when they are durable. May be called again after a failure:
   * the same point twice is one point.
   * @throws IngestBusyError, PointsNotStoredError
   */
  commit(admitted: Admitted): Promise<void> {
    const attributes = () => ({ attributes: { 'plumbline.points': admitted.batch.count } });
    return inSpan('ingest append', attributes, (span) => this.write(admitted, span));
  }

  private async write({ orgId, batch, ids, ended, liveFrom }: Admitted, span: OpenSpan | undefined): Promise<void> {
    // Before the write: detection may have read the points before this process knows that they are written.
    if (span) for (const partition of partitionsOf(ids, this.log.partitions)) span.remember(LINKS.append(partition));
    await this.storage.attempt(() => this.appendBatch(batch, ids, liveFrom));
    if (batch.count > 0) this.storage.noteStored();
    if (ended.length > 0) await this.storage.attempt(() => this.end(orgId, ended));
  }

  private async appendBatch(batch: ParsedBatch, ids: Uint32Array, liveFrom: number | undefined): Promise<void> {
    if (batch.count === 0) return;
    const { series, seriesIndex } = batch;
    const columns = inOrderOfTime(columnsOf(batch, ids), batch);
    const isSentAsHistory = series.map(({ backfill }) => backfill);
    await this.append(columns, (row) => isSentAsHistory[seriesIndex[columns.rows?.[row] ?? row]!]!, liveFrom);
  }

  /**
   * Live points and history are written as records of different kinds. History consists of points that were sent as
   * such, and of old points. It is written first, so that the points of a sender that was cut off are learnt in order.
   */
  private async append(
    points: PointBatch,
    isSentAsHistory: (row: number) => boolean,
    liveFrom = Infinity,
  ): Promise<void> {
    const { timestamps } = points;
    const oldestLive = Math.min(liveFrom, this.clock.now() - HISTORY_AFTER_SECONDS);
    const isHistory = new Uint8Array(timestamps.length);
    let histories = 0;
    for (let row = 0; row < timestamps.length; row++) {
      if (timestamps[row]! >= oldestLive && !isSentAsHistory(row)) continue;
      isHistory[row] = 1;
      histories++;
    }
    if (histories === 0) return this.log.append(points, 'live');
    if (histories === timestamps.length) return this.log.append(points, 'backfill');
    // The log keeps the order of calls.
    await Promise.all([
      this.log.append(
        rowsOf(points, (row) => isHistory[row] === 1),
        'backfill',
      ),
      this.log.append(
        rowsOf(points, (row) => isHistory[row] === 0),
        'live',
      ),
    ]);
  }

  /** Writes the ends of series reported by the sender; series that were never stored need no end. */
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
    await this.append(batch, () => false);
  }
}

function partitionsOf(ids: Uint32Array, partitions: number): Set<number> {
  return new Set(Array.from(ids, (id) => id % partitions));
}

function columnsOf({ seriesIndex, timestamps, values, count }: ParsedBatch, ids: Uint32Array): PointBatch {
  const metricIds = new Uint32Array(count);
  for (let row = 0; row < count; row++) metricIds[row] = ids[seriesIndex[row]!]!;
  return { ids: metricIds, timestamps, values };
}

/**
 * The points of every series in chronological order, as required by detection; points with the same time keep their
 * order. `rows`: the position of each point in the body; undefined if none moves, which is nearly always the case.
 */
function inOrderOfTime(
  points: PointBatch,
  { series, seriesIndex, count }: ParsedBatch,
): PointBatch & { rows: Uint32Array | undefined } {
  const { ids, timestamps, values } = points;
  const newest = new Float64Array(series.length).fill(-Infinity);
  let isInOrder = true;
  for (let row = 0; row < count && isInOrder; row++) {
    const timestamp = timestamps[row]!;
    if (timestamp < newest[seriesIndex[row]!]!) isInOrder = false;
    newest[seriesIndex[row]!] = timestamp;
  }
  if (isInOrder) return { ...points, rows: undefined };
  const rows = Uint32Array.from(timestamps.keys()).sort((a, b) => timestamps[a]! - timestamps[b]! || a - b);
  return {
    ids: Uint32Array.from(rows, (row) => ids[row]!),
    timestamps: Float64Array.from(rows, (row) => timestamps[row]!),
    values: Float64Array.from(rows, (row) => values[row]!),
    rows,
  };
}

function rowsOf({ ids, timestamps, values }: PointBatch, isMeant: (row: number) => boolean): PointBatch {
  const rows: number[] = [];
  for (let row = 0; row < ids.length; row++) if (isMeant(row)) rows.push(row);
  return {
    ids: Uint32Array.from(rows, (row) => ids[row]!),
    timestamps: Float64Array.from(rows, (row) => timestamps[row]!),
    values: Float64Array.from(rows, (row) => values[row]!),
  };
}
