import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';

/** Figures of the `detect` role on the management port. */
@Injectable()
export class DetectionTelemetryService {
  readonly analysed: Counter;
  readonly scored: Counter;
  readonly replayed: Counter;
  readonly failures: Counter;
  readonly poisoned: Counter;
  readonly refusedRows: Counter;
  readonly stuck: Gauge;
  /** Number of partitions that this process owns. */
  readonly partitions: Gauge;
  readonly checkpointBytes: Counter;
  readonly checkpointPages: Gauge<'partition'>;
  private readonly lag: Gauge<'partition'>;
  private readonly lagOf = new Map<number, number>();

  constructor(registry: MetricsRegistry) {
    const registers = [registry.prometheus];
    this.analysed = new Counter({
      name: 'plumbline_detection_points_total',
      help: 'Points that the detector has taken',
      registers,
    });
    this.scored = new Counter({
      name: 'plumbline_detection_scored_slots_total',
      help: 'Slots that got a verdict',
      registers,
    });
    this.replayed = new Counter({
      name: 'plumbline_detection_replayed_points_total',
      help: 'Points read again after a start, whose effects were stored before',
      registers,
    });
    this.failures = new Counter({
      name: 'plumbline_detection_restarts_total',
      help: 'Partitions reopened from their checkpoint after a failure',
      registers,
    });
    this.poisoned = new Counter({
      name: 'plumbline_detection_poison_records_total',
      help: 'Records of the log that the detector could not process as a whole',
      registers,
    });
    this.refusedRows = new Counter({
      name: 'plumbline_detection_refused_rows_total',
      help: 'Anomalies that the database refused',
      registers,
    });
    this.partitions = new Gauge({
      name: 'plumbline_detection_partitions',
      help: 'Partitions that this process works on',
      registers,
    });
    this.stuck = new Gauge({
      name: 'plumbline_detection_stuck_partitions',
      help: 'Partitions whose batch takes longer than the limit',
      registers,
    });
    this.checkpointBytes = new Counter({
      name: 'plumbline_detection_checkpoint_bytes_total',
      help: 'Bytes of saved pages of detector state',
      registers,
    });
    this.checkpointPages = new Gauge({
      name: 'plumbline_detection_unsaved_pages',
      help: 'Pages of detector state that have changed since they were saved',
      labelNames: ['partition'],
      registers,
    });
    this.lag = new Gauge({
      name: 'plumbline_detection_lag_seconds',
      help: 'Age of the oldest unread record; 0 when there is none',
      labelNames: ['partition'],
      registers,
    });
  }

  setLag(partition: number, seconds: number): void {
    this.lagOf.set(partition, seconds);
    this.lag.set({ partition: String(partition) }, seconds);
  }

  /** Another process now owns the partition. */
  forget(partition: number): void {
    this.lagOf.delete(partition);
    this.lag.remove({ partition: String(partition) });
    this.checkpointPages.remove({ partition: String(partition) });
  }

  longestLagSeconds(): number {
    return Math.max(0, ...this.lagOf.values());
  }
}
