import { Injectable } from '@nestjs/common';
import { type Aggregation, type MetricType } from '#libs/contracts';
import { parseJsonMetrics, type ParseLimits } from '#libs/protocols';
import { type Admitted, type Found, IngestAdmissionService } from './ingest-admission.service.js';
import { IngestGateService } from './ingest-gate.service.js';
import { IngestLimitsService } from './ingest-limits.service.js';
import { type IngestProtocol } from './ingest-telemetry.service.js';
import { type PointSender } from './ingest.types.js';
import { PointWriterService } from './point-writer.service.js';
import { StoredPointsService } from './ingest.service.js';

export type { Found };

/** A point that another area derives from received data. */
export interface GeneratedPoint {
  metric: string;
  labels: Readonly<Record<string, string>>;
  type: MetricType;
  aggregation: Aggregation;
  /**
   * Unix seconds, fractions allowed: points of one slot are combined; a point with the same time replaces the earlier
   * one.
   */
  timestamp: number;
  value: number;
}

/** Accepts points from routes of other areas, with the same limits, names and rules as any other points. */
@Injectable()
export class PointIntakeService {
  constructor(
    private readonly gate: IngestGateService,
    private readonly limits: IngestLimitsService,
    private readonly admission: IngestAdmissionService,
    private readonly writer: PointWriterService,
    private readonly stored: StoredPointsService,
  ) {}

  /**
   * Resolves when the points are durable, with the canonical names of metrics whose points are not stored: those that are
   * excluded or over the quota.
   * @throws IngestBusyError, RateLimitedError, PointsNotStoredError
   */
  async take(sender: PointSender, metrics: readonly GeneratedPoint[]): Promise<ReadonlySet<string>> {
    const switches = { key: null, validateKey: false, test: false, backfill: null };
    const { refusals } = await this.takeFound(sender, 'json', metrics.length, (limits) =>
      parseJsonMetrics({ root: { metrics }, switches }, limits),
    );
    return new Set(refusals.metrics.keys());
  }

  /**
   * The same for points that were fetched as columns. Resolves when they are durable, with the number of stored points.
   * @param points maximum number of points
   * @param parse creates a batch from them, within the limits of the organisation
   * @param liveFrom Unix seconds; older points are history
   * @throws IngestBusyError, RateLimitedError, PointsNotStoredError
   */
  async takeParsed(
    sender: PointSender,
    protocol: IngestProtocol,
    points: number,
    parse: (limits: ParseLimits) => Found,
    liveFrom: number,
  ): Promise<number> {
    return (await this.takeFound(sender, protocol, points, parse, liveFrom)).batch.count;
  }

  private async takeFound(
    sender: PointSender,
    protocol: IngestProtocol,
    points: number,
    parse: (limits: ParseLimits) => Found,
    liveFrom?: number,
  ): Promise<Admitted> {
    this.gate.check();
    const orgId = sender.caller.org.id;
    await this.limits.charge(sender, points);
    const limits = await this.limits.ofBody(orgId, { backfill: false, maxPoints: points });
    const admitted = await this.admission.admit(orgId, protocol, parse(limits));
    await this.writer.commit(liveFrom === undefined ? admitted : { ...admitted, liveFrom });
    await this.stored.note(sender, protocol, admitted);
    return admitted;
  }
}
