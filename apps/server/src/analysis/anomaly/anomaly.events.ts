import { Injectable, Logger } from '@nestjs/common';
import { type MetricType } from '#libs/contracts';
import { type AnomalyEvent } from '#libs/detection';

/** What is needed to write of an anomaly: its metric, and the zone of the organisation (IANA). */
export interface AnomalyMetric {
  name: string;
  unit: string | null;
  type: MetricType;
  zone: string;
}

/** What the detector says of an anomaly, as far as listeners need it. Times in Unix seconds. */
export type AnomalyFacts = Pick<
  AnomalyEvent,
  'kind' | 'severity' | 'value' | 'lower' | 'upper' | 'startTimestamp' | 'endTimestamp' | 'closeReason'
> & { metric: AnomalyMetric };

/** What happened to an anomaly; published once the row is committed. One anomaly may open and close in one step. */
export interface AnomalyChanged {
  type: 'opened' | 'updated' | 'closed';
  orgId: number;
  anomalyId: number;
  metricId: number;
  /** Found in history that was back-filled: no alerts are sent. */
  backfill: boolean;
  /** Published without an alert: a verdict on the past made it an anomaly. */
  quiet?: boolean;
  /** Opened because the check against trained patterns had not answered in time; it may still become a match. */
  unconfirmed?: boolean;
  /**
   * `closed` with reason `trained`: the check has answered after all, and it is this match of a trained pattern. It is no
   * anomaly any more; who grouped or alerted it takes that back.
   */
  matchId?: number;
  /** After the change. */
  facts: AnomalyFacts;
}

export type AnomalyListener = (change: AnomalyChanged) => void | Promise<void>;

/** Tells other areas of this process. What must not be lost belongs into a row of the same transaction instead. */
@Injectable()
export class AnomalyEvents {
  private readonly logger = new Logger(AnomalyEvents.name);
  private readonly listeners = new Set<AnomalyListener>();

  /** Returns the function that ends the subscription. */
  subscribe(listener: AnomalyListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The failure of a listener is logged; the others are still notified. */
  publish(changes: readonly AnomalyChanged[]): void {
    for (const change of changes) for (const listener of this.listeners) void this.notify(listener, change);
  }

  private async notify(listener: AnomalyListener, change: AnomalyChanged): Promise<void> {
    try {
      await listener(change);
    } catch (error) {
      this.logger.error(`A listener failed at anomaly ${String(change.anomalyId)} ${change.type}`, error);
    }
  }
}
