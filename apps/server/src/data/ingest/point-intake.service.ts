import { Injectable } from '@nestjs/common';
import { type Aggregation, type MetricType } from '#libs/contracts';
import { parseJsonMetrics } from '#libs/protocols';
import { IngestAdmission } from './ingest-admission.service.js';
import { IngestGate } from './ingest-gate.service.js';
import { IngestLimits } from './ingest-limits.service.js';
import { type PointSender } from './ingest.types.js';
import { PointWriter } from './point-writer.service.js';
import { StoredPoints } from './stored-points.service.js';

/** A point that another area makes of what it was sent. */
export interface MadePoint {
  metric: string;
  labels: Readonly<Record<string, string>>;
  type: MetricType;
  aggregation: Aggregation;
  /** Unix seconds, fractions allowed: points of one slot are combined, the same time again is the same point. */
  timestamp: number;
  value: number;
}

/** The way in for points that came by a route of another area, under the same limits, names and rules as any other. */
@Injectable()
export class PointIntake {
  constructor(
    private readonly gate: IngestGate,
    private readonly limits: IngestLimits,
    private readonly admission: IngestAdmission,
    private readonly writer: PointWriter,
    private readonly stored: StoredPoints,
  ) {}

  /**
   * Resolves when the points are durable, with the canonical names of metrics whose points are not stored: those that are
   * excluded or over the quota.
   * @throws IngestBusyError, RateLimitedError, PointsNotStoredError
   */
  async take(sender: PointSender, metrics: readonly MadePoint[]): Promise<ReadonlySet<string>> {
    this.gate.check();
    const orgId = sender.caller.org.id;
    await this.limits.charge(sender, metrics.length);
    const limits = await this.limits.ofBody(orgId, { backfill: false, maxPoints: metrics.length });
    const switches = { key: null, validateKey: false, test: false, backfill: null };
    const found = parseJsonMetrics({ root: { metrics }, switches }, limits);
    const admitted = await this.admission.admit(orgId, 'json', found);
    await this.writer.commit(admitted);
    await this.stored.note(sender, 'json', admitted);
    return new Set(admitted.refusals.metrics.keys());
  }
}
