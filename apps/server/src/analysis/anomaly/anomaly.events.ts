import { Injectable, Logger } from '@nestjs/common';
import { type MetricType } from '#libs/contracts';
import { type AnomalyEvent } from '#libs/detection';

/** Data for texts about an anomaly: its metric, and the time zone of the organisation (IANA). */
export interface AnomalyMetric {
  name: string;
  unit: string | null;
  type: MetricType;
  zone: string;
}

/** The properties of an anomaly that listeners need. Times in Unix seconds. */
export type AnomalyFacts = Pick<
  AnomalyEvent,
  | 'kind'
  | 'severity'
  | 'value'
  | 'peakValue'
  | 'lower'
  | 'upper'
  | 'startTimestamp'
  | 'endTimestamp'
  | 'outUntilTimestamp'
  | 'closeReason'
> & { metric: AnomalyMetric };

/** A change of an anomaly; published after the row is committed. One anomaly may open and close in one step. */
export interface AnomalyChanged {
  type: 'opened' | 'updated' | 'closed';
  orgId: number;
  anomalyId: number;
  metricId: number;
  /** Found in backfilled history: no alerts are sent. */
  backfill: boolean;
  /** Published without an alert: a later verdict made it an anomaly. */
  quiet?: boolean;
  /** Opened because the check against trained patterns had no result in time; it may still become a match. */
  unconfirmed?: boolean;
  /**
   * `closed` with reason `trained`: the late result of the check is this match of a trained pattern. It is no longer an
   * anomaly; areas that have grouped it or alerted about it undo that.
   */
  matchId?: number;
  /** After the change. */
  facts: AnomalyFacts;
}

export type AnomalyListener = (change: AnomalyChanged) => void | Promise<void>;

/**
 * Notifies other areas of this process. Information that must not be lost belongs in a row of the same transaction
 * instead.
 */
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
