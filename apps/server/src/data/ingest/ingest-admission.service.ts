import { Injectable } from '@nestjs/common';
import { type RefusalReason } from '#libs/contracts';
import {
  dropSeries,
  type EndedSeries,
  type MetricMetadata,
  type ParsedBatch,
  type ParseResult,
  type Refusals,
  type SeriesHeader,
} from '#libs/protocols';
import { RequestGate } from '../../common/http/request-gate.js';
import { MetricRegistryService, type ResolvedSeries } from '../metric/metric-registry.service.js';
import { IngestStorageService } from './ingest-storage.service.js';
import { type IngestProtocol } from './ingest-telemetry.service.js';
import { TestSendsService } from './test-sends.service.js';

/** Maximum number of series in one lookup. */
const AT_ONCE = 1000;

/** The result of a parser; some protocols contain more than points. */
export type Found = ParseResult & {
  /** Series that the sender has ended. */
  ended?: readonly EndedSeries[];
  /** Metadata of metric families, as sent. */
  metadata?: readonly MetricMetadata[];
  /** Call it if the points are not stored. */
  discard?: () => void;
};

/** The outcome for a body: `batch` is stored (or would be, in test mode), `refusals` are not. */
export interface Taken {
  batch: ParsedBatch;
  refusals: Refusals;
}

/** The part of a body that is written to the log, and the part that is not. */
export interface Admitted extends Taken {
  orgId: number;
  /** Metric id by index into `batch.series`. */
  ids: Uint32Array;
  ended: readonly EndedSeries[];
  /** Points from this time on (Unix seconds) are not considered history because of their age; default: an hour ago. */
  liveFrom?: number;
}

/** Resolves names to metrics: which of the found series may be stored, and under which ids. */
@Injectable()
export class IngestAdmissionService {
  constructor(
    private readonly registry: MetricRegistryService,
    private readonly testSends: TestSendsService,
    private readonly storage: IngestStorageService,
    private readonly gate: RequestGate,
  ) {}

  /**
   * The ids of the found series, without the points of metrics that are not allowed. May be called again after a
   * failure.
   * @throws PointsNotStoredError
   */
  async admit(orgId: number, protocol: IngestProtocol, found: Found): Promise<Admitted> {
    const { batch, refusals, ended, metadata = [] } = found;
    if (metadata.length > 0) await this.storage.attempt(() => this.registry.applyMetadata(orgId, metadata));
    const { ids, refused } = await this.storage.attempt(() => this.resolve(orgId, SOURCES[protocol], batch.series));
    return { orgId, ids, batch: dropSeries(batch, refusals, refused), refusals, ended: ended ?? [] };
  }

  /**
   * The result that `admit` would have; recorded as a test send, without creating metrics. @throws PointsNotStoredError
   */
  async tryOut(orgId: number, protocol: IngestProtocol, found: Found): Promise<Taken> {
    const { batch: parsed, refusals } = found;
    const { refused } = await this.storage.attempt(() => this.registry.probe(orgId, parsed.series));
    const batch = dropSeries(parsed, refusals, refused);
    await this.storage.attempt(() => this.testSends.record(orgId, SOURCES[protocol], { ...found, batch }));
    return { batch, refusals };
  }

  /** Resolves a large body in pieces, with pauses between them in which other requests are answered. */
  private async resolve(orgId: number, source: string, series: readonly SeriesHeader[]): Promise<ResolvedSeries> {
    if (series.length <= AT_ONCE) return this.registry.resolve(orgId, source, series);
    const ids = new Uint32Array(series.length);
    const refused = new Map<number, RefusalReason>();
    const pacer = this.gate.pacerOf(orgId);
    for (let start = 0; start < series.length; start += AT_ONCE) {
      const part = await this.registry.resolve(orgId, source, series.slice(start, start + AT_ONCE));
      ids.set(part.ids, start);
      for (const [index, reason] of part.refused) refused.set(start + index, reason);
      await pacer.pause();
    }
    return { ids, refused };
  }
}

/** Service ids that metrics store as their first sender. */
const SOURCES: Readonly<Record<IngestProtocol, string>> = {
  json: 'http',
  influx: 'influx',
  prometheus: 'prometheus',
  otlp: 'opentelemetry',
  csv: 'csv',
  graphite: 'graphite',
  sql: 'sql',
};
