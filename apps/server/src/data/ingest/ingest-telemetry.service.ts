import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { type Refusals } from '#libs/protocols';
import { byOrg } from '../../common/fair-share/org-figures.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { BodyBudgetService } from './body-budget.service.js';
import { rejectionReason } from './ingest.errors.js';

export type IngestProtocol = 'json' | 'influx' | 'prometheus' | 'otlp' | 'csv' | 'graphite' | 'sql';

/** Figures of ingest on the management port. */
@Injectable()
export class IngestTelemetryService {
  readonly notStored: Counter;
  private readonly bodies: Counter<'protocol'>;
  private readonly rejected: Counter<'reason'>;
  private readonly sentBytes: Counter;
  private readonly expandedBytes: Counter;
  private readonly accepted: Counter<'protocol'>;
  private readonly refused: Counter<'protocol' | 'reason'>;
  private readonly omitted: Counter<'protocol'>;

  constructor(registry: MetricsRegistry, budget: BodyBudgetService) {
    const registers = [registry.prometheus];
    this.bodies = new Counter({
      name: 'plumbline_ingest_bodies_total',
      help: 'Bodies whose points were stored, as a whole or in part',
      labelNames: ['protocol'],
      registers,
    });
    this.rejected = new Counter({
      name: 'plumbline_ingest_rejected_bodies_total',
      help: 'Requests of which nothing was stored, by reason: the resource that was full, how the body ended, or the error code',
      labelNames: ['reason'],
      registers,
    });
    this.sentBytes = new Counter({
      name: 'plumbline_ingest_body_bytes_total',
      help: 'Bytes of bodies as they were sent',
      registers,
    });
    this.expandedBytes = new Counter({
      name: 'plumbline_ingest_expanded_bytes_total',
      help: 'Bytes of bodies after decompression',
      registers,
    });
    this.accepted = new Counter({
      name: 'plumbline_ingest_points_total',
      help: 'Points stored',
      labelNames: ['protocol'],
      registers,
    });
    this.refused = new Counter({
      name: 'plumbline_ingest_refused_points_total',
      help: 'Points refused, by reason',
      labelNames: ['protocol', 'reason'],
      registers,
    });
    this.omitted = new Counter({
      name: 'plumbline_ingest_omitted_values_total',
      help: 'Values left out without an error: text fields of line protocol',
      labelNames: ['protocol'],
      registers,
    });
    this.notStored = new Counter({
      name: 'plumbline_ingest_not_stored_total',
      help: 'Bodies answered 503 because the storage was unavailable',
      registers,
    });
    new Gauge({
      name: 'plumbline_ingest_held_bytes',
      help: 'Bytes of the bodies that are being received and read at this moment',
      registers,
      collect() {
        this.set(budget.heldBytes);
      },
    });
    new Gauge({
      name: 'plumbline_ingest_largest_held_bytes',
      help: 'Of these, bytes of the organisation that holds most',
      registers,
      collect() {
        this.set(budget.largestHeldBytes);
      },
    });
    new Gauge({
      name: 'plumbline_ingest_org_held_bytes',
      help: 'Of these, bytes of the organisations that hold most, and of all `other` (senders that are not known yet are there)',
      labelNames: ['org'],
      registers,
      collect() {
        this.reset();
        for (const [org, bytes] of byOrg(budget.holders, budget.heldBytes)) this.set({ org }, bytes);
      },
    });
  }

  /** A body was received. Lengths in bytes, as sent and after decompression. */
  received(sentBytes: number, expandedBytes: number): void {
    this.sentBytes.inc(sentBytes);
    this.expandedBytes.inc(expandedBytes);
  }

  /** A request is answered with an error. */
  rejectedBody(error: unknown): void {
    this.rejected.inc({ reason: rejectionReason(error) });
  }

  /** A body, or a batch of lines, is stored. */
  count(protocol: IngestProtocol, accepted: number, refusals: Refusals): void {
    this.bodies.inc({ protocol });
    this.accepted.inc({ protocol }, accepted);
    if (refusals.omitted.total > 0) this.omitted.inc({ protocol }, refusals.omitted.total);
    if (refusals.total === 0) return;
    for (const counts of refusals.metrics.values()) {
      for (const [reason, points] of Object.entries(counts)) this.refused.inc({ protocol, reason }, points);
    }
  }
}
