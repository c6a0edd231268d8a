import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { type Refusals } from '#libs/protocols';
import { MetricsRegistry } from '../common/telemetry/metrics.js';

export type IngestProtocol = 'json' | 'influx' | 'prometheus';

/** Figures of ingest on the management port. */
@Injectable()
export class IngestTelemetry {
  readonly notStored: Counter;
  private readonly bodies: Counter<'protocol'>;
  private readonly accepted: Counter<'protocol'>;
  private readonly refused: Counter<'protocol' | 'reason'>;

  constructor(registry: MetricsRegistry) {
    const registers = [registry.prometheus];
    this.bodies = new Counter({
      name: 'plumbline_ingest_bodies_total',
      help: 'Bodies whose points were stored, as a whole or in part',
      labelNames: ['protocol'],
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
    this.notStored = new Counter({
      name: 'plumbline_ingest_not_stored_total',
      help: 'Bodies answered 503 because the storage was away',
      registers,
    });
  }

  count(protocol: IngestProtocol, accepted: number, refusals: Refusals): void {
    this.bodies.inc({ protocol });
    this.accepted.inc({ protocol }, accepted);
    for (const counts of refusals.metrics.values()) {
      for (const [reason, points] of Object.entries(counts)) this.refused.inc({ protocol, reason }, points);
    }
  }
}
