import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { MetricsRegistry } from '../common/telemetry/metrics.js';

/** Figures of the `detect` role on the management port. */
@Injectable()
export class DetectionTelemetry {
  readonly analysed: Counter;
  readonly failures: Counter;
  readonly poisoned: Counter;
  readonly refusedRows: Counter;
  readonly stuck: Gauge;
  readonly checkpointBytes: Gauge<'partition'>;
  private readonly lag: Gauge<'partition'>;
  private readonly lagOf = new Map<number, number>();

  constructor(registry: MetricsRegistry) {
    const registers = [registry.prometheus];
    this.analysed = new Counter({
      name: 'plumbline_detection_points_total',
      help: 'Points that the detector has taken',
      registers,
    });
    this.failures = new Counter({
      name: 'plumbline_detection_restarts_total',
      help: 'Partitions opened anew from their checkpoint after a failure',
      registers,
    });
    this.poisoned = new Counter({
      name: 'plumbline_detection_poison_records_total',
      help: 'Records of the log that the detector could not take as a whole',
      registers,
    });
    this.refusedRows = new Counter({
      name: 'plumbline_detection_refused_rows_total',
      help: 'Anomalies and metric statistics that the database refused',
      registers,
    });
    this.stuck = new Gauge({
      name: 'plumbline_detection_stuck_partitions',
      help: 'Partitions whose batch takes longer than it may',
      registers,
    });
    this.checkpointBytes = new Gauge({
      name: 'plumbline_detection_checkpoint_bytes',
      help: 'Size of the latest checkpoint',
      labelNames: ['partition'],
      registers,
    });
    this.lag = new Gauge({
      name: 'plumbline_detection_lag_seconds',
      help: 'Age of the oldest record that was not yet read; 0 when there is none',
      labelNames: ['partition'],
      registers,
    });
  }

  setLag(partition: number, seconds: number): void {
    this.lagOf.set(partition, seconds);
    this.lag.set({ partition: String(partition) }, seconds);
  }

  /** Another process looks after the partition now. */
  forget(partition: number): void {
    this.lagOf.delete(partition);
    this.lag.remove({ partition: String(partition) });
    this.checkpointBytes.remove({ partition: String(partition) });
  }

  longestLagSeconds(): number {
    return Math.max(0, ...this.lagOf.values());
  }
}
