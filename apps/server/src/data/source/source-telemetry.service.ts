import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { byOrg } from '../../common/fair-share/org-figures.js';
import { Clock } from '../../common/clock.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { SourceClaimsRepository } from './source-claims.repository.js';
import { type SourceType } from './source.types.js';

/** The result of a read: `waited` if this installation could not accept the points at the moment. */
export type ReadResult = 'read' | 'failed' | 'waited' | 'superseded';

/** Figures of sources on the management port. */
@Injectable()
export class SourceTelemetryService {
  private readonly reads: Counter<'type' | 'result'>;
  private readonly points: Counter<'type'>;
  private readonly written: Counter<'result'>;

  constructor(registry: MetricsRegistry, claims: SourceClaimsRepository, clock: Clock) {
    const registers = [registry.prometheus];
    this.reads = new Counter({
      name: 'plumbline_source_reads_total',
      help: 'Requests to sources: read, failed, waited (the points could not be taken at the moment), superseded (changed or deleted meanwhile)',
      labelNames: ['type', 'result'],
      registers,
    });
    this.points = new Counter({
      name: 'plumbline_source_points_total',
      help: 'Points fetched from sources and stored',
      labelNames: ['type'],
      registers,
    });
    this.written = new Counter({
      name: 'plumbline_source_samples_written_total',
      help: 'Samples of expected ranges and scores written back to sources: written, failed (they are retried, or the store refuses them)',
      labelNames: ['result'],
      registers,
    });
    new Gauge({
      name: 'plumbline_sources',
      help: 'Sources that are read, and those of them whose last read failed',
      labelNames: ['state'],
      registers,
      async collect() {
        const { enabled, failing } = await claims.countsOfAll();
        this.set({ state: 'enabled' }, enabled);
        this.set({ state: 'failing' }, failing);
      },
    });
    new Gauge({
      name: 'plumbline_source_lag_seconds',
      help: 'How far the source that is furthest behind is behind what it could have, of the organisations where that is most, and of all `other`',
      labelNames: ['org'],
      registers,
      async collect() {
        this.reset();
        const lags = await claims.lagsOfAll(clock.now());
        const shown = byOrg(
          lags.map(({ orgId, seconds }) => [`org:${String(orgId)}`, seconds]),
          lags.reduce((sum, { seconds }) => sum + seconds, 0),
        ).filter(([org]) => org !== 'other');
        for (const [org, seconds] of shown) this.set({ org }, seconds);
        this.set({ org: 'other' }, lags[shown.length]?.seconds ?? 0);
      },
    });
  }

  count(type: SourceType, result: ReadResult, points = 0): void {
    this.reads.inc({ type, result });
    if (points > 0) this.points.inc({ type }, points);
  }

  countWritten(result: 'written' | 'failed', samples: number): void {
    this.written.inc({ result }, samples);
  }
}
